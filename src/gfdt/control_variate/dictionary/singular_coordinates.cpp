#include "gfdt/control_variate/dictionary/singular_coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "gfdt/control_variate/fit/spreads.hpp"
#include "gfdt/symbolic/expression/range.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::control_variate {
namespace {

using symbolic::Function;
using symbolic::Kind;

/// A formula comes close to zero if it changes sign or falls below this share of its root mean square.
constexpr double close = 1e-2;

/// Collects formulas whose zeros are possible singularities of `formula`, if they depend on the state.
class Zeros {
 public:
  explicit Zeros(const symbolic::Model& model) : model_(model), symbols_(model.parameter_values()) {}

  std::vector<Expression> of(const Expression& formula) {
    found_.clear();
    seen_.clear();
    look(formula);
    return std::move(found_);
  }

 private:
  void look(const Expression& formula) {
    if (!seen_.insert(formula.identity()).second) return;
    const auto operands = formula.operands();
    if (formula.kind() == Kind::power && !smooth_power(operands[1])) add(operands[0]);
    if (formula.kind() == Kind::call && formula.function() == Function::log) add(operands[0]);
    if (formula.kind() == Kind::call && formula.function() == Function::tan)
      add(symbolic::call(Function::cos, {operands[0]}));
    for (const Expression& part : operands) look(part);
  }

  void add(const Expression& zero) {
    const symbolic::Interval range = symbolic::range(zero, symbols_);
    const bool of_state = std::ranges::any_of(
        model_.states, [&](const symbolic::Field& state) { return symbolic::depends_on(zero, state.name); });
    if (of_state && range.contains(0)) found_.push_back(zero);
  }

  /// Whether a power has a continuous first derivative at the zero of its base.
  bool smooth_power(const Expression& exponent) const {
    const symbolic::Interval range = symbolic::range(exponent, symbols_);
    if (range.lower != range.upper) return false;
    return range.lower >= 2 || (range.lower >= 0 && range.lower == std::floor(range.lower));
  }

  const symbolic::Model& model_;
  std::map<std::string, double> symbols_;
  std::vector<Expression> found_;
  std::unordered_set<const symbolic::Node*> seen_;
};

bool comes_close_to_zero(const std::vector<double>& values) {
  double squares = 0, least = std::numeric_limits<double>::infinity();
  for (const double value : values) {
    squares += value * value;
    least = std::min(least, std::abs(value));
  }
  const auto [low, high] = std::ranges::minmax(values);
  return !(low * high > 0) || !(least > close * std::sqrt(squares / static_cast<double>(values.size())));
}

}  // namespace

void remove_singular(std::vector<Coordinate>& coordinates, const symbolic::Model& model,
                     const score::Samples& samples) {
  Zeros zeros(model);
  std::vector<Expression> all;
  std::vector<std::size_t> owner;
  for (std::size_t q = 0; q < coordinates.size(); ++q)
    for (const Expression& zero : zeros.of(coordinates[q].inner)) {
      all.push_back(zero);
      owner.push_back(q);
    }
  if (all.empty()) return;
  const std::vector<std::vector<double>> values = values_at_samples(model, all, samples);
  std::vector<bool> singular(coordinates.size(), false);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (comes_close_to_zero(values[i])) singular[owner[i]] = true;
  std::vector<Coordinate> kept;
  for (std::size_t q = 0; q < coordinates.size(); ++q)
    if (!singular[q]) kept.push_back(std::move(coordinates[q]));
  coordinates = std::move(kept);
}

}  // namespace gfdt::control_variate
