#include "gfdt/statistics/series/series_means.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gfdt/statistics/distribution.hpp"

namespace gfdt::statistics {
namespace {

/// Length of a segment in autocorrelation times; the lower value is used if there would be too few segments.
constexpr double times_memory = 10;
constexpr double fewest_times_memory = 5;
constexpr std::size_t wanted_segments = 20;
/// Number of segments for correlations between series, as long as these segments are no shorter than the longest
/// autocorrelation time.
constexpr std::size_t segments_for_correlations = 200;
struct Moments {
  double count = 0, mean = 0, variance = 0;
};

Moments moments(const std::vector<double>& series) {
  Moments result;
  double sum = 0, squares = 0;
  for (double value : series)
    if (!std::isnan(value)) {
      sum += value;
      ++result.count;
    }
  result.mean = sum / result.count;
  for (double value : series)
    if (!std::isnan(value)) squares += (value - result.mean) * (value - result.mean);
  // Rounding errors of the mean of a constant are not variance.
  const double rounding = 1e-14 * std::abs(result.mean);
  result.variance = squares / result.count <= rounding * rounding ? 0 : squares / result.count;
  return result;
}

/// Means of pairs of neighbouring values.
std::vector<double> halved(const std::vector<double>& series) {
  std::vector<double> result(series.size() / 2);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double a = series[2 * i], b = series[2 * i + 1];
    result[i] = std::isnan(a) ? b : std::isnan(b) ? a : (a + b) / 2;
  }
  return result;
}

/// ρ(lag), from pairs in which both values are present; 0 if there are none.
double correlation(const std::vector<double>& series, const Moments& about, std::size_t lag) {
  double products = 0, count = 0;
  for (std::size_t i = 0; i + lag < series.size(); ++i) {
    const double product = (series[i] - about.mean) * (series[i + lag] - about.mean);
    if (std::isnan(product)) continue;
    products += product;
    ++count;
  }
  return count > 0 ? products / count / about.variance : 0;
}

/// The relative reduction of the variance of a segment mean by correlations across the ends of the segment. The segment
/// has `rows` rows, of which the fraction `present` have values.
double shortfall(double tau, double rows, double present) {
  return 2 * (tau * tau - 0.25) / (1 / present + 2 * tau - 1) / rows;
}

/// Segments of a series: deviations of their means from the overall mean, and their shares of the values.
struct Segments {
  std::vector<double> deviation, weight;
  double weight_squared = 0;
};

Segments cut(const std::vector<double>& series, std::size_t segments, double mean) {
  Segments result;
  double total = 0;
  for (std::size_t b = 0; b < segments; ++b) {
    const std::size_t begin = b * series.size() / segments, end = (b + 1) * series.size() / segments;
    double sum = 0, count = 0;
    for (std::size_t i = begin; i < end; ++i)
      if (!std::isnan(series[i])) {
        sum += series[i] - mean;
        ++count;
      }
    result.deviation.push_back(count > 0 ? sum / count : 0);
    result.weight.push_back(count);
    total += count;
  }
  for (double& weight : result.weight) {
    weight /= total;
    result.weight_squared += weight * weight;
  }
  return result;
}

/// A part of the time: its mean relative to the overall mean, and its share of the values.
struct Part {
  double deviation = 0, weight = 0;
};

Part part_of(const Segments& segments, std::size_t begin, std::size_t end) {
  Part part;
  for (std::size_t b = begin; b < end; ++b) {
    part.weight += segments.weight[b];
    part.deviation += segments.weight[b] * segments.deviation[b];
  }
  part.deviation = part.weight > 0 ? part.deviation / part.weight : 0;
  return part;
}

/// Σ_b w_ib w_jb (m_ib − m_i)(m_jb − m_j).
double product(const Segments& i, const Segments& j) {
  double sum = 0;
  for (std::size_t b = 0; b < i.weight.size(); ++b) sum += i.weight[b] * j.weight[b] * i.deviation[b] * j.deviation[b];
  return sum;
}

}  // namespace

SeriesMemory series_memory(const std::vector<double>& series) {
  constexpr double window = 6;
  constexpr std::size_t most_lags = 512, fewest_rows = 32;
  SeriesMemory memory;
  std::vector<double> averages = series;
  for (double unit = 1;; unit *= 2) {
    const Moments about = moments(averages);
    if (!(about.variance > 0)) return memory;
    double sum = 0.5, largest = 0.5;
    const std::size_t lags = std::min(most_lags, averages.size() / 2);
    for (std::size_t lag = 1; lag <= lags; ++lag) {
      sum += correlation(averages, about, lag);
      // Subtracting the mean of the record lowers every correlation by 2τ/n.
      const double corrected = sum * (1 + static_cast<double>(2 * lag + 1) / about.count);
      largest = std::max(largest, corrected);
      memory = {unit * std::clamp(corrected, 0.5, largest), unit * largest,
                static_cast<double>(lag) >= window * largest};
      if (memory.resolved) return memory;
    }
    if (lags < most_lags || averages.size() < 2 * fewest_rows) return memory;
    averages = halved(averages);
  }
}

SeriesMeans series_means(const std::vector<std::vector<double>>& series) {
  SeriesMeans result;
  const std::size_t count = series.size(), rows = count > 0 ? series[0].size() : 0;
  double longest = 0.5;
  bool resolved = true;
  for (const std::vector<double>& one : series) {
    const SeriesMemory memory = series_memory(one);
    result.memory.push_back(memory);
    longest = std::max(longest, memory.longest);
    resolved = resolved && memory.resolved;
  }
  result.long_enough = resolved && static_cast<double>(rows) >= SeriesMeans::fewest_memories * longest;

  const auto rows_for = [&](double times) { return static_cast<std::size_t>(std::ceil(times * longest)); };
  const auto segments_of = [&](std::size_t span) { return std::max<std::size_t>(2, rows / span); };
  const std::size_t wanted = std::max(wanted_segments, 4 * count);
  const std::size_t span = std::clamp(rows / wanted, rows_for(fewest_times_memory), rows_for(times_memory));
  const std::size_t short_span = std::clamp(rows / segments_for_correlations, rows_for(1), span);
  result.segments = segments_of(span);
  const double segment_rows = static_cast<double>(rows) / static_cast<double>(result.segments);

  std::vector<double> error, size;  // standard errors of the means; sizes of their deviations in short segments
  std::vector<Segments> parts;
  result.degrees_of_freedom = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < count; ++i) {
    const Moments about = moments(series[i]);
    result.mean.push_back(about.mean);
    const Segments long_parts = cut(series[i], result.segments, about.mean);
    const double present = about.count / static_cast<double>(rows);
    const double share = 1 - shortfall(result.memory[i].autocorrelation_time, segment_rows, present);
    const double factor = (1 - long_parts.weight_squared) * std::max(share, 0.5);
    error.push_back(about.variance > 0 && factor > 0 ? std::sqrt(product(long_parts, long_parts) / factor) : 0);
    result.degrees_of_freedom = std::min(result.degrees_of_freedom, 1 / long_parts.weight_squared - 1);
    const std::size_t third = result.segments / 3;
    const Part first = part_of(long_parts, 0, third);
    const Part last = part_of(long_parts, result.segments - third, result.segments);
    result.change.push_back(last.deviation - first.deviation);
    const double change_error = error[i] * std::sqrt(1 / first.weight + 1 / last.weight);
    const bool judged = first.weight > 0 && last.weight > 0 && change_error > 0;
    result.p_change.push_back(
        judged ? student_t_tail(result.change[i] / change_error, 1 / long_parts.weight_squared - 1) : 1);
    parts.push_back(cut(series[i], segments_of(short_span), about.mean));
    size.push_back(std::sqrt(product(parts[i], parts[i])));
  }
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) {
      const double sizes = size[i] * size[j];
      const double correlation = i == j ? 1 : sizes > 0 ? product(parts[i], parts[j]) / sizes : 0;
      result.covariance.push_back(correlation * error[i] * error[j]);
    }
  return result;
}

}  // namespace gfdt::statistics
