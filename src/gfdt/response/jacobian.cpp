#include "gfdt/response/jacobian.hpp"

#include <algorithm>
#include <cmath>

namespace gfdt::response {

bool Jacobian::usable() const {
  return std::ranges::all_of(findings, [](const auto& finding) { return finding.passed || !finding.fatal; });
}

std::vector<double> column_errors(const std::vector<double>& value, const std::vector<double>& truth,
                                  const std::vector<double>& scale) {
  const std::size_t rows = scale.size(), columns = rows ? truth.size() / rows : 0;
  std::vector<double> errors;
  for (std::size_t j = 0; j < columns; ++j) {
    double off = 0, size = 0;
    for (std::size_t m = 0; m < rows; ++m) {
      off += std::pow((value[m * columns + j] - truth[m * columns + j]) / scale[m], 2);
      size += std::pow(truth[m * columns + j] / scale[m], 2);
    }
    errors.push_back(std::sqrt(off / size));
  }
  return errors;
}

}  // namespace gfdt::response
