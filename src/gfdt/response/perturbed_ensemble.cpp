#include "gfdt/response/perturbed_ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <span>

#include "gfdt/base/error.hpp"
#include "gfdt/jacobian/correlation/snapshots.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::response {
namespace {

using symbolic::Expression;

/// Largest number of values that are stored per run.
constexpr double most_numbers = 2e7;
constexpr double fewest_members = 256, most_members = 1e6;

/// The model with time as one of its states.
symbolic::Model with_time(symbolic::Model model) {
  if (model.time_state) return model;
  model.time_state = model.states.size();
  model.states.push_back({"forcing.time", {}});
  model.drift.emplace_back(1);
  model.initial.push_back({0, 0});
  return model;
}

/// The model with `parameter` replaced by a formula everywhere.
symbolic::Model with_formula(symbolic::Model model, const std::string& parameter, const Expression& formula) {
  const auto replace = [&](Expression& of) { of = symbolic::substitute(of, {{parameter, formula}}); };
  for (Expression& drift : model.drift) replace(drift);
  for (symbolic::DiffusionTerm& term : model.diffusion) replace(term.amplitude);
  for (symbolic::Observable& observable : model.observables) replace(observable.formula);
  return model;
}

/// If only a few members differ at all, as for the indicator of a threshold, their spread says little about how many
/// could have differed. This many additional members, with a difference of half the range of values, are therefore
/// assumed.
constexpr double unseen_members = 4;

jacobian::Estimate half_difference(std::span<const double> plus, std::span<const double> minus, bool forced) {
  const double n = static_cast<double>(plus.size());
  double mean = 0, squares = 0;
  bool some_equal = false;
  for (std::size_t i = 0; i < plus.size(); ++i) {
    mean += (plus[i] - minus[i]) / (2 * n);
    some_equal = some_equal || plus[i] == minus[i];
  }
  for (std::size_t i = 0; i < plus.size(); ++i) squares += std::pow((plus[i] - minus[i]) / 2 - mean, 2);
  if (some_equal && forced) {
    const auto [least, most] = std::ranges::minmax(plus);
    squares += unseen_members * std::pow((most - least) / 2, 2);
  }
  return {mean, std::sqrt(squares / (n * (n - 1)))};
}

}  // namespace

PerturbedEnsemble perturbed_ensemble(const symbolic::Model& model, simulate::Options simulation,
                                     const std::string& parameter, const Forcing& forcing,
                                     const PerturbedOptions& options, const simulate::Control& control) {
  model.parameter(parameter);
  if (forcing.time().size() > PerturbedOptions::most_points)
    throw Error(fmt::format("The forcing has {} points; ensembles are perturbed by {} at most. Thin it out.",
                            forcing.time().size(), PerturbedOptions::most_points));
  simulation.burn_in = model.time_state ? 0.0 : std::min(simulation.burn_in_time(), options.longest_burn_in);
  simulation.burn_in = static_cast<double>(simulation.burn_in_steps()) * simulation.dt;
  simulation.precision = simulate::Precision::double_precision;
  simulation.cadence = options.steps;
  simulation.length = options.until;
  const double numbers = static_cast<double>(simulation.samples() * model.observables.size());
  const double wanted = options.budget / (*simulation.burn_in + options.until);
  simulation.members = static_cast<int>(
      std::clamp(std::min(wanted, most_numbers / std::max(1.0, numbers)), fewest_members, most_members));

  PerturbedEnsemble result;
  result.members = simulation.members;
  const symbolic::Model timed = with_time(model);
  const Expression t = timed.states[*timed.time_state].self() - *simulation.burn_in;
  const Expression change = forcing.formula(t, simulation.dt / 4);
  std::deque<jacobian::SnapshotSink> sides;
  for (const double sign : {1.0, -1.0}) {
    const symbolic::Model changed = with_formula(timed, parameter, Expression::symbol(parameter) + sign * change);
    jacobian::SnapshotSink& sink = sides.emplace_back(changed, simulation);
    simulate::Sink* const sinks[] = {&sink};
    result.run = simulate::run(changed, simulation, sinks, control);
    result.simulated_time += result.run.simulated_time;
    if (result.run.status != simulate::Status::done) return result;
  }
  result.of_observable.resize(model.observables.size());
  for (std::size_t s = 0; s < sides[0].samples(); ++s) {
    result.time.push_back(static_cast<double>(s + 1) * simulation.sample_interval());
    for (std::size_t m = 0; m < model.observables.size(); ++m)
      result.of_observable[m].push_back(half_difference(sides[0].observable(s, m), sides[1].observable(s, m),
                                                        result.time.back() > forcing.time().front()));
  }
  return result;
}

}  // namespace gfdt::response
