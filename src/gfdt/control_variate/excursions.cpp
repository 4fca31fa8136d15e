#include "gfdt/control_variate/excursions.hpp"

#include <algorithm>
#include <cmath>

namespace gfdt::control_variate {
namespace {

constexpr double stretch = 1.1;

}  // namespace

std::vector<double> excursions(const score::Samples& samples) {
  const std::size_t dimension = static_cast<std::size_t>(samples.dimension()), n = samples.size();
  const std::size_t fields = static_cast<std::size_t>(samples.arrangement.fields),
                    sites = static_cast<std::size_t>(samples.arrangement.sites);
  std::vector<double> mean(dimension, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < dimension; ++c) mean[c] += samples[i][c] / static_cast<double>(n);
  std::vector<double> result;
  for (std::size_t field = 0; field < fields; ++field)
    for (const double sign : {-1.0, 1.0}) {
      std::size_t extreme = 0;
      double furthest = 0;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t c = field * sites; c < (field + 1) * sites; ++c)
          if (const double distance = sign * (samples[i][c] - mean[c]); distance > furthest) {
            furthest = distance;
            extreme = i;
          }
      for (std::size_t c = 0; c < dimension; ++c) result.push_back(mean[c] + stretch * (samples[extreme][c] - mean[c]));
    }
  return result;
}

std::vector<double> deviations_at_excursions(const score::Samples& samples, const DictionaryValues& values,
                                             const Targets& targets, std::size_t second_half,
                                             std::span<const Eigen::MatrixXd> coefficients,
                                             const std::vector<Averaged>& means) {
  constexpr std::size_t width = static_cast<std::size_t>(lanes);
  const std::vector<double> states = excursions(samples);
  const std::size_t dimension = static_cast<std::size_t>(samples.dimension()), number = states.size() / dimension;
  const auto memory = values.memory();
  codegen::AlignedArray<double> rows(dimension * width), functions(values.functions() * width),
      left(targets.count * width);
  std::vector<double> largest(means.size(), 0.0);
  for (std::size_t at = 0; at < number; at += width) {
    for (std::size_t lane = 0; lane < width; ++lane)
      for (std::size_t c = 0; c < dimension; ++c)
        rows[c * width + lane] = states[std::min(at + lane, number - 1) * dimension + c];
    values.load(rows.data(), *memory);
    values.generated(functions.data(), *memory);
    targets.write(values, rows.data(), *memory, left.data());
    for (std::size_t half = 0; half < 2; ++half)
      for (std::size_t t = 0; t < means.size(); ++t)
        for (std::size_t lane = 0; lane < width; ++lane) {
          double value = left[(half * second_half + t) * width + lane];
          for (std::size_t k = 0; k < values.functions(); ++k)
            value += coefficients[half](static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(t)) *
                     functions[k * width + lane];
          if (const double off = std::abs(value - means[t].value); off > largest[t]) largest[t] = off;
        }
  }
  return largest;
}

}  // namespace gfdt::control_variate
