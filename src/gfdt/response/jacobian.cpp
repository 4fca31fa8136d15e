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

std::vector<double> relative_errors(const Jacobian& jacobian) {
  std::vector<double> result;
  for (std::size_t j = 0; j < jacobian.columns.size(); ++j) {
    double squares = 0, errors = 0;
    for (std::size_t m = 0; m < jacobian.rows(); ++m) {
      const double deviation = jacobian.statistics[m].standard_deviation;
      if (!(deviation > 0)) continue;
      squares += std::pow(jacobian.value[jacobian.at(m, j)] / deviation, 2);
      errors += std::pow(jacobian.standard_error[jacobian.at(m, j)] / deviation, 2);
    }
    result.push_back(errors == 0 && std::isfinite(squares) ? 0 : std::sqrt(errors / squares));
  }
  return result;
}

void put_columns(const Jacobian& from, const std::vector<std::size_t>& columns, Jacobian& jacobian) {
  jacobian.simulated_time += from.simulated_time;
  if (from.rows() != jacobian.rows()) return;  // it was cancelled
  for (std::size_t i = 0; i < columns.size(); ++i) {
    bool whole = true;
    for (std::size_t m = 0; m < from.rows(); ++m) whole &= std::isfinite(from.value[from.at(m, i)]);
    if (!whole) continue;
    jacobian.columns[columns[i]] = from.columns[i];
    for (std::size_t m = 0; m < jacobian.rows(); ++m) {
      const std::size_t to = jacobian.at(m, columns[i]), at = from.at(m, i);
      jacobian.value[to] = from.value[at];
      jacobian.standard_error[to] = from.standard_error[at];
      if (!from.score_error.empty() && !jacobian.score_error.empty()) jacobian.score_error[to] = from.score_error[at];
      if (!jacobian.bias.empty()) jacobian.bias[to] = from.bias.empty() ? 0 : from.bias[at];
    }
  }
}

}  // namespace gfdt::response
