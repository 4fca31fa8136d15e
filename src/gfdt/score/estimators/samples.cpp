#include "gfdt/score/estimators/samples.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/base/symmetric_eigen.hpp"
#include "gfdt/score/estimators/moments.hpp"

namespace gfdt::score {
namespace {

constexpr std::size_t fewest_samples = 100;
constexpr std::size_t fewest_samples_a_component = 10;
/// A correlation matrix with a smaller eigenvalue is considered singular: the spread in some direction is a millionth
/// of that in the others, which is what remains of an exact dependence in single precision.
constexpr double smallest_eigenvalue = 1e-12;
/// Components with a smaller weight in the dependent combination are not named.
constexpr double named_weight = 0.02;

std::size_t dimension_of(const Samples& samples) { return static_cast<std::size_t>(samples.dimension()); }

void check_shape(const Samples& samples) {
  const std::size_t d = dimension_of(samples);
  if (d == 0 || samples.names.size() != d || samples.values.size() != d * samples.size())
    throw Error(
        fmt::format("{} samples of {} components with {} names hold {} numbers; give each component a name and each "
                    "sample one number a component.",
                    samples.size(), d, samples.names.size(), samples.values.size()));
  if (!std::ranges::is_sorted(samples.group))
    throw Error("The groups of the samples are not in increasing order; sort the samples by their group.");
}

void check_count(const Samples& samples) {
  const std::size_t needed = std::max(fewest_samples, fewest_samples_a_component * dimension_of(samples));
  if (samples.size() < needed)
    throw Error(
        fmt::format("{} samples are too few to fit the score of {} components, which takes at least {}; make the run "
                    "longer, add members or take samples more often.",
                    samples.size(), dimension_of(samples), needed));
}

void check_finite(const Samples& samples) {
  const auto found = std::ranges::find_if_not(samples.values, [](double value) { return std::isfinite(value); });
  if (found == samples.values.end()) return;
  const std::size_t at = static_cast<std::size_t>(found - samples.values.begin()), d = dimension_of(samples);
  throw Error(fmt::format("{} is {} in sample {}; remove that segment of the data, or run with a smaller time step.",
                          samples.names[at % d], *found, at / d));
}

void check_changes(const Samples& samples) {
  std::vector<std::string> constant;
  for (std::size_t i = 0; i < dimension_of(samples); ++i) {
    double lowest = samples[0][i], highest = lowest;
    for (std::size_t sample = 1; sample < samples.size(); ++sample) {
      lowest = std::min(lowest, samples[sample][i]);
      highest = std::max(highest, samples[sample][i]);
    }
    const double rounding = 1e-14 * std::max(std::abs(lowest), std::abs(highest));
    if (highest - lowest <= rounding) constant.push_back(samples.names[i]);
  }
  if (constant.empty()) return;
  if (constant.size() == dimension_of(samples))
    throw Error(
        fmt::format("All {} samples are the same state, so there is no density to fit; give the model noise, or a "
                    "longer run.",
                    samples.size()));
  const bool one = constant.size() == 1;
  throw Error(fmt::format(
      "{} never {} in {} samples and {} no score; remove {} from the state (make it a parameter) or give it noise.",
      fmt::join(constant, ", "), one ? "changes" : "change", samples.size(), one ? "has" : "have",
      one ? "it" : "them"));
}

void check_independent(const Samples& samples) {
  const Eigen::Index d = samples.dimension();
  const Moments moments = moments_of(samples);
  const Eigen::Map<const Eigen::MatrixXd> covariance(moments.covariance.data(), d, d);
  const Eigen::VectorXd scale = covariance.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd correlation = scale.asDiagonal() * covariance * scale.asDiagonal();
  for (Eigen::Index i = 0; i < d; ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      if (std::abs(correlation(i, j)) > 1 - 1e-12)
        throw Error(fmt::format(
            "{} is a copy of {} up to a factor and a constant, so the density is flat and has no score; remove one of "
            "the two states or give it noise of its own.",
            samples.names[static_cast<std::size_t>(i)], samples.names[static_cast<std::size_t>(j)]));
  const SymmetricEigen spectrum = symmetric_eigen(correlation);
  if (spectrum.values(0) > smallest_eigenvalue * static_cast<double>(d)) return;
  std::vector<std::string> dependent;
  for (Eigen::Index i = 0; i < d; ++i)
    if (std::abs(spectrum.vectors(i, 0)) > named_weight)
      dependent.push_back(samples.names[static_cast<std::size_t>(i)]);
  throw Error(
      fmt::format("The components {} are linearly dependent, so the density is flat and has no score; remove one of "
                  "these states or give each noise of its own.",
                  fmt::join(dependent, ", ")));
}

}  // namespace

void check(const Samples& samples) {
  check_shape(samples);
  check_count(samples);
  check_finite(samples);
  check_changes(samples);
  check_independent(samples);
}

Samples of_groups(const Samples& samples, std::uint32_t first, std::uint32_t end) {
  const auto place = [&](std::uint32_t group) {
    return std::ranges::lower_bound(samples.group, group) - samples.group.begin();
  };
  const auto begin = place(first), finish = place(end);
  const std::ptrdiff_t size = samples.dimension();
  return {samples.arrangement,
          samples.names,
          {samples.values.begin() + begin * size, samples.values.begin() + finish * size},
          {samples.group.begin() + begin, samples.group.begin() + finish}};
}

}  // namespace gfdt::score
