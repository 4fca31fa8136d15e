#include "gfdt/symbolic/text/print_number.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace gfdt::symbolic {
namespace {

constexpr std::size_t short_decimal = 8;
constexpr double largest_numerator = 1000;
constexpr int largest_denominator = 1000;

}  // namespace

std::string decimal(double value) { return value == std::numbers::pi ? "pi" : fmt::format("{}", value); }

Fraction small_fraction(double value, const std::function<bool(double, double)>& reads_as_wanted) {
  if (decimal(value).size() <= short_decimal || std::abs(value) > largest_numerator) return {value, 1};
  for (int denominator = 2; denominator <= largest_denominator; ++denominator) {
    const double q = denominator, p = std::round(value * q);
    if (p != 0 && std::abs(p) <= largest_numerator && reads_as_wanted(p, q)) return {p, q};
  }
  return {value, 1};
}

std::string number_text(double value) {
  Fraction fraction = small_fraction(value, [value](double p, double q) { return p / q == value; });
  if (fraction.denominator == 1) return decimal(value);
  return decimal(fraction.numerator) + "/" + decimal(fraction.denominator);
}

}  // namespace gfdt::symbolic
