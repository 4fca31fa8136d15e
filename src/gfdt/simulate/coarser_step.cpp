#include "gfdt/simulate/coarser_step.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "gfdt/symbolic/expression/range.hpp"

namespace gfdt::simulate {
namespace {

using symbolic::Expression;
using symbolic::Kind;

/// Whether a formula contains a root whose argument may be zero.
bool has_root(const Expression& formula, const std::map<std::string, double>& parameters) {
  const auto operands = formula.operands();
  if (formula.kind() == Kind::power) {
    const symbolic::Interval exponent = symbolic::range(operands[1], parameters);
    if (exponent.upper > 0 && exponent.lower < 1 && symbolic::range(operands[0], parameters).contains(0)) return true;
  }
  return std::ranges::any_of(operands, [&](const Expression& part) { return has_root(part, parameters); });
}

/// Schemes have order ½ near zeros of a root in the noise, as in a square-root process that reaches zero.
constexpr double order_at_roots = 0.5;

double weak_order(const symbolic::Model& model, Scheme scheme) {
  const std::map<std::string, double> parameters = model.parameter_values();
  if (std::ranges::any_of(model.diffusion, [&](const auto& term) { return has_root(term.amplitude, parameters); }))
    return order_at_roots;
  switch (scheme) {
    case Scheme::weak2:
      return 2;
    case Scheme::rk4:
      return model.diffusion.empty() ? 4 : 1;
    case Scheme::euler_maruyama:
      break;
  }
  return 1;
}

}  // namespace

Options with_coarser_step(Options options, int ratio) {
  options.dt *= ratio;
  options.cadence = std::max(1, options.cadence / ratio);
  return options;
}

double excess_bias(const symbolic::Model& model, Scheme scheme, int ratio) {
  return std::pow(ratio, weak_order(model, scheme)) - 1;
}

}  // namespace gfdt::simulate
