#include "gfdt/statistics/checks/time_step_bias.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "gfdt/base/with_error.hpp"
#include "gfdt/simulate/coarser_step.hpp"

namespace gfdt::statistics {
namespace {

/// Largest number of states of the second run at which A + L u is evaluated, since an evaluation takes longer than a
/// step.
constexpr double most_evaluations = 1e5;

bool may_be_biased(const Average& average) { return average.usable() && std::isfinite(average.standard_error); }

/// A run with a longer time step; empty if members blow up.
std::optional<EnsembleStatistics> coarser_run(const symbolic::Model& model, const simulate::Options& options,
                                              const ObservedFunctions& functions, const simulate::Control& control) {
  EnsembleStatistics run = simulate_statistics(model, simulate::ModelSource(model, options), control, {}, functions);
  if (run.run.status != simulate::Status::done || run.run.replaced_members > 0) return {};
  return run;
}

/// Options with fewer samples: first per member, down to the number that averages need, then with fewer members.
simulate::Options thinned(simulate::Options options) {
  constexpr double fewest_members = 100;
  const double excess = static_cast<double>(options.samples()) * options.members / most_evaluations;
  const double longest = static_cast<double>(options.samples() / parts_per_member);
  options.cadence *= static_cast<int>(std::clamp(excess, 1.0, longest));
  if (excess > longest && options.members > fewest_members)
    options.members = static_cast<int>(std::max(fewest_members, options.members * longest / excess));
  return options;
}

}  // namespace

double TimeStepBias::size(std::size_t observable, double noticeable) const {
  const double size = std::abs(value[observable]), noise = standard_error[observable];
  return size > noticeable * noise ? std::sqrt(size * size - noise * noise) : 0;
}

std::string advice_on_time_step(const simulate::Options& options) {
  return fmt::format("Use a smaller simulation.dt than {:g}{}.", options.dt,
                     options.scheme == simulate::Scheme::weak2 ? "" : ", or simulation.scheme = \"weak2\"");
}

TimeStepBias time_step_bias(const symbolic::Model& model, const simulate::Options& options,
                            std::span<const Average> averages, const ObservedFunctions& functions,
                            const ObservedFunctions& residuals, const simulate::Control& control) {
  TimeStepBias result;
  ObservedFunctions left = functions;
  std::vector<bool> compared;
  bool any_plain = false, any_residual = false;
  for (const Average& average : averages) {
    const auto residual = residuals.find(average.name);
    compared.push_back(may_be_biased(average) && (!average.plain || residual != residuals.end()));
    if (!compared.back()) continue;
    (average.plain ? any_residual : any_plain) = true;
    if (average.plain) left[average.name] = residual->second;
  }
  result.value.assign(averages.size(), 0.0);
  result.standard_error = result.value;
  result.compared = any_plain || any_residual;
  if (!result.compared) return result;
  result.too_short = true;
  for (const int ratio : simulate::coarser_ratios) {
    const simulate::Options coarser = simulate::with_coarser_step(options, ratio);
    if (coarser.samples() < static_cast<std::uint64_t>(parts_per_member)) continue;
    result.too_short = false;
    std::optional<EnsembleStatistics> of_plain, of_residuals;
    if (any_plain) of_plain = coarser_run(model, coarser, functions, control);
    if (any_residual) of_residuals = coarser_run(model, thinned(coarser), left, control);
    if (any_plain != of_plain.has_value() || any_residual != of_residuals.has_value()) continue;
    result.ratio = ratio;
    const double excess = simulate::excess_bias(model, options.scheme, ratio);
    for (std::size_t m = 0; m < averages.size(); ++m) {
      if (!compared[m]) continue;
      const Average& coarse = (averages[m].plain ? of_residuals : of_plain)->observables[m];
      result.value[m] = (coarse.mean - averages[m].mean) / excess;
      result.standard_error[m] = std::hypot(coarse.standard_error, averages[m].standard_error) / excess;
    }
    break;
  }
  return result;
}

Diagnostic include(const TimeStepBias& bias, const simulate::Options& options, std::vector<Average>& averages,
                   std::vector<double>& covariance) {
  Diagnostic diagnostic{.check = Check::time_step,
                        .text = "A longer time step moves no average by more than noise explains."};
  if (!bias.compared) {
    const bool controlled = std::ranges::any_of(averages, [](const Average& a) { return a.plain.has_value(); });
    diagnostic.verdict = controlled ? Verdict::passed : Verdict::unresolved;
    diagnostic.text = controlled ? "The control variate removes the bias of the time step."
                                 : "Not judged: there are no averages to compare.";
    return diagnostic;
  }
  if (bias.too_short) {
    diagnostic.verdict = Verdict::unresolved;
    diagnostic.text = "Not judged: a run with a longer time step has too few samples.";
    return diagnostic;
  }
  if (bias.ratio == 0) {
    diagnostic.verdict = Verdict::warning;
    diagnostic.text = fmt::format(
        "Members blow up with twice the time step {:g}: the bias of averages is not known, and not in their errors.",
        options.dt);
    diagnostic.remedy = advice_on_time_step(options);
    return diagnostic;
  }
  double worst = 1, widest = 1;
  for (std::size_t m = 0; m < averages.size(); ++m) {
    Average& average = averages[m];
    if (!may_be_biased(average) || !std::isfinite(bias.value[m])) continue;
    const double size = bias.size(m, 1), ratio = size / average.standard_error;
    if (std::abs(bias.value[m]) > TimeStepBias::visible * bias.standard_error[m] && ratio > worst) {
      worst = ratio;
      diagnostic.verdict = Verdict::warning;
      diagnostic.text = fmt::format("The time step biases {} by {}: its standard error includes that.", average.name,
                                    with_error(bias.value[m], bias.standard_error[m]));
      diagnostic.remedy = advice_on_time_step(options);
    } else if (diagnostic.passed() && ratio > widest) {
      widest = ratio;
      diagnostic.text = fmt::format("The time step may bias {} by {}: its standard error includes that.", average.name,
                                    with_error(bias.value[m], bias.standard_error[m]));
    }
    average.standard_error = std::hypot(average.standard_error, size);
    average.effective_samples = std::pow(average.standard_deviation / average.standard_error, 2);
    covariance[m * (averages.size() + 1)] += size * size;
  }
  return diagnostic;
}

}  // namespace gfdt::statistics
