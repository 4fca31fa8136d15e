#include "gfdt/calibrate/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gfdt::calibrate {
namespace {

bool finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

}  // namespace

const char* name(Request::Purpose purpose) {
  switch (purpose) {
    case Request::Purpose::jacobian:
      return "jacobian";
    case Request::Purpose::statistics:
      return "statistics";
    case Request::Purpose::stability:
      return "stability";
  }
  return "";
}

std::string flaw(const Evaluation& evaluation, Request::Purpose purpose, std::size_t targets, std::size_t parameters) {
  if (purpose == Request::Purpose::stability) return {};
  if (evaluation.statistics.size() != targets || evaluation.mean_covariance.size() != targets * targets)
    return fmt::format("There are {} targets, but {} statistics with a covariance of {} numbers.", targets,
                       evaluation.statistics.size(), evaluation.mean_covariance.size());
  for (const statistics::Average& average : evaluation.statistics)
    if (!std::isfinite(average.mean) || !std::isfinite(average.standard_deviation))
      return fmt::format("The statistic '{}' is not a finite number.", average.name);
  if (!finite(evaluation.mean_covariance)) return "The errors of the statistics are not finite numbers.";
  if (purpose == Request::Purpose::statistics) return {};
  const std::size_t size = targets * parameters;
  if (evaluation.jacobian.size() != size || evaluation.jacobian_error.size() != size)
    return fmt::format("{} derivatives with {} errors were had instead of {}.", evaluation.jacobian.size(),
                       evaluation.jacobian_error.size(), size);
  if (!finite(evaluation.jacobian)) return "A derivative is not a finite number.";
  if (!finite(evaluation.jacobian_error)) return "The error of a derivative is not a finite number.";
  return {};
}

}  // namespace gfdt::calibrate
