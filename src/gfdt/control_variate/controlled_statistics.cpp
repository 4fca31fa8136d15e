#include "gfdt/control_variate/controlled_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gfdt/base/error.hpp"
#include "gfdt/codegen/program/kernel.hpp"
#include "gfdt/control_variate/adopted_statistics.hpp"
#include "gfdt/control_variate/dictionary/product_rows.hpp"
#include "gfdt/control_variate/observable_tails.hpp"
#include "gfdt/score/selection/sample_collector.hpp"

namespace gfdt::control_variate {
namespace {

using statistics::Average;
using statistics::EnsembleStatistics;

/// Default limits of the number of states to which a control variate is fitted.
constexpr std::size_t fewest_samples = 100'000, most_samples = 400'000;
constexpr std::size_t components = 800'000;
/// If the required accuracy of columns is only this, the fit uses fewer samples, one per `steps_per_sample` steps of
/// the run, so that it costs less than the run.
constexpr double coarse_accuracy = 0.1, steps_per_sample = 400;
constexpr double fewest_of_coarse_fit = 50'000;
/// Dictionaries grow as long as the share of an observable exceeds this value, or a column of leading terms is less
/// accurate than required.
constexpr double small_share = 0.05;
/// If the shares of all observables exceed this value, more functions will not help either.
constexpr double hopeless_share = 0.3;
constexpr std::size_t telling_levels = 4;
/// More functions are tried if the last ones have reduced the share of an observable at least to this fraction.
constexpr double worthwhile_improvement = 0.8;
constexpr std::size_t sizes[] = {100, 200, 400};
/// Limits of the multiplications of a fit, per state variable and step of the run and in total: the fit takes at most a
/// few times as long as the run, and seconds.
constexpr double work_per_step = 100, least_work = 2e9, most_work = 4e10;
/// The same for leading terms.
constexpr double work_on_terms_per_step = 20, least_work_on_terms = 1e9, most_work_on_terms = 1e10;

Quantities formulas(const symbolic::Model& model, const std::vector<Expression>& list) {
  codegen::EvaluationPlan plan{model.indices, model.states, {}};
  for (const Expression& formula : list)
    plan.outputs.push_back({{fmt::format("value.{}", plan.outputs.size()), {}}, formula});
  std::shared_ptr<const codegen::Evaluator<double>> evaluator =
      codegen::make_evaluator<double>(plan, model.parameter_values(), codegen::Backend::interpreter, lanes);
  return [evaluator](const double* states, double* values) {
    codegen::AlignedArray<double> scratch(evaluator->scratch_size());
    evaluator->evaluate(states, 1, values, scratch.data());
  };
}

std::size_t samples_of_fit(std::size_t dimension, double accuracy, const simulate::Options& run) {
  const std::size_t fine = std::clamp(components / dimension, fewest_samples, most_samples);
  if (accuracy <= coarse_accuracy) return fine;
  const double steps = run.length * run.members / run.dt;
  return std::min(fine, static_cast<std::size_t>(std::max(fewest_of_coarse_fit, steps / steps_per_sample)));
}

double sufficient_share(double accuracy) { return std::max(small_share, accuracy); }

bool shares_suffice(const ControlVariate& fit, double accuracy) {
  return std::ranges::max(fit.share) <= sufficient_share(accuracy);
}

/// Whether a larger dictionary is likely to resolve an observable, because the last functions improved it noticeably.
bool growth_pays(const ControlVariate& fit, double accuracy) {
  const bool hopeless = fit.dictionary->sizes.size() >= telling_levels && std::ranges::min(fit.share) > hopeless_share;
  for (std::size_t m = 0; m < fit.share.size() && !hopeless; ++m)
    if (fit.share[m] > sufficient_share(accuracy) && fit.improvement[m] < worthwhile_improvement) return true;
  return false;
}

bool leading_terms_suffice(const ControlVariate& fit, const EnsembleStatistics& run, double accuracy) {
  const std::size_t columns = fit.leading.size() / run.observables.size();
  for (std::size_t j = 0; j < columns; ++j) {
    double squares = 0, errors = 0;
    for (std::size_t m = 0; m < run.observables.size(); ++m) {
      const Averaged& term = fit.leading[m * columns + j];
      const double scale = std::pow(run.observables[m].standard_deviation, -2);
      if (!std::isfinite(scale) || !std::isfinite(term.value)) continue;
      squares += scale * term.value * term.value;
      errors += scale * (std::pow(term.standard_error, 2) + std::pow(term.bias, 2));
    }
    if (errors > accuracy * accuracy * squares) return false;
  }
  return true;
}

/// Reports the effect of the control variate.
Diagnostic control_variate_diagnostic(const ControlledStatistics& made) {
  Diagnostic diagnostic{.check = Check::control_variate};
  if (!made.control) {
    diagnostic.text = fmt::format("There is none, and averages are plain: {}{}", made.without,
                                  made.without.ends_with('.') ? "" : ".");
    return diagnostic;
  }
  std::size_t functions = 0, replaced = 0;
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t m = 0; m < made.run.observables.size(); ++m) {
    const Average& average = made.run.observables[m];
    if (!average.plain) continue;
    const double gain = average.plain->standard_error / average.standard_error;
    least = std::min(least, gain);
    most = std::max(most, gain);
    functions = std::max(functions, made.control->functions[m]);
    ++replaced;
  }
  if (replaced == 0) {
    diagnostic.text = "No combination of functions of the state makes the errors of the statistics smaller.";
    return diagnostic;
  }
  const auto times = [](double gain) {
    return gain > 1000 ? "over 1000" : fmt::format("{:.{}f}", gain, gain < 9.95 ? 1 : 0);
  };
  const std::string gains =
      times(least) == times(most) ? times(most) : fmt::format("{} to {}", times(least), times(most));
  const std::size_t count = made.run.observables.size();
  const std::string which = replaced == count ? "the statistics" : fmt::format("{} of {} statistics", replaced, count);
  diagnostic.text = fmt::format(
      "{} function{} of the state reduce{} the standard errors of {} by {} {}, compared with plain averages of the "
      "same "
      "run. The difference from plain averages includes the bias of the time step, which this removes.",
      functions, functions == 1 ? "" : "s", functions == 1 ? "s" : "", which,
      times(least) == times(most) ? "a factor of" : "factors of", gains);
  return diagnostic;
}

}  // namespace

Quantities observables_of(const symbolic::Model& model, const statistics::ObservedFunctions& functions) {
  std::vector<Expression> list;
  for (const symbolic::Observable& observable : model.observables) list.push_back(observable.formula);
  const Quantities by_formula = formulas(model, list);
  if (functions.empty()) return by_formula;
  const statistics::FunctionRows rows(model, functions, 0);
  return [by_formula, rows, dimension = model.dimension(), count = static_cast<int>(list.size())](const double* states,
                                                                                                  double* values) {
    by_formula(states, values);
    rows.write(states, 1, dimension, lanes, values, count);
  };
}

ControlledStatistics controlled_statistics(const symbolic::Model& model, const simulate::Source& source,
                                           const Options& options, const Wanted& wanted,
                                           const simulate::Control& control,
                                           std::span<simulate::Sink* const> more_sinks) {
  const simulate::Options& simulation = source.options();
  const std::size_t dimension = static_cast<std::size_t>(model.dimension());
  ControlledStatistics result;
  std::optional<score::SampleCollector> collector;
  std::vector<simulate::Sink*> sinks(more_sinks.begin(), more_sinks.end());
  const bool own = source.of_model();
  if (options.wanted && own && has_dictionary(model) && !model.observables.empty()) {
    collector.emplace(model, simulation,
                      options.samples.value_or(samples_of_fit(dimension, options.accuracy, simulation)));
    sinks.push_back(&*collector);
  } else if (options.wanted && !own) {
    result.without = "the states are those of another program, whose equations may hold more than the formulas";
  } else if (options.wanted) {
    result.without = "the model depends on time, or its states are neither all scalars nor all fields over one ring";
  }
  result.run = statistics::simulate_statistics(model, source, control, sinks, wanted.functions);
  if (!options.wanted || !result.run.usable() || result.run.observables.empty()) return result;
  if (!collector) {
    result.run.diagnostics.push_back(control_variate_diagnostic(result));
    return result;
  }
  const double memory = result.run.longest_memory();
  Request request{.model = model,
                  .observables = model.observables.size(),
                  .values = observables_of(model, wanted.functions),
                  .parameters = wanted.parameters};
  for (const Average& average : result.run.observables)
    request.varies.push_back(average.standard_deviation > statistics::rounding_share * std::abs(average.mean));
  std::vector<Expression> direct;
  for (const auto& [entry, formula] : wanted.direct) {
    request.direct_entries.push_back(entry);
    direct.push_back(formula);
  }
  if (!direct.empty()) request.direct = formulas(model, direct);
  request.memory = memory;
  request.shortest_memory = result.run.shortest_memory();
  request.time = simulation.length * simulation.members;
  const double steps = request.time / simulation.dt * static_cast<double>(dimension);
  request.most_work = std::clamp(work_per_step * steps, least_work, most_work);
  request.most_work_on_terms = std::clamp(work_on_terms_per_step * steps, least_work_on_terms, most_work_on_terms);
  request.threads = simulation.threads;
  request.device = simulation.backend == codegen::Backend::cuda;
  try {
    const score::Samples samples = collector->samples(memory);
    const std::vector<symbolic::Interval> ranges = ranges_of(model, wanted.functions);
    judge_tails(samples, request.values, ranges, result.run.observables);
    for (const std::size_t size : sizes) {
      request.most_functions = std::max(size, 2 * model.states.size());
      const auto is_last = [&](const ControlVariate& fit) {
        return size == std::end(sizes)[-1] || fit.dictionary->complete || shares_suffice(fit, options.accuracy) ||
               !growth_pays(fit, options.accuracy);
      };
      ControlVariate larger = fit_control_variate(request, samples, is_last);
      if (result.control) larger.keep_statistics_of(*result.control);
      result.control = std::move(larger);
      const ControlVariate& fit = *result.control;
      if (is_last(fit) && (fit.dictionary->complete || !shares_suffice(fit, options.accuracy) ||
                           leading_terms_suffice(fit, result.run, options.accuracy)))
        break;
    }
    if (const auto observable = contradiction(*result.control, result.run)) {
      result.control.reset();
      throw Error(fmt::format("it contradicts the plain average of {}", result.run.observables[*observable].name));
    }
    adopt(*result.control, ranges, result.run);
    replace(result.run.diagnostics,
            statistics::mixing(result.run.observables, result.run.monitored, simulation.length));
  } catch (const Error& error) {
    result.without = error.what();
  }
  if (std::optional<Diagnostic> heavy = statistics::heavy_tails(result.run.observables))
    replace(result.run.diagnostics, std::move(*heavy));
  result.run.diagnostics.push_back(control_variate_diagnostic(result));
  return result;
}

}  // namespace gfdt::control_variate
