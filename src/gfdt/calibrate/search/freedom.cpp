#include "gfdt/calibrate/search/freedom.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gfdt/calibrate/targets/weights.hpp"
#include "gfdt/statistics/distribution.hpp"

namespace gfdt::calibrate {

double combined_freedom(const Eigen::VectorXd& part, double of_part, const Eigen::VectorXd& whole, double of_rest) {
  if (part.size() == 0) return std::numeric_limits<double>::infinity();
  const double share =
      std::clamp(part.cwiseQuotient(whole.cwiseMax(std::numeric_limits<double>::min())).mean(), 0.0, 1.0);
  return 1 / (share * share / of_part + (1 - share) * (1 - share) / of_rest);
}

double simulation_freedom(const Evaluation& evaluation) {
  double least = std::numeric_limits<double>::infinity();
  for (const statistics::Average& average : evaluation.statistics)
    if (average.degrees_of_freedom > 0) least = std::min(least, average.degrees_of_freedom);
  return least;
}

double noise_tail(double square, int dimension, double freedom, const Eigen::VectorXd& deviations) {
  if (dimension <= 0) return 1;
  if (correlations_known(dimension, freedom)) return statistics::hotelling_tail(square, dimension, freedom);
  const double largest = deviations.cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
  return std::min(static_cast<double>(deviations.size()) * statistics::student_t_tail(largest, freedom), 1.0);
}

}  // namespace gfdt::calibrate
