#include "gfdt/base/with_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/readable_number.hpp"

namespace gfdt {
namespace {

/// A standard error below this fraction of the value is attributed to rounding.
constexpr double rounding = 1e-12;
/// Range of powers of ten that are printed without an exponent.
constexpr int lowest_power = -3, highest_power = 5;

int power_of_ten(double positive) { return static_cast<int>(std::floor(std::log10(positive))); }

/// Number of decimals that keep two digits of the error; one fewer if rounding adds a digit.
int decimals_for(double error) {
  const int decimals = 1 - power_of_ten(error);
  return std::round(error * std::pow(10.0, decimals)) > 99 ? decimals - 1 : decimals;
}

std::string fixed(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  return zero && text.starts_with('-') ? text.substr(1) : text;
}

std::string in_parentheses(double error, int decimals) {
  const double one = std::pow(10.0, decimals), units = std::round(error * one);
  return decimals > 0 && units >= one ? fixed(error, decimals) : fmt::format("{:.0f}", units);
}

}  // namespace

std::string with_error(double value, double error) {
  if (!std::isfinite(value)) return "undefined";
  if (std::isnan(error)) return fmt::format("{:.4g}(?)", value);
  if (std::isinf(error)) return fmt::format("{:.4g} (not determined)", value);
  if (!(error > rounding * std::abs(value))) return fmt::format("{:.6g}", value == 0 ? 0.0 : value);
  const int power = power_of_ten(std::max(std::abs(value), error));
  const bool exponent = power < lowest_power || power > highest_power;
  // Split into two factors because 10^power may overflow or underflow.
  const double scale = std::pow(10.0, exponent ? -power / 2 : 0),
               rest = std::pow(10.0, exponent ? -power - -power / 2 : 0);
  const double scaled_value = value * scale * rest, scaled_error = error * scale * rest;
  const int decimals = std::max(decimals_for(scaled_error), 0);
  // Rounding may have turned 9.996 into 10.00.
  if (exponent && std::max(std::abs(scaled_value), scaled_error) + 0.5 * std::pow(10.0, -decimals) >= 10)
    return fmt::format("{}({}){}", fixed(scaled_value / 10, decimals + 1),
                       in_parentheses(scaled_error / 10, decimals + 1), times_power_of_ten(power + 1));
  const std::string text = fmt::format("{}({})", fixed(scaled_value, decimals), in_parentheses(scaled_error, decimals));
  return exponent ? text + times_power_of_ten(power) : text;
}

}  // namespace gfdt
