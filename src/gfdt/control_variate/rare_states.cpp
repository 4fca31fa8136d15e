#include "gfdt/control_variate/rare_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

#include "gfdt/base/rounded_up.hpp"
#include "gfdt/control_variate/controlled_statistics.hpp"
#include "gfdt/control_variate/fit/residuals.hpp"
#include "gfdt/control_variate/observable_tails.hpp"
#include "gfdt/score/selection/sample_collector.hpp"
#include "gfdt/symbolic/model/angles.hpp"

namespace gfdt::control_variate {
namespace {

using statistics::Average;

/// Numbers of members and samples of the short runs, with the noise of the model and with stronger noise.
constexpr int ordinary_members = 128, excited_members = 256;
constexpr std::size_t most_samples = 40'000;
/// p(y)
constexpr double known_tail = 0.05;
/// States are rare if the members of the run together visit them fewer than `rare_visits` times; a visit lasts
/// `memories_of_visit` autocorrelation times.
constexpr double rare_visits = 2, memories_of_visit = 2;
/// Smallest number of members with stronger noise that must have visited rare states.
constexpr std::size_t fewest_visitors = 8;
/// Below `noticeable` standard errors an effect is attributed to noise; from `dominant` on the diagnostic fails.
constexpr double noticeable = 2, dominant = 4;
/// Length of the short runs in autocorrelation times, limited by their cost: state variables times steps, as a share of
/// those of the run.
constexpr double longest_in_memories = 40, shortest_in_memories = 2, burn_in_in_memories = 5, work_share = 0.03;
/// Number of visits for which a run is long enough.
constexpr double enough_visits = 20;
constexpr std::uint64_t seed_of_excited_members = 0x6a09e667f3bcc909;

symbolic::Model excited(symbolic::Model model) {
  for (symbolic::DiffusionTerm& term : model.diffusion) term.amplitude = term.amplitude * std::numbers::sqrt2;
  return model;
}

/// Returns nothing if members blow up.
std::optional<score::Samples> samples_of(const symbolic::Model& model, const simulate::Options& options,
                                         const simulate::Control& control) {
  simulate::Summary summary;
  score::Samples samples = score::draw_samples(model, options, most_samples, control, &summary);
  if (summary.status != simulate::Status::done || summary.replaced_members > 0 || samples.size() == 0) return {};
  return samples;
}

/// Samples of short runs, with the noise of the model and with stronger noise.
struct ShortRuns {
  score::Samples ordinary, excited;
};

std::optional<ShortRuns> short_runs(const symbolic::Model& model, const simulate::Options& options, double memory,
                                    const simulate::Control& control) {
  const double dimension = model.dimension();
  const double work =
      std::max(statistics::pilot_work, work_share * options.members * options.length / options.dt * dimension);
  const double affordable = work / (excited_members + ordinary_members) / dimension * options.dt;
  simulate::Options part = options;
  part.precision = simulate::Precision::double_precision;
  part.backend = codegen::Backend::interpreter;  // so that nothing has to be compiled
  part.burn_in = std::min(options.burn_in_time(), burn_in_in_memories * memory);
  part.length = std::clamp(affordable - *part.burn_in, shortest_in_memories * memory, longest_in_memories * memory);
  part.length = std::max(part.length, part.sample_interval());
  part.members = ordinary_members;
  const simulate::Control quiet{{}, control.cancellation};
  std::optional<score::Samples> ordinary = samples_of(model, part, quiet);
  if (!ordinary) return {};
  part.members = excited_members;
  part.seed ^= seed_of_excited_members;
  std::optional<score::Samples> others = samples_of(excited(model), part, quiet);
  if (!others) return {};
  return ShortRuns{std::move(*ordinary), std::move(*others)};
}

/// Indices of the samples sorted by one component, in ascending or descending order.
std::vector<std::size_t> in_order(const score::Samples& samples, std::size_t component, bool from_below) {
  std::vector<std::size_t> order(samples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const double x = samples[a][component], y = samples[b][component];
    return from_below ? x < y : x > y;
  });
  return order;
}

/// Samples with stronger noise that lie beyond all states that the run visits often, outermost first, with their
/// weights dp.
struct Tail {
  std::vector<std::size_t> samples;
  std::vector<double> weight, probability;
};

Tail rare_tail(const score::Samples& ordinary, const score::Samples& excited, std::size_t component, bool from_below,
               double rare) {
  const std::vector<std::size_t> inner = in_order(ordinary, component, from_below),
                                 outer = in_order(excited, component, from_below);
  const double y = ordinary[inner[static_cast<std::size_t>(known_tail * static_cast<double>(inner.size()))]][component];
  const auto beyond = [&](std::size_t sample) {
    return from_below ? excited[sample][component] < y : excited[sample][component] > y;
  };
  const double count = static_cast<double>(std::ranges::count_if(outer, beyond));
  Tail tail;
  std::set<std::uint32_t> visitors;
  for (std::size_t rank = 0; rank < outer.size() && beyond(outer[rank]); ++rank) {
    const double share = (static_cast<double>(rank) + 0.5) / count, p = known_tail * share * share;
    if (p > rare) break;
    tail.samples.push_back(outer[rank]);
    tail.weight.push_back(2 * known_tail * share / count);
    tail.probability.push_back(p);
    visitors.insert(excited.group[outer[rank]]);
  }
  return visitors.size() < fewest_visitors ? Tail{} : tail;
}

/// `values`: at each sample with stronger noise. `mean`: the average.
RareStates::Effect effect_of(const Tail& tail, const score::Samples& excited, std::size_t component,
                             const std::vector<double>& values, double mean) {
  RareStates::Effect effect{.state = component};
  double sum = 0, place = 0;
  for (std::size_t i = 0; i < tail.samples.size(); ++i) {
    const double added = tail.weight[i] * (values[tail.samples[i]] - mean);
    if (!std::isfinite(added)) continue;
    sum += added;
    effect.slope -= std::abs(added) * std::log(tail.probability[i]);
    place += tail.weight[i] * excited[tail.samples[i]][component];
    effect.probability += tail.weight[i];
  }
  effect.size = std::abs(sum);
  if (effect.probability > 0) effect.place = place / effect.probability;
  return effect;
}

/// [observable][sample]
std::vector<std::vector<double>> residuals_at(const score::Samples& samples, const symbolic::Model& model,
                                              const ControlVariate& fit, const Quantities& observables) {
  const statistics::ObservedFunctions functions = residuals(model, fit, observables);
  const std::size_t count = model.observables.size();
  std::vector<double> all(samples.size() * count);
  (*functions.begin()->second.values)(samples.values.data(), samples.size(), all.data());
  std::vector<std::vector<double>> result(count, std::vector<double>(samples.size()));
  for (std::size_t i = 0; i < samples.size(); ++i)
    for (std::size_t m = 0; m < count; ++m) result[m][i] = all[i * count + m];
  return result;
}

/// Keeps the larger of two effects, unless noise explains the new one.
void keep_larger(const RareStates::Effect& effect, double standard_error, RareStates::Effect& kept) {
  if (effect.size > noticeable * standard_error && effect.size > kept.size) kept = effect;
}

}  // namespace

RareStates RareStates::of(const symbolic::Model& model, const simulate::Options& options,
                          const statistics::PilotRun& pilot, std::span<const Average> averages,
                          const ControlVariate* fit, const statistics::ObservedFunctions& functions,
                          const simulate::Control& control) {
  RareStates result;
  result.average_.resize(averages.size());
  result.plain_.resize(averages.size());
  result.residual_slope_.resize(averages.size());
  const std::size_t components = static_cast<std::size_t>(model.own_dimension());
  if (model.time_state || components != model.own_states() || model.diffusion.empty() || averages.empty() ||
      !pilot.done() || !pilot.statistics.stationarity.stationary)
    return result;
  result.memory_ = pilot.statistics.longest_memory();
  const std::optional<ShortRuns> runs = short_runs(model, options, result.memory_, control);
  if (!runs) return result;
  result.judged_ = true;

  const Quantities observables = observables_of(model, functions);
  const std::vector<std::vector<double>> values = values_at(runs->excited, observables, averages.size());
  std::vector<std::vector<double>> left;
  if (fit) left = residuals_at(runs->excited, model, *fit, observables);
  const double rare = rare_visits * memories_of_visit * result.memory_ / (options.length * options.members);
  const std::vector<bool> angles = symbolic::find_angles(model);
  for (std::size_t component = 0; component < components; ++component) {
    if (angles[component]) continue;
    for (const bool from_below : {true, false}) {
      const Tail tail = rare_tail(runs->ordinary, runs->excited, component, from_below, rare);
      if (tail.samples.empty()) continue;
      for (std::size_t m = 0; m < averages.size(); ++m) {
        const Average& average = averages[m];
        const statistics::PlainAverage plain =
            average.plain.value_or(statistics::PlainAverage{average.mean, average.standard_error});
        const Effect on_plain = effect_of(tail, runs->excited, component, values[m], plain.mean);
        const bool controlled = fit && average.plain;
        const Effect on_average =
            controlled ? effect_of(tail, runs->excited, component, left[m], average.mean) : on_plain;
        keep_larger(on_plain, plain.standard_error, result.plain_[m]);
        keep_larger(on_average, average.standard_error, result.average_[m]);
        if (controlled) result.residual_slope_[m] = std::max(result.residual_slope_[m], on_average.slope);
      }
    }
  }
  return result;
}

Diagnostic RareStates::include(const symbolic::Model& model, const simulate::Options& options,
                               std::vector<Average>& averages, std::vector<double>& covariance) const {
  Diagnostic diagnostic{.check = Check::rare_states};
  if (!judged_) {
    diagnostic.verdict = Verdict::unresolved;
    diagnostic.text = "Not judged: this needs scalar states, and short runs that neither blow up nor drift.";
    return diagnostic;
  }
  diagnostic.text = "States that the run has hardly visited change no average by more than noise explains.";
  double worst = dominant;
  for (std::size_t m = 0; m < averages.size(); ++m) {
    Average& average = averages[m];
    const Effect& effect = average_[m];
    if (effect.size == 0) continue;
    const double ratio = effect.size / average.standard_error;
    if (ratio > worst) {
      worst = ratio;
      diagnostic.verdict = Verdict::warning;
      diagnostic.text = fmt::format(
          "States near {} = {:.3g} have a probability of about {:.1g}: the run visits them twice at most, and they may "
          "change {} by {:.2g}. Its standard error includes that.",
          model.states[effect.state].name, effect.place, effect.probability, average.name, effect.size);
      diagnostic.remedy =
          fmt::format("Make simulation.length at least {:g}.",
                      rounded_up(enough_visits * memories_of_visit * memory_ / (effect.probability * options.members)));
    }
    average.standard_error = std::hypot(average.standard_error, effect.size);
    average.effective_samples = std::pow(average.standard_deviation / average.standard_error, 2);
    covariance[m * (averages.size() + 1)] += effect.size * effect.size;
  }
  return diagnostic;
}

}  // namespace gfdt::control_variate
