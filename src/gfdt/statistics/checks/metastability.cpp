#include "gfdt/statistics/checks/metastability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gfdt/base/rounded_up.hpp"
#include "gfdt/statistics/statistics_sink.hpp"
#include "gfdt/symbolic/model/angles.hpp"

namespace gfdt::statistics {
namespace {

using symbolic::Expression;

constexpr int ordinary_members = 128, excited_members = 256;
constexpr std::size_t fewest_apart = 8;
/// Amplitude of the noise during the excitation, relative to that of the model.
constexpr double amplification = 3;
/// Distance outside the range of the ordinary members, relative to that range.
constexpr double margin = 0.5;
/// Smaller relative changes of an average are attributed to rounding.
constexpr double rounding = 1e-6;
/// A member has settled if the two halves of its average differ by less than this share of its distance. For a member
/// that returns at the rate of the slowest component, the difference is 1.1 times its distance.
constexpr double settled_share = 0.5;
/// Minimum duration of the excitation and of the relaxation, in longest autocorrelation times; the averages take half
/// as long.
constexpr double memories_to_relax = 5, averaged_share = 0.5;
/// State variables times steps of the excited members, relative to those of the run.
constexpr double work_share = 0.03;
constexpr std::uint64_t seed_of_excited_members = 0x9e3779b97f4a7c15;

/// The model with observables for the mean over all sites of each state and of its square, or of its cosine and sine.
symbolic::Model with_moments(symbolic::Model model) {
  model.observables.clear();
  for (std::size_t i = 0; i < model.states.size(); ++i)
    for (const symbolic::StateFunction& function : symbolic::settling_functions(model, i))
      model.observables.push_back(
          {function.name, symbolic::sum_over_sites(model.states[i], function.formula) / model.states[i].sites()});
  return model;
}

/// The model with stronger noise until `time`. The noise changes smoothly, since the weak2 scheme uses derivatives.
symbolic::Model excited(symbolic::Model model, double time) {
  model.time_state = model.states.size();
  model.states.push_back({"excitation.time", {}});
  model.drift.emplace_back(1);
  model.initial.push_back({0, 0});
  const Expression elapsed = model.states.back().self() * (1.3 / time);  // the share at `time` is below 3e-4
  const Expression share = symbolic::call(symbolic::Function::exp, {-symbolic::power(elapsed, 8.0)});
  for (symbolic::DiffusionTerm& term : model.diffusion)
    term.amplitude = term.amplitude * (1.0 + (amplification - 1) * share);
  return model;
}

/// A member's time average of one quantity.
struct MemberAverage {
  double early = 0, late = 0;  ///< over the first and the second half of the time

  double mean() const { return (early + late) / 2; }
};
using MemberAverages = std::vector<std::vector<MemberAverage>>;  ///< [quantity][member]

/// Empty if the run did not complete.
MemberAverages member_averages(const symbolic::Model& model, const simulate::Options& options,
                               const simulate::Control& control) {
  StatisticsSink sink(model, options);
  simulate::Sink* sinks[] = {&sink};
  if (simulate::run(model, options, sinks, control).status != simulate::Status::done) return {};
  constexpr std::size_t half = parts_per_member / 2;
  MemberAverages result;
  for (const std::vector<double>& parts : sink.part_means()) {
    std::vector<MemberAverage>& members = result.emplace_back();
    for (auto first = parts.begin(); first != parts.end(); first += parts_per_member)
      members.push_back({std::reduce(first, first + half) / half,
                         std::reduce(first + half, first + parts_per_member) / (parts_per_member - half)});
  }
  return result;
}

/// Averages of the excited members that have settled far outside the range of the ordinary ones. The smallest and the
/// largest ordinary value are excluded, since an ordinary member may have visited the metastable state.
std::vector<double> settled_apart(std::span<const MemberAverage> ordinary, std::span<const MemberAverage> excited) {
  std::vector<double> means;
  for (const MemberAverage& member : ordinary) means.push_back(member.mean());
  std::ranges::sort(means);
  const double least = means[1], most = means[means.size() - 2];
  const double beyond = margin * (most - least) + rounding * std::max(std::abs(least), std::abs(most));
  std::vector<double> result;
  for (const MemberAverage& member : excited) {
    const double distance = std::max(least - member.mean(), member.mean() - most);
    if (distance > beyond && std::abs(member.late - member.early) < settled_share * distance)
      result.push_back(member.mean());
  }
  return result;
}

}  // namespace

Diagnostic metastability(const symbolic::Model& model, const simulate::Options& options, const PilotRun& pilot,
                         const simulate::Control& control) {
  constexpr Check check = Check::metastability;
  const Diagnostic not_judged{
      .check = check, .verdict = Verdict::unresolved, .text = "Not judged: members of short runs blow up or drift."};
  if (model.time_state || !pilot.done() || !pilot.statistics.stationarity.stationary) return not_judged;
  const double memory = pilot.statistics.longest_memory();
  const double work =
      std::max(pilot_work, work_share * options.members * options.length / options.dt * model.dimension());
  const double affordable = work / excited_members / model.dimension() * options.dt / (2 + averaged_share);
  const double relaxation =
      std::max(memories_to_relax * memory, std::min(options.length / memories_of_mixed, affordable));
  simulate::Options short_run = options;
  short_run.precision = simulate::Precision::double_precision;
  short_run.backend = codegen::Backend::interpreter;  // avoids the cost of compilation
  short_run.length = std::max(averaged_share * relaxation, parts_per_member * options.sample_interval());
  short_run.burn_in = std::min(options.burn_in_time(), 2 * memories_to_relax * memory + relaxation);
  short_run.members = ordinary_members;
  const simulate::Control quiet{{}, control.cancellation};
  const symbolic::Model observed = with_moments(model);
  const MemberAverages ordinary = member_averages(observed, short_run, quiet);
  short_run.burn_in = 2 * relaxation;
  short_run.members = excited_members;
  short_run.seed ^= seed_of_excited_members;
  const MemberAverages others = member_averages(excited(observed, relaxation), short_run, quiet);
  if (ordinary.empty() || others.empty()) return not_judged;
  Diagnostic diagnostic{.check = check, .text = "Members displaced by stronger noise return."};
  std::size_t most = fewest_apart - 1;
  for (std::size_t q = 0; q < ordinary.size(); ++q) {
    const std::vector<double> apart = settled_apart(ordinary[q], others[q]);
    if (apart.size() <= most) continue;
    most = apart.size();
    diagnostic.verdict = Verdict::warning;
    diagnostic.text = fmt::format(
        "There is a metastable state near {} = {:.3g}: stronger noise drove {} of {} members there, and they stayed "
        "for "
        "at least {:.3g}. Standard errors do not include what the run has missed of it.",
        observed.observables[q].name, std::reduce(apart.begin(), apart.end()) / static_cast<double>(apart.size()),
        apart.size(), excited_members, relaxation);
    diagnostic.remedy = fmt::format(
        "Make simulation.length at least {:g}, or start some members there ([model.initial]) to see how long they "
        "stay.",
        rounded_up(memories_of_mixed * 2 * relaxation));
  }
  return diagnostic;
}

}  // namespace gfdt::statistics
