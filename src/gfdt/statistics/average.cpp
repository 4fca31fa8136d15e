#include "gfdt/statistics/average.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "gfdt/statistics/distribution.hpp"

namespace gfdt::statistics {
namespace {

/// A level is trusted if its averages span at least this many autocorrelation times.
constexpr double times_tau = 20;
constexpr double fewest_averages = 16;

struct LevelVariance {
  double count = 0;
  double variance = 0;  ///< of an average over the level's time span, about the overall mean
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

/// The relative amount by which the variance of averages over a span falls short of 2τ var/span, because correlations
/// extend beyond its ends. Exact for a series whose correlation decays as a single exponential.
double shortfall(double tau, double span, double sample_interval) {
  return std::max(0.0, (tau - sample_interval * sample_interval / (4 * tau)) / span);
}

double spread_of_means(std::span<const MemberSums> members, double mean) {
  double squares = 0;
  for (const MemberSums& member : members) squares += std::pow(member.mean() - mean, 2);
  return squares / static_cast<double>(members.size() - 1);
}

/// The p-value below which the members' means differ by more than the variation within members.
constexpr double disagreement = 1e-4;

std::vector<double> means_of(std::span<const MemberSums> members) {
  std::vector<double> means;
  for (const MemberSums& member : members) means.push_back(member.mean());
  return means;
}

}  // namespace

double Average::half_width(double coverage) const {
  if (!(degrees_of_freedom > 0)) return std::numeric_limits<double>::infinity();
  return standard_error * student_t_interval(coverage, degrees_of_freedom);
}

double effective_degrees_of_freedom(std::span<const double> values) {
  const double count = static_cast<double>(values.size());
  if (values.size() < 2) return 0;
  double mean = 0, squares = 0, fourths = 0;
  for (const double value : values) mean += (value - values[0]) / count;
  mean += values[0];
  for (const double value : values) {
    const double square = (value - mean) * (value - mean);
    squares += square / count;
    fourths += square * square / count;
  }
  // The kurtosis of n normal values is 3 ± √(24/n); a value within three of these standard deviations is treated as 3.
  const double kurtosis = fourths / (squares * squares);
  if (!(kurtosis > 3 + 3 * std::sqrt(24 / count))) return count - 1;
  return std::clamp(2 * count / (kurtosis - 1), 1.0, count - 1);
}

double heavy_tail_factor(double degrees_of_freedom) {
  constexpr double coverage = 0.95, normal_half_width = 1.959964;
  return student_t_interval(coverage, degrees_of_freedom) / normal_half_width;
}

double memory_ratio(double between_share) {
  const auto share = [](double r) { return 2 * r * (1 + r * std::expm1(-1 / r)); };
  double low = 0, high = longest_memory_ratio;
  if (!(between_share < share(high))) return high;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (share(middle) < between_share ? low : high) = middle;
  }
  return (low + high) / 2;
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

  // The first level that is long compared with τ determines it; if there is none, the longest level with enough
  // averages is used.
  double time = samples * sample_interval, level_error = 0, level_count = 0, level_span = 0;
  result.autocorrelation_resolved = variance == 0 && count * samples > 1;
  for (std::size_t level = 0; level < members[0].levels.size(); ++level) {
    LevelVariance v = variance_of_level(members, level, result.mean);
    if (v.count < fewest_averages && level > 0) break;
    double span = static_cast<double>(group) * std::ldexp(sample_interval, static_cast<int>(level));
    if (variance > 0) result.autocorrelation_time = span * v.variance / (2 * variance);
    level_count = v.count;
    level_span = span;
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
    const double spread = spread_of_means(members, result.mean), within = level_error * level_error * count;
    result.standard_error = std::sqrt(spread / count);
    result.degrees_of_freedom = effective_degrees_of_freedom(means_of(members));
    if (variance > 0) {
      // The means of n independent samples have 1/n of the variance.
      result.between_share = samples > 1 ? std::max(0.0, (spread / variance - 1 / samples) / (1 - 1 / samples)) : 0;
      const double between_time = std::max(sample_interval / 2, time * memory_ratio(result.between_share));
      if (!result.autocorrelation_resolved) {
        result.autocorrelation_time = between_time;
        result.members_disagree = time < memories_of_mixed * between_time;
      } else if (f_tail(spread / within, count - 1, level_count - 1) < disagreement) {
        // There is a slow component that averages within members do not resolve.
        result.autocorrelation_time = std::max(result.autocorrelation_time, between_time);
        result.autocorrelation_resolved = false;
        result.members_disagree = true;
      }
    }
  } else {
    result.standard_error = level_error;
    result.degrees_of_freedom = level_count - 1;
    if (!result.autocorrelation_resolved && variance > 0 && level_span > 0) {
      // The averages are not independent: use 2τ var/T with the τ that explains their variance.
      const double share = 2 * result.autocorrelation_time / level_span;
      result.autocorrelation_time = level_span * memory_ratio(share);
      result.standard_error = std::sqrt(variance * std::min(1.0, 2 * result.autocorrelation_time / (time * count)));
      // The spread of the means of whole members may be larger.
      const double spread = count > 1 ? std::sqrt(spread_of_means(members, result.mean) / count) : 0;
      if (spread > result.standard_error) {
        result.standard_error = spread;
        result.degrees_of_freedom = count - 1;
      }
    }
  }
  if (variance == 0 && count * samples > 1) result.degrees_of_freedom = count * samples - 1;
  if (!(result.degrees_of_freedom > 0)) {
    result.standard_error = result.autocorrelation_time = result.effective_samples = std::nan("");
    return result;
  }
  result.effective_samples =
      result.standard_error > 0 ? variance / (result.standard_error * result.standard_error) : count * samples;
  result.sampling_error = result.standard_error;
  return result;
}

namespace {

double sum_of_products(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

std::vector<double> covariance_of_influences(const std::vector<std::vector<double>>& influences,
                                             std::span<const double> standard_errors) {
  const std::size_t count = influences.size();
  std::vector<double> factor;
  for (std::size_t i = 0; i < count; ++i) {
    const double norm = std::sqrt(sum_of_products(influences[i], influences[i]));
    factor.push_back(norm > standard_errors[i] ? standard_errors[i] / norm : 1.0);
  }
  std::vector<double> result(count * count);
  for (std::size_t i = 0; i < count; ++i) {
    result[i * count + i] = standard_errors[i] * standard_errors[i];
    for (std::size_t j = 0; j < i; ++j)
      result[i * count + j] = result[j * count + i] =
          factor[i] * factor[j] * sum_of_products(influences[i], influences[j]);
  }
  return result;
}

std::vector<double> covariance_of_means(std::span<const Average> averages,
                                        const std::vector<std::vector<double>>& units) {
  const std::size_t count = averages.size();
  const auto sound = [&](std::size_t unit) {
    return std::ranges::all_of(units, [&](const std::vector<double>& row) { return std::isfinite(row[unit]); });
  };
  std::vector<std::vector<double>> influences(count);
  for (std::size_t unit = 0; count > 0 && unit < units[0].size(); ++unit)
    if (sound(unit))
      for (std::size_t i = 0; i < count; ++i) influences[i].push_back(units[i][unit] - averages[i].mean);
  std::vector<double> errors;
  for (std::size_t i = 0; i < count; ++i) {
    errors.push_back(averages[i].standard_error);
    const double norm = std::sqrt(sum_of_products(influences[i], influences[i]));
    if (norm > 0)
      for (double& influence : influences[i]) influence *= errors[i] / norm;
  }
  return covariance_of_influences(influences, errors);
}

void restore_plain(std::vector<Average>& averages, std::vector<double>& covariance, std::size_t which) {
  Average& average = averages[which];
  if (!average.plain) return;
  average.mean = average.plain->mean;
  average.standard_error = average.sampling_error = average.plain->standard_error;
  average.effective_samples = std::pow(average.standard_deviation / average.standard_error, 2);
  average.plain.reset();
  const std::size_t count = averages.size();
  for (std::size_t i = 0; i < count; ++i) covariance[which * count + i] = covariance[i * count + which] = 0;
  covariance[which * count + which] = std::pow(average.standard_error, 2);
}

}  // namespace gfdt::statistics
