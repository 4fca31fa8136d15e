#include "gfdt/statistics/correlation.hpp"

#include <algorithm>
#include <cmath>

namespace gfdt::statistics {

LaggedProducts::LaggedProducts(int quantities, int lanes, std::vector<Pair> pairs, int lags)
    : quantities_(static_cast<std::size_t>(quantities)),
      lanes_(static_cast<std::size_t>(lanes)),
      lags_(static_cast<std::size_t>(lags)),
      pairs_(std::move(pairs)),
      reference_(quantities_ * lanes_, 0.0),
      history_(lags_ * quantities_ * lanes_, 0.0),
      product_(pairs_.size() * lags_ * lanes_, 0.0),
      a_(product_.size(), 0.0),
      b_(product_.size(), 0.0) {}

template <class T>
void LaggedProducts::add(const T* values, std::uint64_t samples) {
  std::size_t width = quantities_ * lanes_;
  for (std::uint64_t s = 0; s < samples; ++s, ++samples_, values += width) {
    if (samples_ == 0) std::copy_n(values, width, reference_.data());
    double* now = history_.data() + samples_ % lags_ * width;
    for (std::size_t i = 0; i < width; ++i) now[i] = static_cast<double>(values[i]) - reference_[i];
    std::size_t reach = std::min<std::uint64_t>(samples_ + 1, lags_);
    for (std::size_t p = 0; p < pairs_.size(); ++p)
      for (std::size_t lag = 0; lag < reach; ++lag) {
        const double* then = history_.data() + (samples_ - lag) % lags_ * width;
        const double* later = now + static_cast<std::size_t>(pairs_[p].a) * lanes_;
        const double* earlier = then + static_cast<std::size_t>(pairs_[p].b) * lanes_;
        std::size_t row = (p * lags_ + lag) * lanes_;
        for (std::size_t lane = 0; lane < lanes_; ++lane) {
          product_[row + lane] += later[lane] * earlier[lane];
          a_[row + lane] += later[lane];
          b_[row + lane] += earlier[lane];
        }
      }
  }
}

LaggedProducts::Sums LaggedProducts::sums(std::size_t pair, int lag, int lane) const {
  std::size_t l = static_cast<std::size_t>(lag), column = static_cast<std::size_t>(lane);
  std::size_t place = (pair * lags_ + l) * lanes_ + column;
  double n = samples_ > l ? static_cast<double>(samples_ - l) : 0;
  double ra = reference_[static_cast<std::size_t>(pairs_[pair].a) * lanes_ + column];
  double rb = reference_[static_cast<std::size_t>(pairs_[pair].b) * lanes_ + column];
  return {n, product_[place], a_[place], b_[place], ra, rb};
}

auto LaggedProducts::Sums::relative_to(double new_reference_a, double new_reference_b) const -> Sums {
  double da = reference_a - new_reference_a, db = reference_b - new_reference_b;
  return {count,          product + da * b + db * a + count * da * db, a + count * da, b + count * db, new_reference_a,
          new_reference_b};
}

LaggedCorrelation lagged_correlation(std::span<const std::vector<LaggedProducts::Sums>> members, double interval) {
  LaggedCorrelation result{.interval = interval, .value = {}, .standard_error = {}};
  if (members.empty()) return result;
  double count = static_cast<double>(members.size());
  for (std::size_t lag = 0; lag < members[0].size(); ++lag) {
    std::vector<LaggedProducts::Sums> sums;
    for (const auto& member : members)
      sums.push_back(member[lag].relative_to(members[0][lag].reference_a, members[0][lag].reference_b));
    double mean_a = 0, mean_b = 0;
    for (const LaggedProducts::Sums& s : sums) {
      mean_a += s.a / s.count / count;
      mean_b += s.b / s.count / count;
    }
    auto covariance = [&](const LaggedProducts::Sums& s) {
      return (s.product - mean_a * s.b - mean_b * s.a) / s.count + mean_a * mean_b;
    };
    double mean = 0, squares = 0;
    for (const LaggedProducts::Sums& s : sums) mean += covariance(s) / count;
    for (const LaggedProducts::Sums& s : sums) squares += std::pow(covariance(s) - mean, 2);
    result.value.push_back(mean);
    result.standard_error.push_back(count > 1 ? std::sqrt(squares / (count * (count - 1))) : std::nan(""));
  }
  return result;
}

template void LaggedProducts::add(const float*, std::uint64_t);
template void LaggedProducts::add(const double*, std::uint64_t);

}  // namespace gfdt::statistics
