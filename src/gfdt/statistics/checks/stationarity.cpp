#include "gfdt/statistics/checks/stationarity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gfdt/statistics/average.hpp"
#include "gfdt/statistics/distribution.hpp"

namespace gfdt::statistics {
namespace {

constexpr int third = parts_per_member / 3;
/// Smaller relative changes of a quantity are attributed to rounding.
constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();

/// Replaces zero on a logarithmic scale.
constexpr double smallest = std::numeric_limits<double>::min();

struct Sample {
  double count = 0, sum = 0, squares = 0;
  void add(double value) {
    ++count;
    sum += value;
    squares += value * value;
  }
  double mean() const { return sum / count; }
  double variance() const { return std::max(0.0, (squares - sum * sum / count) / (count - 1)); }
};

/// Significance level, over all parts, at which an average over members differs from that of the last third of the
/// time.
constexpr double visible_transient = 1e-4;

/// The share of the time after which no part differs from the last third.
double transient_of(std::span<const MemberSums> members) {
  const double level = visible_transient / (parts_per_member - third);
  for (int part = parts_per_member - third; part > 0; --part) {
    Sample changes;
    for (const MemberSums& m : members)
      changes.add(m.mean_of_parts(part - 1, part) - m.mean_of_parts(parts_per_member - third, parts_per_member));
    const double error = std::sqrt(changes.variance() / changes.count);
    if (std::abs(changes.mean()) <= rounding * std::abs(members[0].mean())) continue;
    if (student_t_tail(changes.mean() / error, changes.count - 1) < level)
      return static_cast<double>(part) / parts_per_member;
  }
  return 0;
}

}  // namespace

Drift drift(const std::string& name, std::span<const MemberSums> members, double slack, double deviation) {
  Drift result{.name = name};
  if (members.empty() || members[0].samples < parts_per_member) return result;
  result.judged = true;
  double degrees_of_freedom = 0;
  if (members.size() >= fewest_members) {
    // Each member contributes one independent change.
    Sample changes;
    for (const MemberSums& m : members)
      changes.add(m.mean_of_parts(parts_per_member - third, parts_per_member) - m.mean_of_parts(0, third));
    result.change = changes.mean();
    result.standard_error = std::sqrt(changes.variance() / changes.count);
    degrees_of_freedom = changes.count - 1;
    result.transient = transient_of(members);
  } else {
    // With few members the parts of each third are treated as independent values, all relative to the same number.
    Sample early, late;
    for (const MemberSums& m : members)
      for (int s = 0; s < third; ++s) {
        early.add(m.mean_of_parts(s, s + 1) - members[0].reference);
        late.add(m.mean_of_parts(parts_per_member - 1 - s, parts_per_member - s) - members[0].reference);
      }
    result.change = late.mean() - early.mean();
    result.standard_error = std::sqrt(early.variance() / early.count + late.variance() / late.count);
    degrees_of_freedom = early.count + late.count - 2;
  }
  // NaN is not reported as a drift; another check reports it.
  if (!(std::abs(result.change) > std::max(slack, rounding * std::abs(members[0].mean())))) return result;
  result.p_value = student_t_tail((std::abs(result.change) - slack) / result.standard_error, degrees_of_freedom);
  result.relevant = std::abs(result.change) > std::max(Stationarity::irrelevant_deviations * deviation,
                                                       Stationarity::irrelevant_share * std::abs(members[0].mean()));
  return result;
}

Drift drift_of_positive(const std::string& name, std::span<const MemberSums> members, double slack, double deviation) {
  Drift result = drift(name, members, slack, deviation);
  if (members.size() < fewest_members || result.p_value == 1) return result;
  Sample growth;
  for (const MemberSums& m : members)
    growth.add(std::log(std::max(m.mean_of_parts(parts_per_member - third, parts_per_member), smallest)) -
               std::log(std::max(m.mean_of_parts(0, third), smallest)));
  // A few large members may hide a change in the others.
  result.relevant |= std::abs(growth.mean()) > Stationarity::irrelevant_deviations;
  if (growth.variance() > 0)
    result.p_value = student_t_tail(growth.mean() / std::sqrt(growth.variance() / growth.count), growth.count - 1);
  return result;
}

Stationarity stationarity(std::vector<Drift> drifts) {
  Stationarity result;
  std::ranges::stable_sort(drifts, {}, &Drift::p_value);
  result.judged = std::ranges::any_of(drifts, &Drift::judged);
  result.drifts = std::move(drifts);
  result.stationary = std::ranges::none_of(
      result.drifts, [&](const Drift& drift) { return result.significant(drift) && drift.relevant; });
  return result;
}

}  // namespace gfdt::statistics
