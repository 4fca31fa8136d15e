#include "gfdt/statistics/average.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "gfdt/statistics/distribution.hpp"

namespace gfdt::statistics {
namespace {

/// A level is trusted when its averages span this many autocorrelation times.
constexpr double times_tau = 20;
constexpr double fewest_averages = 16;

struct LevelVariance {
  double count = 0;
  double variance = 0;  ///< of an average over the level's time, about the grand mean
};

LevelVariance variance_of_level(std::span<const MemberSums> members, std::size_t level, double mean) {
  LevelVariance result;
  double squares = 0;
  for (const MemberSums& member : members) {
    const MemberSums::Level& l = member.levels[level];
    double n = static_cast<double>(l.count), shift = member.reference - mean;
    squares += l.square + 2 * shift * l.sum + n * shift * shift;
    result.count += n;
  }
  result.variance = squares / std::max(1.0, result.count - 1);
  return result;
}

/// By which share the variance of averages over a span falls short of 2τ var/span: correlations reach past its ends.
/// Exact for a series whose correlation decays as one exponential.
double shortfall(double tau, double span, double sample_interval) {
  return std::max(0.0, (tau - sample_interval * sample_interval / (4 * tau)) / span);
}

double spread_of_means(std::span<const MemberSums> members, double mean) {
  double squares = 0;
  for (const MemberSums& member : members) squares += std::pow(member.mean() - mean, 2);
  return squares / static_cast<double>(members.size() - 1);
}

}  // namespace

double Average::half_width(double coverage) const {
  if (!(degrees_of_freedom > 0)) return std::numeric_limits<double>::infinity();
  return standard_error * student_t_interval(coverage, degrees_of_freedom);
}

Average average(const std::string& name, std::span<const MemberSums> members, double sample_interval,
                std::uint64_t group) {
  Average result;
  result.name = name;
  assert(!members.empty());
  double count = static_cast<double>(members.size()), samples = static_cast<double>(members[0].samples);
  for (const MemberSums& member : members) result.mean += (member.mean() - members[0].mean()) / count;
  result.mean += members[0].mean();
  double squares = 0;
  for (const MemberSums& member : members) {
    double sum = (member.mean() - member.reference) * samples, shift = member.reference - result.mean;
    squares += member.square + 2 * shift * sum + samples * shift * shift;
  }
  double variance = std::max(0.0, squares / (count * samples));
  result.standard_deviation = std::sqrt(variance);

  // The first level long against τ tells it; the longest with enough averages serves when none is.
  double time = samples * sample_interval, level_error = 0, level_count = 0;
  result.autocorrelation_resolved = variance == 0 && count * samples > 1;
  for (std::size_t level = 0; level < members[0].levels.size(); ++level) {
    LevelVariance v = variance_of_level(members, level, result.mean);
    if (v.count < fewest_averages && level > 0) break;
    double span = static_cast<double>(group) * std::ldexp(sample_interval, static_cast<int>(level));
    if (variance > 0) result.autocorrelation_time = span * v.variance / (2 * variance);
    level_count = v.count;
    level_error = std::sqrt(v.variance * span / (time * count));
    if (variance > 0 && span >= times_tau * result.autocorrelation_time) {
      double share = 1 - shortfall(result.autocorrelation_time, span, sample_interval);
      result.autocorrelation_resolved = true;
      result.autocorrelation_time /= share;
      level_error /= std::sqrt(share);
      break;
    }
  }
  if (members.size() >= fewest_members) {
    result.standard_error = std::sqrt(spread_of_means(members, result.mean) / count);
    result.degrees_of_freedom = count - 1;
    if (!result.autocorrelation_resolved)
      result.autocorrelation_time = time * spread_of_means(members, result.mean) / (2 * variance);
  } else {
    result.standard_error = level_error;
    result.degrees_of_freedom = level_count - 1;
    // Where τ is not resolved the averages are not independent, and the spread of whole members may show it.
    double spread = count > 1 ? std::sqrt(spread_of_means(members, result.mean) / count) : 0;
    if (!result.autocorrelation_resolved && spread > level_error) {
      result.standard_error = spread;
      result.degrees_of_freedom = count - 1;
    }
  }
  if (variance == 0 && count * samples > 1) result.degrees_of_freedom = count * samples - 1;
  if (!(result.degrees_of_freedom > 0)) {
    result.standard_error = result.autocorrelation_time = result.effective_samples = std::nan("");
    return result;
  }
  result.effective_samples =
      result.standard_error > 0 ? variance / (result.standard_error * result.standard_error) : count * samples;
  return result;
}

std::vector<double> covariance_of_means(std::span<const Average> averages,
                                        const std::vector<std::vector<double>>& units) {
  const std::size_t count = averages.size();
  const auto sound = [&](std::size_t unit) {
    return std::ranges::all_of(units, [&](const std::vector<double>& row) { return std::isfinite(row[unit]); });
  };
  std::vector<double> products(count * count, 0.0);
  for (std::size_t unit = 0; count > 0 && unit < units[0].size(); ++unit) {
    if (!sound(unit)) continue;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < count; ++j)
        products[i * count + j] += (units[i][unit] - averages[i].mean) * (units[j][unit] - averages[j].mean);
  }
  std::vector<double> result(count * count, 0.0);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) {
      const double scale = std::sqrt(products[i * count + i] * products[j * count + j]);
      const double correlation = i == j ? 1.0 : scale > 0 ? products[i * count + j] / scale : 0.0;
      result[i * count + j] = correlation * averages[i].standard_error * averages[j].standard_error;
    }
  return result;
}

}  // namespace gfdt::statistics
