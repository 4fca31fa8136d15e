#include "gfdt/report/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/readable_number.hpp"

namespace gfdt::report {

std::string brief(double value) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  return fmt::format("{:.4g}", value);
}

std::string plus_minus(double value, double error) {
  if (!std::isfinite(value)) return "undefined";
  constexpr double rounding = 1e-12;
  if (!(error > rounding * std::abs(value)) || !std::isfinite(error)) return fmt::format("{:.6g}", value);
  const int power = static_cast<int>(std::floor(std::log10(std::max(std::abs(value), error))));
  if (power < -3 || power > 5) {
    const double scale = std::pow(10.0, power);
    return fmt::format("({}){}", plus_minus(value / scale, error / scale), times_power_of_ten(power));
  }
  const int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), 0, 15);
  return fmt::format("{:.{}f} ± {:.{}f}", value, decimals, error, decimals);
}

std::string rounded_to(double value, double error) {
  if (!std::isfinite(value)) return brief(value);
  const std::string text = plus_minus(value, error);
  return text.starts_with('(') ? brief(value) : text.substr(0, text.find(" ±"));
}

std::string answer_text(double value, double error) {
  return std::isfinite(value) && !std::isfinite(error) ? brief(value) + " (not determined)" : plus_minus(value, error);
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "–";
  if (seconds < 120) return fmt::format("{:.3g} s", seconds);
  const auto whole = static_cast<long long>(std::round(seconds));
  if (whole < 7200) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace gfdt::report
