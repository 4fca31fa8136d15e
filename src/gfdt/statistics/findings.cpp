#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/core/rounded_up.hpp"
#include "gfdt/simulate/time_dependence.hpp"
#include "gfdt/statistics/finding.hpp"

namespace gfdt::statistics {
namespace {

/// A run shorter than this many autocorrelation times of a quantity has not seen its law.
constexpr double shortest_run = 20;
/// One member of so many with this share of the variance of their means: for normal means of 50 members the odds are
/// below 1e-8.
constexpr std::size_t fewest_to_judge_tails = 50;
constexpr double decisive_share = 0.5;

/// What varies by less than this share of its mean does so by rounding.
constexpr double rounding = 1e-13;

bool is_finite(const Average& average) { return std::isfinite(average.mean); }

}  // namespace

Finding stability(const simulate::Summary& run, int members) {
  Finding finding{.check = "stability", .passed = run.status == simulate::Status::done, .fatal = true};
  if (run.status == simulate::Status::cancelled)
    return {.check = "completion",
            .passed = false,
            .verdict = run.explanation,
            .advice = "Begin it again; a tenth of simulation.length takes a tenth of the time.",
            .fatal = true};
  if (!finding.passed) {
    finding.verdict = run.explanation;
    finding.advice =
        "Halve simulation.dt; if it blows up all the same, look at the signs of the highest powers in the drift and at "
        "[model.initial].";
  } else if (run.replaced_members > 0) {
    finding.passed = finding.fatal = false;
    finding.verdict = fmt::format("{} of {} members blew up and were replaced.", run.replaced_members, members);
    finding.advice =
        "Halve simulation.dt; if as many blow up, the law is at best metastable at these parameters, and statistics "
        "describe the members that stayed.";
  } else {
    finding.verdict = "No member blew up.";
  }
  return finding;
}

Finding definedness(const std::vector<Average>& observables) {
  Finding finding{.check = "definedness", .verdict = "All observables are finite.", .fatal = true};
  auto undefined = std::ranges::find_if_not(observables, is_finite);
  if (undefined == observables.end()) return finding;
  finding.passed = false;
  finding.verdict = fmt::format("{} was not a finite number at some time.", undefined->name);
  finding.advice =
      "Its formula is not defined for all states that the model visits: bound what stands in it, as in log(max(x, "
      "1e-6)) "
      "or sqrt(abs(x)).";
  return finding;
}

Finding variation(const std::vector<Average>& observables) {
  Finding finding{.check = "variation", .verdict = "Every observable varies."};
  for (const Average& average : observables) {
    if (!is_finite(average) || average.standard_deviation > rounding * std::abs(average.mean)) continue;
    finding.passed = false;
    finding.verdict = fmt::format("{} was {:g} at all times.", average.name, average.mean);
    finding.advice = average.mean == 0 || average.mean == 1
                         ? "An event that was never, or always, seen needs a longer "
                           "run: ten times simulation.length. The name of an observable in a formula stands "
                           "for its value at the time, not for its average."
                         : "Its formula should depend on the states, as in x^2: 'gfdt check' "
                           "shows how it was understood.";
    return finding;
  }
  return finding;
}

Finding time_dependence(const model::Model& model, const simulate::Options& options) {
  Finding finding{.check = "time dependence"};
  if (!model.period) {
    const double start = static_cast<double>(options.burn_in_steps()) * options.dt;
    finding.passed = false;
    finding.verdict =
        fmt::format("The model depends on time: averages are over the times from {:g} to {:g}, no long-run averages.",
                    start, start + options.length);
    finding.advice =
        "Where what drives the model repeats, give its period in [model] (period = 1.0): averages are over whole "
        "periods then.";
  } else if (simulate::holds_whole_periods(model, options)) {
    finding.verdict =
        fmt::format("Averages are over {:.0f} whole periods of {:g}.", options.length / *model.period, *model.period);
  } else {
    finding.passed = false;
    finding.verdict = fmt::format(
        "Averages over the time {:g} are not over whole periods of {:g}; whether they drift was not judged.",
        options.length, *model.period);
    finding.advice = fmt::format("Make simulation.length a multiple of three periods, {:g}.", 3 * *model.period);
  }
  return finding;
}

Finding stationarity_finding(const Stationarity& result) {
  Finding finding{.check = "stationarity", .passed = result.stationary, .fatal = true};
  if (result.drifts.empty()) return finding;
  const Drift& worst = result.drifts[0];
  if (!result.judged) {
    finding.verdict = "The run is too short to tell whether averages drift.";
  } else if (result.stationary) {
    finding.verdict = "Averages do not drift between the first and the last third of the time.";
  } else {
    finding.verdict = fmt::format("{} moves by {:.3g} ± {:.2g} between the first and the last third of the time ({}).",
                                  worst.name, worst.change, worst.standard_error,
                                  worst.p_value > 1e-30 ? fmt::format("p = {:.1e}", worst.p_value) : "p < 1e-30");
    finding.advice =
        "Use a longer burn_in, double what it is (simulation.burn_in); if the drift goes on, the model has no "
        "stationary law or falls into an absorbing state.";
  }
  return finding;
}

Finding mixing(const std::vector<Average>& averages, double length) {
  Finding finding{.check = "mixing"};
  auto slowest = std::ranges::max_element(averages, {}, &Average::autocorrelation_time);
  if (slowest == averages.end()) {
    finding.passed = false;
    finding.verdict = "The run is too short to tell how slowly the model mixes.";
    finding.advice = "Make it ten times as long (simulation.length).";
    return finding;
  }
  finding.passed = slowest->autocorrelation_resolved && slowest->autocorrelation_time * shortest_run <= length;
  finding.verdict = fmt::format(
      "The slowest quantity, {}, has an autocorrelation time of {:.3g}{}; a member is sampled for {:g}.", slowest->name,
      slowest->autocorrelation_time, slowest->autocorrelation_resolved ? "" : " or more", length);
  if (!finding.passed)
    finding.advice = fmt::format(
        "Make simulation.length at least {:g}, twenty autocorrelation times, or members may disagree about the law.",
        rounded_up(std::max(shortest_run * slowest->autocorrelation_time, 2 * length)));
  return finding;
}

Finding tails(const std::vector<std::string>& names, const std::vector<std::vector<double>>& member_means) {
  Finding finding{.check = "tails", .verdict = "No average hangs on a few members."};
  for (std::size_t q = 0; q < names.size(); ++q) {
    const std::vector<double>& means = member_means[q];
    if (means.size() < fewest_to_judge_tails) {
      finding.verdict = fmt::format("Not judged: it takes {} members to tell.", fewest_to_judge_tails);
      finding.judged = false;
      return finding;
    }
    double center = 0, total = 0, largest = 0;
    for (double mean : means) center += mean / static_cast<double>(means.size());
    for (double mean : means) {
      double square = (mean - center) * (mean - center);
      total += square;
      largest = std::max(largest, square);
    }
    if (!(largest > decisive_share * total)) continue;
    finding.passed = false;
    finding.verdict = fmt::format("One of {} members has {:.0f} % of the spread of {}.", means.size(),
                                  100 * largest / total, names[q]);
    finding.advice =
        "Use four times as many (simulation.members): if one still has that share, the law has tails so heavy that the "
        "mean, or its error, does not exist.";
    return finding;
  }
  return finding;
}

}  // namespace gfdt::statistics
