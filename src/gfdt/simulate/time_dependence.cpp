#include "gfdt/simulate/time_dependence.hpp"

#include <cmath>

namespace gfdt::simulate {

std::string precision_problem(const symbolic::Model& model, Precision precision) {
  if (!model.time_state || precision == Precision::double_precision) return "";
  return "A model that depends on time runs in double precision: in single precision the time itself would soon be "
         "rounded by more than a step.";
}

double length_in_whole_periods(const symbolic::Model& model, double length) {
  if (!model.period) return length;
  constexpr double rounding = 1e-9;
  const double unit = 3 * *model.period;
  return unit * std::floor(length / unit * (1 + rounding));
}

bool holds_whole_periods(const symbolic::Model& model, const Options& options) {
  if (!model.period) return true;
  const double sampled = static_cast<double>(options.samples()) * options.sample_interval(), unit = 3 * *model.period;
  const double units = std::round(sampled / unit);
  return units >= 1 && std::abs(sampled - units * unit) <= options.sample_interval();
}

}  // namespace gfdt::simulate
