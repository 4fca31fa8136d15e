#include "gfdt/symbolic/text/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gfdt/symbolic/expression/evaluate_function.hpp"
#include "gfdt/symbolic/expression/node.hpp"
#include "gfdt/symbolic/text/print_number.hpp"

namespace gfdt::symbolic {
namespace {

enum Precedence { any, disjunction, conjunction, negation, comparison, addition, multiplication, sign, exponent, atom };

struct Text {
  std::string text;
  Precedence precedence = atom;
};

/// A product split into coefficient · Π above / Π below.
struct Quotient {
  explicit Quotient(const Expression& product) {
    for (const Expression& factor : product.kind() == Kind::multiply ? product.operands() : std::span(&product, 1)) {
      Factor split = split_power(factor);
      if (factor.is_number())
        coefficient = factor.value();
      else if (split.exponent.is_number() && split.exponent.value() < 0)
        below.push_back(power(split.base, -split.exponent));
      else
        above.push_back(factor);
    }
  }

  double coefficient = 1;
  std::vector<Expression> above, below;
};

/// Factor by which a product changes when integer powers of sums are written as powers of means.
double means_over_sums(const std::vector<Expression>& factors) {
  double ratio = 1;
  for (const Expression& factor : factors) {
    Factor split = split_power(factor);
    if (split.base.kind() == Kind::sum && split.exponent.is_number() && is_integer(split.exponent.value()))
      ratio *= power_value(1.0 / split.base.bound().size, split.exponent.value());
  }
  return ratio;
}

struct Coefficient {
  Fraction fraction;
  bool means = false;  ///< whether to write sums as means
};

/// The shortest form of the coefficient that `parse` reads back exactly.
Coefficient readable(const Quotient& quotient) {
  const double wanted = quotient.coefficient;
  const double ratio = means_over_sums(quotient.above);
  const double rest = wanted / ratio;
  const bool means = ratio != 1 && ratio * rest == wanted && decimal(rest).size() < decimal(wanted).size();
  const double unit = means ? ratio : 1;
  const double value = means ? rest : wanted;
  if (quotient.below.empty())
    return {small_fraction(value, [=](double p, double q) { return unit * p / q == wanted; }), means};
  // 3*(a + 1.5*b) is stored as 3*a + 4.5*b, from which the factor 3 cannot be recovered.
  const Expression* alone =
      quotient.below.size() == 1 && quotient.below[0].kind() == Kind::add ? &quotient.below[0] : nullptr;
  auto below_reads_as_wanted = [=](double p, double q) {
    return unit * (1 / q) * p == wanted && (!alone || content(scale(*alone, q)) == q);
  };
  return {small_fraction(value, below_reads_as_wanted), means};
}

class Printer {
 public:
  explicit Printer(std::size_t length) : left_(length) {}

  std::string within(const Expression& e, Precedence least) {
    Text inner = print(e);
    return inner.precedence >= least ? inner.text : "(" + inner.text + ")";
  }

 private:
  Text print(const Expression& e) {
    if (left_ == 0) return {"..."};
    switch (e.kind()) {
      case Kind::number:
        return spend(number(e.value()));
      case Kind::symbol:
        return spend({e.name()});
      case Kind::site:
        return spend({site(e)});
      case Kind::add:
        return terms(e);
      case Kind::multiply:
        return product(e);
      case Kind::power:
        return power_or_inverse(e);
      case Kind::sum:
        return {sum(e, false)};
      case Kind::call:
        return call(e);
    }
    return {};
  }

  Text spend(Text text) {
    left_ -= std::min(left_, text.text.size());
    return text;
  }

  static Text number(double value) {
    std::string text = number_text(value);
    if (text.find('/') != std::string::npos) return {text, multiplication};
    return {text, value < 0 ? sign : atom};
  }

  static std::string site(const Expression& e) {
    std::vector<std::string> indices;
    for (const SiteIndex& at : e.indices())
      indices.push_back(at.offset == 0 ? at.index.name : fmt::format("{}{:+}", at.index.name, at.offset));
    return fmt::format("{}[{}]", e.name(), fmt::join(indices, ","));
  }

  Text terms(const Expression& e) {
    std::string text;
    for (const Expression& term : e.operands()) {
      if (left_ == 0) return {text + " ...", addition};
      bool negative = !text.empty() && coefficient_of(term) < 0;
      if (!text.empty()) text += negative ? " - " : " + ";
      text += within(negative ? -term : term, multiplication);
    }
    return {text, addition};
  }

  Text call(const Expression& e) {
    auto x = e.operands();
    switch (e.function()) {
      case Function::less:
        return compared(x[0], "<", ">", x[1]);
      case Function::less_equal:
        return compared(x[0], "<=", ">=", x[1]);
      case Function::equal:
        return compared(x[0], "==", "==", x[1]);
      case Function::logical_and:
        return {joined(x, " and ", negation), conjunction};
      case Function::logical_or:
        return {joined(x, " or ", conjunction), disjunction};
      case Function::logical_not:
        if (x[0].kind() == Kind::call && x[0].function() == Function::equal)
          return compared(x[0].operands()[0], "!=", "!=", x[0].operands()[1]);
        return {"not " + within(x[0], negation), negation};
      default:
        return {fmt::format("{}({})", function_name(e.function()), joined(x, ", ", any))};
    }
  }

  Text compared(const Expression& a, const char* relation, const char* mirrored, const Expression& b) {
    if (a.is_number()) return {within(b, addition) + " " + mirrored + " " + within(a, addition), comparison};
    return {within(a, addition) + " " + relation + " " + within(b, addition), comparison};
  }

  std::string joined(std::span<const Expression> operands, const char* separator, Precedence least) {
    std::string text;
    for (const Expression& operand : operands) {
      if (left_ == 0) return text + " ...";
      if (!text.empty()) text += separator;
      text += within(operand, least);
    }
    return text;
  }

  std::string sum(const Expression& e, bool as_mean) {
    return fmt::format("{}({}, {})", as_mean ? "mean" : "sum", e.bound().name, within(e.operands()[0], any));
  }

  Text power_or_inverse(const Expression& e) {
    const Expression& power = e.operands()[1];
    if (power.is_number() && power.value() < 0) return product(e);
    return {factor(e, false), power.is_number(0.5) ? atom : exponent};
  }

  std::string factor(const Expression& e, bool means) {
    if (e.kind() == Kind::sum) return sum(e, means);
    if (e.kind() != Kind::power) return within(e, exponent);
    const Expression& base = e.operands()[0];
    const Expression& power = e.operands()[1];
    if (power.is_number(0.5)) return "sqrt(" + within(base, any) + ")";
    means = means && power.is_number() && is_integer(power.value());
    return (base.kind() == Kind::sum ? sum(base, means) : within(base, atom)) + "^" + within(power, exponent);
  }

  Text product(const Expression& e) {
    const Quotient quotient(e);
    const auto [fraction, means] = readable(quotient);
    std::vector<std::string> above, below;
    if (std::abs(fraction.numerator) != 1 || quotient.above.empty())
      above.push_back(decimal(std::abs(fraction.numerator)));
    for (const Expression& f : quotient.above) above.push_back(left_ == 0 ? "..." : factor(f, means));
    if (fraction.denominator != 1) below.push_back(decimal(fraction.denominator));
    for (const Expression& f : quotient.below) below.push_back(left_ == 0 ? "..." : factor(f, false));
    std::string text = fmt::format("{}{}", quotient.coefficient < 0 ? "-" : "", fmt::join(above, "*"));
    if (below.size() == 1) text += "/" + below.front();
    if (below.size() > 1) text += fmt::format("/({})", fmt::join(below, "*"));
    return {text, multiplication};
  }

  std::size_t left_;
};

}  // namespace

std::string to_string(const Expression& formula) {
  return Printer(std::numeric_limits<std::size_t>::max()).within(formula, any);
}

std::string abbreviated(const Expression& formula, std::size_t length) { return Printer(length).within(formula, any); }

}  // namespace gfdt::symbolic
