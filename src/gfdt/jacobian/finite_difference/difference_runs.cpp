#include "gfdt/jacobian/finite_difference/difference_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/control_variate/controlled_statistics.hpp"
#include "gfdt/control_variate/observable_tails.hpp"
#include "gfdt/score/selection/sample_collector.hpp"
#include "gfdt/simulate/coarser_step.hpp"
#include "gfdt/statistics/statistics_sink.hpp"

namespace gfdt::jacobian {
namespace {

/// Share of members that may blow up in a perturbed run in addition to those expected from the unperturbed run.
constexpr double tolerated_share = 0.01;
constexpr double tolerated_at_least = 2;
constexpr const char* stage = "finite differences";

symbolic::Model with_value(symbolic::Model model, const std::string& parameter, double value) {
  for (symbolic::Parameter& known : model.parameters)
    if (known.name == parameter) known.value = std::clamp(value, known.lower, known.upper);
  return model;
}

/// One run of a difference quotient: at θ + offset·h, with its weight over h.
struct Node {
  double offset;
  double weight;
};

std::vector<Node> nodes(DifferenceRuns::Side side) {
  if (side == DifferenceRuns::Side::both) return {{-1, -0.5}, {1, 0.5}};
  const double sign = side == DifferenceRuns::Side::above ? 1 : -1;
  return {{0, -1.5 * sign}, {sign, 2 * sign}, {2 * sign, -0.5 * sign}};
}

}  // namespace

double mean(std::span<const double> units) {
  double sum = 0;
  for (const double unit : units) sum += unit - units[0];
  return units[0] + sum / static_cast<double>(units.size());
}

double standard_error(std::span<const double> units) {
  if (units.size() < 2) return std::nan("");
  const double center = mean(units), count = static_cast<double>(units.size());
  double squares = 0;
  for (const double unit : units) squares += (unit - center) * (unit - center);
  return std::sqrt(squares / (count * (count - 1)));
}

DifferenceRuns::DifferenceRuns(const symbolic::Model& model, const simulate::Options& options,
                               const simulate::Control& control)
    : model_(model), options_(options), control_(control) {
  options_.burn_in = options.burn_in_time();  // burn-in of the full length in shorter runs too
}

statistics::EnsembleStatistics DifferenceRuns::unperturbed() {
  constexpr std::size_t samples_for_tails = 100'000;
  score::SampleCollector collector(model_, options_, samples_for_tails);
  simulate::Sink* sinks[] = {&collector};
  statistics::EnsembleStatistics result =
      statistics::simulate_statistics(model_, options_, control_of_run(options_.length), sinks);
  finished(result.run);
  if (result.usable() && !result.observables.empty())
    control_variate::judge_tails(collector.samples(), control_variate::observables_of(model_, {}),
                                 control_variate::ranges_of(model_, {}), result.observables);
  replaced_unperturbed_ = result.run.replaced_members;
  return result;
}

DifferenceRuns::Result DifferenceRuns::difference(const std::string& parameter, double step, double length, Side side,
                                                  int time_step_ratio) {
  const double value = model_.parameter(parameter).value;
  simulate::Options options = simulate::with_coarser_step(options_, time_step_ratio);
  options.length = length;
  const bool by_members = static_cast<std::size_t>(options.members) >= statistics::fewest_members ||
                          options.samples() < static_cast<std::uint64_t>(statistics::parts_per_member);
  Result result;
  result.quotients.step = step;
  std::vector<std::vector<double>>& units = result.quotients.units;
  for (const Node& node : nodes(side)) {
    const symbolic::Model model = with_value(model_, parameter, value + node.offset * step);
    statistics::StatisticsSink sink(model, options);
    simulate::Sink* sinks[] = {&sink};
    const simulate::Summary run = simulate::run(model, options, sinks, control_of_run(length));
    finished(run);
    if (run.status != simulate::Status::done) return {run.status, run.explanation, {}};
    if (run.replaced_members > most_replaced(length))
      return {simulate::Status::unstable,
              fmt::format("{} of {} members blew up at {} = {:g}.", run.replaced_members, options.members, parameter,
                          model.parameter(parameter).value),
              {}};
    const std::vector<std::vector<double>> averages = by_members ? sink.member_means() : sink.part_means();
    units.resize(averages.size());
    for (std::size_t m = 0; m < averages.size(); ++m) {
      units[m].resize(averages[m].size());
      for (std::size_t unit = 0; unit < averages[m].size(); ++unit)
        units[m][unit] += node.weight * averages[m][unit] / step;
    }
  }
  return result;
}

void DifferenceRuns::next_part(double end, double runs) {
  part_begin_ = part_end_;
  part_end_ = end;
  part_time_ = runs * time_of_run(options_.length);
  part_done_ = 0;
}

void DifferenceRuns::fill_bar() {
  if (control_.progress) control_.progress({stage, 1});
}

simulate::Control DifferenceRuns::control_of_run(double length) {
  simulate::Control control{{}, control_.cancellation};
  if (control_.progress)
    control.progress = [this, time = time_of_run(length)](const Progress& run) {
      const double share = std::min(1.0, (part_done_ + run.fraction * time) / part_time_);
      shown_ = std::max(shown_, part_begin_ + share * (part_end_ - part_begin_));
      control_.progress({stage, shown_});
    };
  return control;
}

void DifferenceRuns::finished(const simulate::Summary& run) {
  part_done_ += run.simulated_time;
  simulated_time_ += run.simulated_time;
}

double DifferenceRuns::most_replaced(double length) const {
  const double expected = replaced_unperturbed_ * time_of_run(length) / time_of_run(options_.length);
  return 2 * expected + std::max(tolerated_at_least, tolerated_share * options_.members);
}

}  // namespace gfdt::jacobian
