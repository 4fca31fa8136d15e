#include "gfdt/statistics/checks/mixing.hpp"

#include <algorithm>
#include <cmath>

#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::statistics {
namespace {

using symbolic::Expression;
using symbolic::Function;
using symbolic::Kind;

/// Beyond this share of the variance between members, their autocorrelation time gives no information on the mixing
/// time.
constexpr double saturated_share = 0.9;

/// Events that are added to the observed ones in the variance of rare conditions: half the square of the half width of
/// a 95 % interval (A. Agresti and B. A. Coull, The American Statistician 52, 1998).
constexpr double missed_events = 2;

bool varies(const Average& average) {
  return std::isfinite(average.mean) && average.standard_deviation > rounding_share * std::abs(average.mean);
}

/// τ/T; a τ inferred from the members' means may be shorter than the sampling interval can resolve.
double memory_of(const Average& average, double length) {
  if (!average.autocorrelation_resolved && std::isfinite(average.between_share))
    return memory_ratio(average.between_share);
  return average.autocorrelation_time / length;
}

Mixing mixing_of(const Average& average, double length, double burn_in) {
  const double memory = memory_of(average, length);
  if (!varies(average) || !std::isfinite(memory) || memories_of_mixed * memory <= 1) return Mixing::mixed;
  if (memories_of_slow * memory <= 1) return Mixing::slow;
  return burn_in >= memories_of_slow * memory * length && average.between_share < saturated_share ? Mixing::slow
                                                                                                  : Mixing::not_mixed;
}

void set_error(Average& average, double error) {
  average.standard_error = error;
  average.effective_samples = std::pow(average.standard_deviation / error, 2);
}

void widen(Average& average, double length, double burn_in, bool own_start) {
  const double tau = average.autocorrelation_time;
  if (average.mixing == Mixing::slow && own_start)
    set_error(average,
              std::hypot(average.standard_error, average.standard_deviation * tau / length * std::exp(-burn_in / tau)));
  if (average.mixing == Mixing::not_mixed) {
    const double share = std::isfinite(average.between_share) ? average.between_share : 1;
    set_error(average, std::max(average.standard_error, average.standard_deviation * std::sqrt(share)));
  }
}

bool depends_on_state(const symbolic::Model& model, const Expression& formula) {
  for (std::size_t i = 0; i < model.own_states(); ++i)
    if (i != model.time_state && symbolic::depends_on(formula, model.states[i].name)) return true;
  return false;
}

}  // namespace

bool is_condition(const Expression& formula) {
  if (formula.kind() == Kind::multiply) return std::ranges::all_of(formula.operands(), is_condition);
  if (formula.kind() != Kind::call) return false;
  switch (formula.function()) {
    case Function::less:
    case Function::less_equal:
    case Function::equal:
    case Function::logical_and:
    case Function::logical_or:
    case Function::logical_not:
      return true;
    default:
      return false;
  }
}

double longest_time(std::span<const Average> averages) {
  double longest = 0;
  for (const Average& average : averages)
    if (std::isfinite(average.autocorrelation_time)) longest = std::max(longest, average.autocorrelation_time);
  return longest;
}

void judge_mixing(std::vector<Average>& observables, std::vector<Average>& monitored, const simulate::Source& source) {
  // The length of a member of the source: the segments of a member are consecutive.
  const simulate::Options& options = source.options();
  const double length = options.length * static_cast<double>(source.segments_per_member());
  const double burn_in = options.burn_in_time();
  bool any_not_mixed = false;
  for (auto* const list : {&observables, &monitored})
    for (Average& average : *list) {
      average.mixing = mixing_of(average, length, burn_in);
      any_not_mixed |= average.mixing == Mixing::not_mixed;
    }
  for (Average& average : observables) {
    if (any_not_mixed && average.members_disagree && varies(average)) average.mixing = Mixing::not_mixed;
    widen(average, length, burn_in, source.of_model());
  }
}

void judge_events(const symbolic::Model& model, std::vector<Average>& observables,
                  const std::vector<Average>& monitored, const simulate::Options& options) {
  const double time = options.length * options.members;
  const bool any_state_varies = std::ranges::any_of(monitored, varies);
  for (std::size_t m = 0; m < observables.size(); ++m) {
    Average& average = observables[m];
    const Expression& formula = model.observables[m].formula;
    if (!std::isfinite(average.mean)) continue;
    const bool condition = is_condition(formula);
    if (!varies(average)) {
      average.never_varied = any_state_varies && depends_on_state(model, formula);
      if (!average.never_varied) continue;
      if (condition) average.events = 0;
      const double tau = std::max(longest_time(monitored), options.sample_interval());
      average.standard_error = condition ? std::min(1.0, 2 * tau / time) : std::nan("");
      continue;
    }
    if (!condition || !average.usable() || !(average.standard_error > 0)) continue;
    const double rarer = std::min(average.mean, 1 - average.mean);
    const double events = 2 * std::pow(rarer / average.standard_error, 2);
    average.events = events;
    average.degrees_of_freedom = std::min(average.degrees_of_freedom, std::max(1.0, 2 * events));
    set_error(average, average.standard_error * std::sqrt(1 + missed_events / events));
  }
}

}  // namespace gfdt::statistics
