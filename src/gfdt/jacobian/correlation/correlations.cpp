#include "gfdt/jacobian/correlation/correlations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gfdt::jacobian {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

double spread(std::span<const double> influences) {
  const double n = static_cast<double>(influences.size());
  if (n < 2) return std::numeric_limits<double>::quiet_NaN();
  return std::sqrt(n / (n - 1) * std::inner_product(influences.begin(), influences.end(), influences.begin(), 0.0));
}

std::vector<double> LagCorrelation::influences(const Weights& weights) const {
  std::vector<double> result(groups, 0.0);
  for (std::size_t lag = 0; lag < weights.size(); ++lag) {
    if (weights[lag] == 0) continue;
    for (std::size_t i = 0; i < groups; ++i) result[i] += interval * weights[lag] * influence[lag * groups + i];
  }
  return result;
}

Estimate LagCorrelation::integral(const Weights& weights) const {
  double total = 0;
  for (std::size_t lag = 0; lag < weights.size(); ++lag) total += interval * weights[lag] * value[lag];
  return {total, spread(influences(weights))};
}

double score_error(const Estimate& difference) {
  const double square = std::pow(difference.value, 2) - std::pow(difference.standard_error, 2);
  return square < 0 ? 0 : 0.5 * std::sqrt(square);
}

Weights window_weights(const LagBins& bins, const Window& window) {
  Weights weights;
  for (std::size_t node = 0; node < bins.nodes(); ++node) {
    const double t = static_cast<double>(node) * bins.width();
    weights.push_back(std::clamp((window.end - t) / (window.end - window.start), 0.0, 1.0));
  }
  return weights;
}

Weights step_weights(const LagBins& bins, std::size_t node) {
  Weights weights(bins.nodes(), 0.0);
  std::fill_n(weights.begin(), node, 1.0);
  weights[node] = 0.5;
  if (node == 0) weights[0] = 0;
  return weights;
}

Weights kernel_weights(const LagBins& bins, std::size_t node) {
  Weights weights(bins.nodes(), 0.0);
  weights[node] = (node == 0 ? 2 : 1) / bins.width();
  return weights;
}

Correlations::Correlations(const SignalShape& shape, const LagBins& bins, std::span<const LagSums> groups)
    : shape_(shape), bins_(bins), later_mean_(index(shape.later_rows()), 0.0), earlier_sum_(index(shape.earlier), 0.0) {
  double samples = 0;
  for (const LagSums& group : groups) {
    if (group.bins == 0) continue;
    groups_.push_back(&group);
    samples += static_cast<double>(group.bins) * bins.samples;
    for (std::size_t row = 0; row < later_mean_.size(); ++row) later_mean_[row] += group.later_sum[row];
    for (std::size_t row = 0; row < earlier_sum_.size(); ++row) earlier_sum_[row] += group.earlier_sum[row];
  }
  for (double& mean : later_mean_) mean /= samples;
}

double Correlations::product(const LagSums& sums, std::size_t lag, int later, int earlier) const {
  return sums.products[(lag * index(shape_.later) + index(later)) * index(shape_.earlier) + index(earlier)];
}

LagCorrelation Correlations::between(int later, int earlier, int one) const {
  const double a = later_mean_[index(later)], g = earlier_sum_[index(earlier)] / earlier_sum_[index(one)];
  LagCorrelation result{bins_.interval, groups_.size(), {}, {}};
  std::vector<double> centred(groups_.size()), origins(groups_.size());
  for (std::size_t lag = 0; lag < bins_.nodes(); ++lag) {
    double total = 0, all_origins = 0;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const LagSums& sums = *groups_[i];
      const double ones = product(sums, lag, 0, one);
      centred[i] = product(sums, lag, later, earlier) - a * product(sums, lag, 0, earlier) -
                   g * product(sums, lag, later, one) + a * g * ones;
      origins[i] = lag == 0 ? sums.earlier_sum[index(one)] : ones / bins_.samples;
      total += centred[i];
      all_origins += origins[i];
    }
    const double mean = all_origins > 0 ? total / all_origins : 0;
    result.value.push_back(mean);
    for (std::size_t i = 0; i < groups_.size(); ++i)
      result.influence.push_back(all_origins > 0 ? (centred[i] - origins[i] * mean) / all_origins : 0);
  }
  return result;
}

std::vector<Estimate> Correlations::autocorrelation(int row) const {
  const double mean = later_mean_[index(row)] * bins_.samples;
  std::vector<Estimate> result;
  double variance = 0;
  for (std::size_t lag = 0; lag < bins_.nodes(); ++lag) {
    double total = 0, pairs = 0;
    std::vector<double> value, count;
    for (const LagSums* sums : groups_) {
      // The mean of the run has been subtracted from the bins; the remaining mean at the ends of a segment is small.
      const double n = static_cast<double>(sums->bins);
      const double of_lag = sums->squares[lag * index(shape_.later_rows()) + index(row)];
      count.push_back(std::max(0.0, n - static_cast<double>(lag * sums->segments)));
      value.push_back(of_lag - count.back() * mean * (2 * sums->later_sum[index(row)] / n - mean));
      total += value.back();
      pairs += count.back();
    }
    const double covariance = pairs > 0 ? total / pairs : 0;
    if (lag == 0) variance = covariance;
    std::vector<double> influence;
    for (std::size_t i = 0; i < value.size(); ++i)
      influence.push_back((value[i] - count[i] * covariance) / (std::max(1.0, pairs) * variance));
    result.push_back({covariance / variance, spread(influence)});
  }
  return result;
}

}  // namespace gfdt::jacobian
