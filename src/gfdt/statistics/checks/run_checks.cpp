#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/rounded_up.hpp"
#include "gfdt/simulate/time_dependence.hpp"
#include "gfdt/statistics/checks/mixing.hpp"
#include "gfdt/statistics/checks/run_checks.hpp"

namespace gfdt::statistics {
namespace {

/// Smallest number of members for a test whether a single member has `decisive_share` of the variance of their means.
/// For 50 normal means the probability of this is below 1e-8.
constexpr std::size_t fewest_to_judge_tails = 50;
constexpr const char* heavy_tail_advice =
    "Use a bounded observable, such as a probability, or one that grows more slowly with the states.";
constexpr double decisive_share = 0.5;

bool is_finite(const Average& average) { return std::isfinite(average.mean); }

std::string joined(const std::vector<const Average*>& averages) {
  constexpr std::size_t most = 4;
  std::vector<std::string> names;
  for (const Average* average : averages) names.push_back(average->name);
  const std::size_t shown = std::min(names.size(), most);
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     shown < names.size() ? fmt::format(" and {} more", names.size() - shown) : "");
}

}  // namespace

Diagnostic stability(const simulate::Summary& run, int members) {
  Diagnostic diagnostic{.check = Check::stability,
                        .verdict = run.status == simulate::Status::done ? Verdict::passed : Verdict::failed};
  if (run.status == simulate::Status::cancelled)
    return {.check = Check::completion,
            .verdict = Verdict::failed,
            .text = run.explanation,
            .remedy = "Begin it again; a tenth of simulation.length takes a tenth of the time."};
  if (!diagnostic.passed()) {
    diagnostic.text = run.explanation;
    diagnostic.remedy =
        "Halve simulation.dt; if it blows up all the same, look at the signs of the highest powers in the drift and at "
        "[model.initial].";
  } else if (run.replaced_members > 0) {
    diagnostic.verdict = Verdict::warning;
    diagnostic.text = fmt::format("{} of {} members blew up and were replaced.", run.replaced_members, members);
    diagnostic.remedy =
        "Halve simulation.dt; if as many blow up, the model is at best metastable at these parameters, and "
        "statistics describe the members that stayed.";
  } else {
    diagnostic.text = "No member blew up.";
  }
  return diagnostic;
}

Diagnostic definedness(const std::vector<Average>& observables) {
  Diagnostic diagnostic{.check = Check::definedness, .text = "All observables are finite."};
  auto undefined = std::ranges::find_if_not(observables, is_finite);
  if (undefined == observables.end()) return diagnostic;
  diagnostic.verdict = Verdict::failed;
  diagnostic.text = fmt::format("{} was not a finite number at some time.", undefined->name);
  diagnostic.remedy =
      "Its formula is not defined for all states that the model visits: bound what stands in it, as in log(max(x, "
      "1e-6)) "
      "or sqrt(abs(x)).";
  return diagnostic;
}

Diagnostic variation(const std::vector<Average>& observables) {
  Diagnostic diagnostic{.check = Check::variation, .text = "Every observable varies."};
  for (const Average& average : observables) {
    if (!is_finite(average) || average.standard_deviation > rounding_share * std::abs(average.mean)) continue;
    diagnostic.verdict = Verdict::warning;
    diagnostic.text = fmt::format("{} was {:g} at all times.", average.name, average.mean);
    if (average.events)
      diagnostic.remedy = fmt::format(
          "The event was missed, or is impossible: its probability is below about {:.2g}. Make simulation.length at "
          "least ten times as long, or leave the observable out.",
          3 * average.standard_error);
    else if (average.never_varied)
      diagnostic.remedy =
          "The run never reached the states at which it changes: make simulation.length at least ten times as long, or "
          "leave the observable out.";
    else
      diagnostic.remedy =
          "Its formula should depend on states that vary, as in x^2: 'gfdt check' shows how it was understood. The "
          "name of an observable in a formula stands for its value at the time, not for its average.";
    return diagnostic;
  }
  return diagnostic;
}

Diagnostic events(const std::vector<Average>& observables, const simulate::Options& options) {
  Diagnostic diagnostic{.check = Check::events, .text = "Every condition became true and false often enough."};
  const Average* rarest = nullptr;
  for (const Average& average : observables)
    if (average.events && *average.events > 0 && (!rarest || *average.events < *rarest->events)) rarest = &average;
  const auto never = std::ranges::find_if(observables, [](const Average& a) { return a.events && *a.events == 0; });
  if (never != observables.end())
    diagnostic.text = fmt::format("{} never changed; other conditions did often enough.", never->name);
  if (!rarest || *rarest->events >= fewest_events) return diagnostic;
  diagnostic.verdict = Verdict::warning;
  diagnostic.text = fmt::format("{} became {} in about {:.0f} independent event{} only.", rarest->name,
                                rarest->mean < 0.5 ? "true" : "false", std::max(1.0, *rarest->events),
                                *rarest->events < 1.5 ? "" : "s");
  diagnostic.remedy = fmt::format(
      "Its standard errors are rough. Make simulation.length at least {:g}, or use as many times more members.",
      rounded_up(options.length * fewest_events / *rarest->events));
  return diagnostic;
}

Diagnostic time_dependence(const symbolic::Model& model, const simulate::Options& options) {
  Diagnostic diagnostic{.check = Check::time_dependence};
  if (!model.period) {
    const double start = static_cast<double>(options.burn_in_steps()) * options.dt;
    diagnostic.verdict = Verdict::warning;
    diagnostic.text =
        fmt::format("The model depends on time: averages are over the times from {:g} to {:g}, no long-run averages.",
                    start, start + options.length);
    diagnostic.remedy =
        "Where what drives the model repeats, give its period in [model] (period = 1.0): averages are over whole "
        "periods then.";
  } else if (simulate::holds_whole_periods(model, options)) {
    diagnostic.text =
        fmt::format("Averages are over {:.0f} whole periods of {:g}.", options.length / *model.period, *model.period);
  } else {
    diagnostic.verdict = Verdict::warning;
    diagnostic.text = fmt::format(
        "Averages over the time {:g} are not over whole periods of {:g}; whether they drift was not judged.",
        options.length, *model.period);
    diagnostic.remedy = fmt::format("Make simulation.length a multiple of three periods, {:g}.", 3 * *model.period);
  }
  return diagnostic;
}

Diagnostic stationarity_diagnostic(const Stationarity& result) {
  Diagnostic diagnostic{.check = Check::stationarity, .verdict = result.stationary ? Verdict::passed : Verdict::failed};
  if (result.drifts.empty()) return diagnostic;
  const auto moves = [](const Drift& drift) {
    return fmt::format("{} moves by {:.3g} ± {:.2g} between the first and the last third of the time", drift.name,
                       drift.change, drift.standard_error);
  };
  const auto relevant = std::ranges::find_if(
      result.drifts, [&](const Drift& drift) { return result.significant(drift) && drift.relevant; });
  if (!result.judged) {
    diagnostic.text = "The run is too short to tell whether averages drift.";
  } else if (relevant != result.drifts.end()) {
    diagnostic.text =
        fmt::format("{} ({}).", moves(*relevant),
                    relevant->p_value > 1e-30 ? fmt::format("p = {:.1e}", relevant->p_value) : "p < 1e-30");
    diagnostic.remedy =
        "Use a longer burn_in, double what it is (simulation.burn_in); if the drift goes on, the model has no "
        "stationary distribution or falls into an absorbing state.";
  } else if (result.significant(result.drifts[0])) {
    diagnostic.text = fmt::format("{}: too little to matter. Standard errors include it.", moves(result.drifts[0]));
  } else {
    diagnostic.text = "Averages do not drift between the first and the last third of the time.";
  }
  return diagnostic;
}

namespace {

/// Advice if members of this length have not mixed in a quantity.
std::string advice_for_mixing(const Average& slowest, double length) {
  const double enough = rounded_up(std::max(memories_of_mixed * slowest.autocorrelation_time, 2 * length));
  if (slowest.autocorrelation_time < longest_memory_ratio * length)
    return fmt::format("Make simulation.length at least {:g}, twenty autocorrelation times.", enough);
  return fmt::format(
      "Make simulation.length at least {:g}: a lower bound, since hardly any member left the region where it began, "
      "and the run cannot tell how long that takes.",
      enough);
}

}  // namespace

Diagnostic mixing(const std::vector<Average>& observables, const std::vector<Average>& monitored, double length) {
  Diagnostic diagnostic{.check = Check::mixing};
  std::vector<const Average*> known, not_mixed;
  for (const auto* list : {&observables, &monitored})
    for (const Average& average : *list)
      if (std::isfinite(average.autocorrelation_time)) known.push_back(&average);
  for (const Average& average : observables)
    if (average.mixing == Mixing::not_mixed) not_mixed.push_back(&average);
  if (known.empty()) {
    diagnostic.verdict = Verdict::warning;
    diagnostic.text = "The run is too short to tell how slowly the model mixes.";
    diagnostic.remedy = "Make it ten times as long (simulation.length).";
    return diagnostic;
  }
  const Average& slowest = **std::ranges::max_element(known, {}, &Average::autocorrelation_time);
  const std::string time =
      fmt::format("{}{:.3g}", slowest.autocorrelation_resolved ? "" : "at least ", slowest.autocorrelation_time);
  const bool mixed = std::ranges::all_of(known, [](const Average* a) { return a->mixing == Mixing::mixed; });
  diagnostic.verdict = mixed ? Verdict::passed : Verdict::warning;
  if (!not_mixed.empty()) {
    diagnostic.verdict = Verdict::failed;
    diagnostic.local = true;
    diagnostic.text = fmt::format(
        "The members have not mixed in {}: {} has an autocorrelation time of {}, and a member is sampled for {:g}. "
        "These averages reflect where the members began.",
        joined(not_mixed), slowest.name, time, length);
  } else {
    diagnostic.text =
        fmt::format("The slowest quantity, {}, has an autocorrelation time of {}; a member is sampled for {:g}.",
                    slowest.name, time, length);
  }
  if (!diagnostic.passed()) diagnostic.remedy = advice_for_mixing(slowest, length);
  return diagnostic;
}

Diagnostic tails(const std::vector<std::string>& names, const std::vector<std::vector<double>>& member_means) {
  Diagnostic diagnostic{.check = Check::tails, .text = "No average is dominated by a few members."};
  for (std::size_t q = 0; q < names.size(); ++q) {
    const std::vector<double>& means = member_means[q];
    if (means.size() < fewest_to_judge_tails) {
      diagnostic.text = fmt::format("Not judged: it takes {} members to tell.", fewest_to_judge_tails);
      diagnostic.verdict = Verdict::unresolved;
      return diagnostic;
    }
    double center = 0, total = 0, largest = 0;
    for (double mean : means) center += mean / static_cast<double>(means.size());
    for (double mean : means) {
      double square = (mean - center) * (mean - center);
      total += square;
      largest = std::max(largest, square);
    }
    if (!(largest > decisive_share * total)) continue;
    diagnostic.verdict = Verdict::warning;
    diagnostic.text = fmt::format("One of {} members has {:.0f} % of the spread of {}.", means.size(),
                                  100 * largest / total, names[q]);
    diagnostic.remedy =
        "Use four times as many (simulation.members): if one still has that share, the distribution has tails so heavy "
        "that "
        "the mean, or its error, does not exist.";
    return diagnostic;
  }
  return diagnostic;
}

std::optional<Diagnostic> heavy_tails(const std::vector<Average>& observables) {
  const auto find = [&](auto property) { return std::ranges::find_if(observables, property); };
  const auto decay = [](const Average& average) {
    return fmt::format("P(|{}| > y) decays like y^-{:.2g}", average.name, average.tail->exponent());
  };
  Diagnostic diagnostic{.check = Check::tails, .verdict = Verdict::warning};
  diagnostic.remedy = heavy_tail_advice;
  if (const auto none = find(&Average::has_no_mean); none != observables.end()) {
    diagnostic.text = fmt::format("The mean of {} does not exist: {}.", none->name, decay(*none));
    diagnostic.verdict = Verdict::failed;
    diagnostic.local = true;
    return diagnostic;
  }
  if (const auto doubtful = find([](const Average& a) { return a.tail && a.tail->may_have_no_mean(); });
      doubtful != observables.end()) {
    diagnostic.text = fmt::format("The mean of {} may not exist: {}, within the error of that exponent.",
                                  doubtful->name, decay(*doubtful));
    return diagnostic;
  }
  if (const auto rough = find([](const Average& a) { return a.tail && a.tail->has_no_variance() && !a.plain; });
      rough != observables.end()) {
    diagnostic.text =
        fmt::format("The variance of {} does not exist: {}. Its standard error is rough.", rough->name, decay(*rough));
    return diagnostic;
  }
  return {};
}

std::optional<Diagnostic> heavy_tails_of_derivatives(const std::vector<Average>& observables) {
  for (const Average& average : observables)
    if (average.tail && average.tail->has_no_variance())
      return Diagnostic{
          .check = Check::tails,
          .verdict = Verdict::warning,
          .text = fmt::format(
              "The variance of {} does not exist: P(|{}| > y) decays like y^-{:.2g}. Derivatives of it from "
              "samples of {} itself, as by finite differences, may be off by many of their standard errors.",
              average.name, average.name, average.tail->exponent(), average.name),
          .remedy = heavy_tail_advice};
  return {};
}

}  // namespace gfdt::statistics
