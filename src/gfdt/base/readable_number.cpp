#include "gfdt/base/readable_number.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gfdt {

std::string times_power_of_ten(int power) {
  constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = "×10";
  for (const char c : fmt::format("{}", power)) text += c == '-' ? "⁻" : digits[c - '0'];
  return text;
}

std::string approximate(double value) {
  constexpr double largest = 999'500;  // larger numbers and those below `smallest` have a power of ten
  constexpr double smallest = 1e-4;
  const double size = std::abs(value);
  if (!std::isfinite(value) || size == 0 || (size >= smallest && size < 999.5)) return fmt::format("{:.3g}", value);
  if (size < largest && size >= 999.5) return fmt::format("{:.0f}", value);
  const std::string text = fmt::format("{:.2e}", value);
  const std::size_t e = text.find('e');
  return text.substr(0, e) + times_power_of_ten(std::stoi(text.substr(e + 1)));
}

std::string percent(double share) {
  const double value = 100 * share;
  return std::abs(value) < 9.95 ? fmt::format("{:.2g} %", value) : fmt::format("{:.0f} %", value);
}

}  // namespace gfdt
