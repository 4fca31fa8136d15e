#include "gfdt/jacobian/finite_difference/step_choice.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <deque>

namespace gfdt::jacobian {
namespace {

constexpr double weight_of_bias = 4;
constexpr double indifference = 1.05;
constexpr double visible = 9;  ///< squared, in standard errors
constexpr double likely = 4;   ///< squared, in standard errors
/// The response saturates if quotients grow by this share when the step is halved: the bias then falls more slowly than
/// h².
constexpr double saturating_share = 0.3;
/// The noise falls with the step if doubling the step reduces the variance by at least this share.
constexpr double worthwhile = 0.1;
/// If averages move by this many standard deviations, the stationary distribution has changed completely.
constexpr double largest_change = 1;
constexpr double richardson = 4.0 / 3;

constexpr std::size_t telling_steps = 2;

constexpr std::size_t first_rungs = 3;
constexpr std::size_t most_rungs = 12;
constexpr int most_halvings = 10;

/// A quantity of every observable, squared and summed.
struct Pooled {
  double value = 0;
  double error = 0;
  double visible = 0;  ///< value − error, summed over the observables for which it is visible
};

Pooled pooled(const std::vector<std::vector<double>>& units, const std::vector<double>& scale) {
  Pooled sum;
  for (std::size_t m = 0; m < units.size(); ++m) {
    const double value = mean(units[m]) / scale[m], error = standard_error(units[m]) / scale[m];
    if (!std::isfinite(value) || !std::isfinite(error)) continue;
    sum.value += value * value;
    sum.error += error * error;
    if (value * value > visible * error * error) sum.visible += value * value - error * error;
  }
  return sum;
}

std::vector<double> difference(std::vector<double> a, const std::vector<double>& b) {
  for (std::size_t unit = 0; unit < a.size(); ++unit) a[unit] -= b[unit];
  return a;
}

/// Differences for every observable.
std::vector<std::vector<double>> difference(const Quotients& a, const Quotients& b) {
  std::vector<std::vector<double>> result;
  for (std::size_t m = 0; m < a.units.size(); ++m) result.push_back(difference(a.units[m], b.units[m]));
  return result;
}

/// The variance at full length of one event that the pilot missed, summed over observables.
double missed_event(double step, const StepScales& scales) {
  double sum = 0;
  for (std::size_t m = 0; m < scales.missed_event.size(); ++m)
    if (const double error = scales.missed_event[m] / (step * scales.deviation[m]); std::isfinite(error))
      sum += error * error / scales.share;
  return sum;
}

/// The bias of a logistic response whose average moves by as much as with this step.
double logistic_bias(std::span<const double> units, double step, double deviation) {
  const double slope = std::abs(mean(units)), moved = step * slope / deviation;
  return std::isfinite(moved) ? 0.5 * slope * moved * moved : 0;
}

/// Squared and summed over observables.
double logistic_bias(const Quotients& quotients, const std::vector<double>& scale) {
  double sum = 0;
  for (std::size_t m = 0; m < scale.size(); ++m)
    if (const double bias = logistic_bias(quotients.units[m], quotients.step, scale[m]) / scale[m]; std::isfinite(bias))
      sum += bias * bias;
  return sum;
}

/// Whether quotients grow when the step is halved, as for a bounded response. `evidence`: squared, in standard errors.
bool saturates(const std::vector<double>& units, const std::vector<double>& at_half_the_step, double evidence) {
  const double half = std::abs(mean(at_half_the_step)), growth = half - std::abs(mean(units));
  const double error = standard_error(difference(at_half_the_step, units));
  return growth > saturating_share * half && growth * growth > evidence * error * error;
}

/// Whether this holds for any observable that is not ignored.
bool saturates(const Quotients& quotients, const Quotients& at_half_the_step, const std::vector<double>& scale) {
  for (std::size_t m = 0; m < scale.size(); ++m)
    if (scale[m] > 0 && saturates(quotients.units[m], at_half_the_step.units[m], visible)) return true;
  return false;
}

/// The bias of an observable if the difference to the quotients at half the step is significant, else 0.
double visible_bias(const Quotients& quotients, const Quotients& at_half_the_step, std::size_t m) {
  const std::vector<double> change = difference(quotients.units[m], at_half_the_step.units[m]);
  const double value = mean(change), error = standard_error(change);
  return value * value > visible * error * error ? richardson * std::sqrt(value * value - error * error) : 0;
}

/// Bounds of the bias at the chosen step from the steps above it: the higher of the bounds of the next two steps, which
/// are (h/h′)² times their own bias, or their own bias if quotients saturate. A single bound may be low by chance if
/// the bias changes sign. The largest step has only its own bound.
std::vector<double> bias_at(std::size_t chosen, const std::vector<Quotients>& ladder,
                            const std::vector<double>& scale) {
  std::vector<double> result(ladder[0].units.size(), 0);
  const std::size_t first = chosen < telling_steps ? 0 : chosen - telling_steps;
  const std::size_t end = std::min(std::max<std::size_t>(chosen, 1), ladder.size() - 1);
  for (std::size_t i = first; i < end; ++i) {
    const std::vector<std::vector<double>> change = difference(ladder[i], ladder[i + 1]);
    const double nearer = std::pow(ladder[chosen].step / ladder[i].step, 2);
    for (std::size_t m = 0; m < result.size(); ++m) {
      const double left = saturates(ladder[i].units[m], ladder[i + 1].units[m], likely) ? 1 : nearer;
      if (const double bound = richardson * left * std::hypot(mean(change[m]), standard_error(change[m]));
          bound > result[m])
        result[m] = bound;
    }
  }
  for (std::size_t m = 0; m < result.size(); ++m)
    result[m] = std::max(result[m], logistic_bias(ladder[chosen].units[m], ladder[chosen].step, scale[m]));
  std::vector<double> measured(result.size(), 0);
  for (std::size_t i = chosen; i + 1 < ladder.size() && i < chosen + telling_steps; ++i) {
    const std::vector<double> here = measured_bias(ladder[i], ladder[i + 1]);
    for (std::size_t m = 0; m < result.size(); ++m) measured[m] = std::max(measured[m], here[m]);
  }
  for (std::size_t m = 0; m < result.size() && chosen + 1 < ladder.size(); ++m) {
    if (measured[m] < result[m]) result[m] = measured[m];
    result[m] = std::max(result[m], visible_bias(ladder[chosen], ladder[chosen + 1], m));
  }
  return result;
}

}  // namespace

std::vector<double> measured_bias(const Quotients& quotients, const Quotients& at_half_the_step) {
  std::vector<double> result;
  for (const std::vector<double>& change : difference(quotients, at_half_the_step))
    result.push_back(richardson * std::hypot(mean(change), standard_error(change)));
  return result;
}

double StepChoice::Rung::cost() const { return variance + weight_of_bias * bias; }

StepChoice choose_step(const std::vector<Quotients>& ladder, const StepScales& scales) {
  assert(ladder.size() >= 2);
  const std::vector<double>& scale = scales.deviation;
  StepChoice result;
  double bound = 0;
  bool top_visible = false, saturated = false;
  // Bias from the change to the next smaller step, error included.
  std::vector<double> measured;
  for (std::size_t i = 0; i + 1 < ladder.size(); ++i) {
    const Pooled change = pooled(difference(ladder[i], ladder[i + 1]), scale);
    measured.push_back(richardson * richardson * (change.value + change.error));
  }
  for (std::size_t i = 0; i < ladder.size(); ++i) {
    StepChoice::Rung& rung = result.rungs.emplace_back();
    rung.variance = scales.share * pooled(ladder[i].units, scale).error + missed_event(ladder[i].step, scales);
    if (i > 0 && !saturated) bound /= 16;
    rung.bias = bound;  // for the smallest step: the search continues to a smaller one if this is the best
    if (i + 1 == ladder.size()) continue;
    const Pooled change = pooled(difference(ladder[i], ladder[i + 1]), scale);
    bound = i == 0 ? measured[i] : std::min(bound, measured[i]);
    const double here = i + 1 < measured.size() ? std::max(measured[i], measured[i + 1]) : measured[i];
    const double extrapolated = std::min(here, std::max(bound, logistic_bias(ladder[i], scale)));
    double seen = change.visible;
    if (change.value > visible * change.error) seen = std::max(seen, change.value - change.error);
    seen *= richardson * richardson;
    saturated = saturates(ladder[i], ladder[i + 1], scale);
    if (i == 0) top_visible = seen > 0;
    rung.bias = std::max(seen, i == 0 ? here : extrapolated);
  }
  const auto best = std::ranges::min_element(result.rungs, {}, &StepChoice::Rung::cost);
  const auto chosen =
      std::ranges::find_if(result.rungs, [&](const auto& rung) { return rung.cost() <= indifference * best->cost(); });
  result.chosen = static_cast<std::size_t>(chosen - result.rungs.begin());
  result.bias = bias_at(result.chosen, ladder, scale);

  const double change = ladder[0].step * std::sqrt(pooled(ladder[0].units, scale).value);
  if (!top_visible && change < largest_change && result.rungs[0].variance < (1 - worthwhile) * result.rungs[1].variance)
    result.request = StepChoice::Request::larger;
  else if (saturated || result.chosen + 1 == ladder.size())
    result.request = StepChoice::Request::smaller;
  return result;
}

StepSearch search_step(const Pilot& pilot, double start, double largest, const StepScales& scales) {
  using enum StepChoice::Request;
  std::deque<Quotients> ladder;
  double step = std::min(start, largest);
  for (int halvings = 0; ladder.size() < first_rungs; step /= 2) {
    DifferenceRuns::Result runs = pilot(step);
    if (runs.status == simulate::Status::done) {
      ladder.push_back(std::move(runs.quotients));
      continue;
    }
    ladder.clear();
    largest = step / 2;
    if (runs.status == simulate::Status::cancelled || ++halvings > most_halvings)
      return {runs.status, runs.explanation};
  }
  while (true) {
    const StepChoice choice = choose_step({ladder.begin(), ladder.end()}, scales);
    const StepSearch found{.step = ladder[choice.chosen].step, .bias = choice.bias};
    StepChoice::Request request = choice.request;
    if (request == larger && 2 * ladder.front().step > largest)
      request = choice.chosen + 1 == ladder.size() ? smaller : none;
    if (request == none || ladder.size() == most_rungs) return found;
    DifferenceRuns::Result runs = pilot(request == larger ? 2 * ladder.front().step : ladder.back().step / 2);
    if (runs.status == simulate::Status::cancelled) return {runs.status, runs.explanation};
    if (runs.status == simulate::Status::done)
      ladder.insert(request == larger ? ladder.begin() : ladder.end(), std::move(runs.quotients));
    else if (request == larger)
      largest = ladder.front().step;
    else
      return found;
  }
}

}  // namespace gfdt::jacobian
