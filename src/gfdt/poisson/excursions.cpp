#include "gfdt/poisson/excursions.hpp"

#include <algorithm>

namespace gfdt::poisson {
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

}  // namespace gfdt::poisson
