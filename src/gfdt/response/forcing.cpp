#include "gfdt/response/forcing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gfdt/base/error.hpp"

namespace gfdt::response {

using symbolic::call;
using symbolic::Expression;
using symbolic::Function;

Forcing::Forcing(std::vector<double> time, std::vector<double> value)
    : time_(std::move(time)), value_(std::move(value)) {
  if (time_.empty() || time_.size() != value_.size())
    throw Error(
        fmt::format("A forcing has {} times and {} values; give as many, at least one.", time_.size(), value_.size()));
  for (std::size_t i = 0; i < time_.size(); ++i) {
    if (!std::isfinite(time_[i]) || !std::isfinite(value_[i]))
      throw Error(fmt::format("Point {} of the forcing is ({:g}, {:g}); finite numbers are expected.", i + 1, time_[i],
                              value_[i]));
    if (i > 0 && !(time_[i] > time_[i - 1]))
      throw Error(
          fmt::format("The times of the forcing do not increase: {:g} comes after {:g}.", time_[i], time_[i - 1]));
  }
  if (time_[0] < 0)
    throw Error(
        fmt::format("The forcing begins at time {:g}; responses are counted from 0: shift its times.", time_[0]));
  slope_.assign(time_.size(), 0.0);
  integral_.assign(time_.size(), 0.0);
  double_integral_.assign(time_.size(), 0.0);
  for (std::size_t i = 0; i + 1 < time_.size(); ++i) {
    const double h = time_[i + 1] - time_[i];
    slope_[i] = (value_[i + 1] - value_[i]) / h;
    integral_[i + 1] = integral_[i] + h * (value_[i] + value_[i + 1]) / 2;
    double_integral_[i + 1] = double_integral_[i] + h * integral_[i] + h * h * (value_[i] / 2 + slope_[i] * h / 6);
  }
}

std::size_t Forcing::point_before(double t) const {
  const auto after = std::ranges::upper_bound(time_, t);
  return after == time_.begin() ? time_.size() : static_cast<std::size_t>(after - time_.begin()) - 1;
}

double Forcing::at(double t) const {
  const std::size_t i = point_before(t);
  return i == time_.size() ? 0.0 : value_[i] + slope_[i] * (t - time_[i]);
}

double Forcing::integral(double t) const {
  const std::size_t i = point_before(t);
  if (i == time_.size()) return 0.0;
  const double h = t - time_[i];
  return integral_[i] + h * (value_[i] + slope_[i] * h / 2);
}

double Forcing::double_integral(double t) const {
  const std::size_t i = point_before(t);
  if (i == time_.size()) return 0.0;
  const double h = t - time_[i];
  return double_integral_[i] + h * integral_[i] + h * h * (value_[i] / 2 + slope_[i] * h / 6);
}

Expression Forcing::formula(const Expression& t, double rounding) const {
  Expression sum = value_[0] * call(Function::less_equal, {time_[0] - rounding, t});
  for (std::size_t i = 0; i < time_.size(); ++i)
    if (const double bend = slope_[i] - (i > 0 ? slope_[i - 1] : 0.0); bend != 0)
      sum = sum + bend * call(Function::max, {0.0, t - time_[i]});
  return sum;
}

jacobian::Weights forcing_weights(const Forcing& forcing, double t, double interval, std::size_t nodes) {
  // The weight of a node is ∫ hat(u) f(t − u) du: a second difference of the double integral of f.
  jacobian::Weights weights(nodes, 0.0);
  for (std::size_t n = 0; n < nodes; ++n) {
    const double before = t - static_cast<double>(n) * interval;
    if (before <= -interval) break;
    const double here = forcing.double_integral(before);
    const double rising = (forcing.double_integral(before + interval) - here) / interval - forcing.integral(before);
    const double falling = forcing.integral(before) - (here - forcing.double_integral(before - interval)) / interval;
    weights[n] = (n > 0 ? rising : 0.0) + (n + 1 < nodes ? falling : 0.0);
  }
  return weights;
}

std::vector<jacobian::Estimate> forced_response(const Kernels& kernels, std::size_t observable, std::size_t parameter,
                                                const Forcing& forcing, const std::vector<double>& times) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (!kernels.missing.at(parameter).empty()) return std::vector<jacobian::Estimate>(times.size(), {nan, nan});
  const Kernel& kernel = kernels.of_entry.at(kernels.at(observable, parameter));
  const jacobian::Estimate& direct = kernels.long_run.direct.at(kernels.at(observable, parameter));
  std::vector<jacobian::Estimate> result;
  for (const double t : times) {
    jacobian::Estimate sum = kernel.empty()
                                 ? jacobian::Estimate{}
                                 : kernel.sum(forcing_weights(forcing, t, kernels.interval, kernels.time.size()));
    const double now = forcing.at(t);
    sum.value += now * direct.value;
    sum.standard_error = std::hypot(sum.standard_error, now * direct.standard_error);
    result.push_back(sum);
  }
  return result;
}

}  // namespace gfdt::response
