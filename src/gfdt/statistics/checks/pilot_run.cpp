#include "gfdt/statistics/checks/pilot_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/rounded_up.hpp"
#include "gfdt/base/with_error.hpp"
#include "gfdt/simulate/time_dependence.hpp"
#include "gfdt/statistics/checks/mixing.hpp"

namespace gfdt::statistics {
namespace {

constexpr std::uint64_t seed_of_pilot = 0xd1342543de82ef95;
constexpr double shortest_pilot = 4 * parts_per_member;  ///< in samples
constexpr double memories_of_burn_in = 10;
constexpr double smallest_share = 0.1, largest_share = 2;  ///< relative to the length
constexpr double growth = 4;
/// Difference, in standard errors of both pilot runs, that noise may cause for one of a dozen averages.
constexpr double visible = 4.2;

/// The longest transient of all averages, as a time.
double transient_of(const PilotRun& pilot) {
  double longest = 0;
  for (const Drift& drift : pilot.statistics.stationarity.drifts) longest = std::max(longest, drift.transient);
  return longest * pilot.options.length;
}

double memory_of(const PilotRun& pilot) { return pilot.statistics.longest_memory(); }

bool resolved(const PilotRun& pilot) {
  return pilot.options.length >= memories_of_mixed * memory_of(pilot) && pilot.statistics.stationarity.stationary;
}

}  // namespace

PilotRun pilot_run(const symbolic::Model& model, simulate::Options options, double work,
                   const simulate::Control& control) {
  const double steps = work / pilot_members / model.dimension();
  const double least = shortest_pilot * options.sample_interval();
  options.members = pilot_members;
  options.seed ^= seed_of_pilot;
  options.length = std::min(options.length, std::max(steps * options.dt, least));
  if (const double whole = simulate::length_in_whole_periods(model, options.length); whole > 0) options.length = whole;
  options.burn_in = std::min(options.burn_in_time(), options.length / 2);
  PilotRun pilot{options, {}};
  pilot.statistics = simulate_statistics(model, options, control);
  return pilot;
}

bool BurnIn::lengthen() {
  if (given || !(time < longest)) return false;
  time = std::min(longest, growth * time);
  ++lengthened;
  return true;
}

Diagnostic BurnIn::diagnostic() const {
  Diagnostic diagnostic{.check = Check::burn_in};
  if (given)
    diagnostic.text = fmt::format("{:g}, as simulation.burn_in gives it.", time);
  else if (memory == 0)
    diagnostic.text = fmt::format("{:g}{}.", time, lengthened == 0 ? ", a tenth of simulation.length" : "");
  else if (!told)
    diagnostic.text = fmt::format(
        "{:g}, a tenth of simulation.length: members of a pilot run stayed where they began, and it does not tell how "
        "long a burn-in would have to be.",
        time);
  else if (transient > 0)
    diagnostic.text =
        fmt::format("{:g}: in a pilot run averages moved for {:.3g}, and the longest autocorrelation time was {:.3g}.",
                    time, transient, memory);
  else
    diagnostic.text = fmt::format("{:g}: the longest autocorrelation time of a pilot run was {}{:.3g}.", time,
                                  resolved ? "" : "at least ", memory);
  if (lengthened > 0)
    diagnostic.text += fmt::format(" It was lengthened {}, since averages still moved.",
                                   lengthened == 1 ? "once" : fmt::format("{} times", lengthened));
  if (!given && told && !resolved && time >= longest) {
    diagnostic.verdict = Verdict::warning;
    diagnostic.remedy = fmt::format("Set simulation.burn_in to at least {:g}, or make simulation.length longer.",
                                    rounded_up(memories_of_burn_in * memory));
  }
  return diagnostic;
}

BurnIn choose_burn_in(const symbolic::Model& model, const simulate::Options& options,
                      const simulate::Control& control) {
  BurnIn result{.time = options.burn_in_time(), .given = options.burn_in.has_value(), .longest = options.length};
  if (result.given || model.time_state || !options.problem().empty()) return result;
  const double steps = options.members * options.length / options.dt * model.dimension();
  const double work = std::clamp(pilot_work_share * steps, pilot_work, most_pilot_work);
  const auto run_after = [&](double burn_in) {
    simulate::Options started = options;
    started.burn_in = burn_in;
    return pilot_run(model, started, work, {{}, control.cancellation});
  };
  result.pilot = run_after(0);
  if (!result.pilot->done()) return result;
  result.longest = largest_share * options.length;
  result.transient = transient_of(*result.pilot);
  if (result.transient > 0) {
    // Transients increase the variance of averages: the autocorrelation time is estimated from the run after them.
    PilotRun after = run_after(result.transient);
    if (!after.done()) return result;
    result.pilot = std::move(after);
  }
  result.memory = memory_of(*result.pilot);
  result.resolved = resolved(*result.pilot);
  // Members that stay near their initial states give no information on the required burn-in.
  result.told = result.memory < result.pilot->options.length;
  const double enough = result.told ? rounded_up(result.transient + memories_of_burn_in * result.memory) : 0;
  result.time = std::clamp(enough, smallest_share * options.length, largest_share * options.length);
  return result;
}

Diagnostic time_step(const symbolic::Model& model, const PilotRun& pilot, const simulate::Control& control) {
  simulate::Options finer = pilot.options;
  finer.dt /= 2;
  finer.cadence *= 2;
  finer.seed += 1;
  const EnsembleStatistics half = simulate_statistics(model, finer, control);
  Diagnostic diagnostic{.check = Check::time_step,
                        .text = "Halving dt moves no average by more than the noise of pilot runs."};
  if (half.run.status != simulate::Status::done || half.observables.empty() || !pilot.done())
    return {.check = Check::time_step,
            .verdict = Verdict::unresolved,
            .text = "Not judged: there are no averages to compare."};
  double worst = visible;
  for (std::size_t i = 0; i < half.observables.size(); ++i) {
    const Average &coarse = pilot.statistics.observables[i], &fine = half.observables[i];
    const double difference = std::abs(coarse.mean - fine.mean);
    const double error = std::hypot(coarse.standard_error, fine.standard_error);
    if (!(difference > worst * error)) continue;
    worst = difference / error;
    diagnostic.verdict = Verdict::warning;
    diagnostic.text =
        fmt::format("Halving dt moves {} from {} to {}.", coarse.name, with_error(coarse.mean, coarse.standard_error),
                    with_error(fine.mean, fine.standard_error));
    diagnostic.remedy =
        fmt::format("Use a smaller simulation.dt than {:g}{}.", pilot.options.dt,
                    pilot.options.scheme == simulate::Scheme::weak2 ? "" : ", or simulation.scheme = \"weak2\"");
  }
  return diagnostic;
}

}  // namespace gfdt::statistics
