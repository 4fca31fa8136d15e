#include "gfdt/codegen/program/loop_builder.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>

#include "gfdt/codegen/program/nested_form.hpp"

namespace gfdt::codegen {

using symbolic::Function;
using symbolic::Kind;
using symbolic::SiteIndex;

LoopBuilder::LoopBuilder(Environment& environment, std::vector<Index> indices) : environment_(environment) {
  loop_.bodies.resize(indices.size() + 1);
  loop_.indices = std::move(indices);
}

void LoopBuilder::assign(const Expression& e, int target_buffer) {
  Operand result = value(e);
  loop_.bodies.back().push_back({Op::copy, home(target_buffer), result, {}, {}});
}

void LoopBuilder::accumulate(const Expression& e, int target_buffer) {
  Operand result = value(e);
  int total = static_cast<int>(depth_of_temporary_.size());
  depth_of_temporary_.push_back(static_cast<int>(loop_.indices.size()) - 1);
  loop_.accumulations.push_back({total, result, home(target_buffer)});
}

Loop LoopBuilder::finish() {
  write_in_place();
  loop_.temporaries = static_cast<int>(depth_of_temporary_.size());
  return std::move(loop_);
}

/// Computes a temporary directly in a row of a buffer if it is only copied there.
void LoopBuilder::write_in_place() {
  std::vector<int> uses(depth_of_temporary_.size(), 0);
  auto count = [&](const Operand& o) {
    if (o.kind == Operand::Kind::temporary) ++uses[static_cast<std::size_t>(o.index)];
  };
  for (const auto& body : loop_.bodies)
    for (const Instruction& i : body) count(i.a), count(i.b), count(i.c);
  for (const Accumulation& a : loop_.accumulations) count(a.value);
  auto& body = loop_.bodies.back();
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i].op != Op::copy || body[i].a.kind != Operand::Kind::temporary) continue;
    if (uses[static_cast<std::size_t>(body[i].a.index)] != 1) continue;
    auto source = std::find_if(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(i),
                               [&](const Instruction& other) { return other.target == body[i].a; });
    if (source == body.begin() + static_cast<std::ptrdiff_t>(i)) continue;
    source->target = body[i].target;
    body[i].op = Op::copy;
    body[i].target = {};
  }
  std::erase_if(body, [](const Instruction& i) { return i.target.kind == Operand::Kind::none; });
}

int LoopBuilder::depth(const Operand& operand) const {
  if (operand.kind == Operand::Kind::temporary) return depth_of_temporary_[static_cast<std::size_t>(operand.index)];
  int deepest = 0;
  if (operand.kind == Operand::Kind::element)
    for (const Element::Step& step : loop_.elements[static_cast<std::size_t>(operand.index)].steps)
      deepest = std::max(deepest, step.loop + 1);
  return deepest;
}

Operand LoopBuilder::emit(Op op, Operand a, Operand b, Operand c) {
  int level = std::max({depth(a), depth(b), depth(c)});
  Operand target{Operand::Kind::temporary, static_cast<int>(depth_of_temporary_.size())};
  depth_of_temporary_.push_back(level);
  loop_.bodies[static_cast<std::size_t>(level)].push_back({op, target, a, b, c});
  return target;
}

Operand LoopBuilder::element(int buffer, std::span<const SiteIndex> indices) {
  const Field& field = environment_.program().buffers[static_cast<std::size_t>(buffer)].field;
  std::vector<int> stride = strides(field, environment_.options().index_order);
  Element e{buffer, {}};
  for (std::size_t i = 0; i < indices.size(); ++i) {
    auto place = std::ranges::find(loop_.indices, indices[i].index);
    assert(place != loop_.indices.end());
    e.steps.push_back({static_cast<int>(place - loop_.indices.begin()), indices[i].offset, stride[i]});
  }
  auto known = std::ranges::find(loop_.elements, e);
  if (known == loop_.elements.end()) known = loop_.elements.insert(known, e);
  return {Operand::Kind::element, static_cast<int>(known - loop_.elements.begin())};
}

Operand LoopBuilder::home(int buffer) {
  std::vector<SiteIndex> here;
  for (const Index& index : environment_.program().buffers[static_cast<std::size_t>(buffer)].field.indices)
    here.push_back({index, 0});
  return element(buffer, here);
}

Operand LoopBuilder::value(const Expression& e) {
  if (environment_.uniform(e)) return environment_.uniform_operand(e);
  if (auto known = known_.find(e); known != known_.end()) return known->second;
  Operand result = compute(e);
  known_.emplace(e, result);
  return result;
}

Operand LoopBuilder::compute(const Expression& e) {
  switch (e.kind()) {
    case Kind::symbol:
      return element(environment_.buffer_of(e.name()), {});
    case Kind::site:
      return element(environment_.buffer_of(e.name()), e.indices());
    case Kind::sum:
      return home(environment_.buffer_of_sum(e));
    case Kind::add:
      return sum_of_terms(e);
    case Kind::multiply:
      return product(e);
    case Kind::power:
      return power(e.operands()[0], e.operands()[1]);
    case Kind::call:
      return call(e);
    case Kind::number:
      break;
  }
  std::abort();
}

Operand LoopBuilder::sum_of_terms(const Expression& e) {
  auto uniform = [this](const Expression& part) { return environment_.uniform(part); };
  Expression constant;
  std::vector<ScaledTerm> terms;
  for (const Expression& term : e.operands()) {
    if (uniform(term))
      constant = constant + term;
    else
      terms.push_back(split_uniform(term, uniform));
  }
  Operand total;
  if (!constant.is_number(0)) {
    total = environment_.uniform_operand(constant);
  } else {
    auto first = std::ranges::find_if(terms, [](const ScaledTerm& t) { return t.coefficient.is_number(1); });
    if (first == terms.end()) first = terms.begin();
    total = value(first->coefficient * first->rest);
    terms.erase(first);
  }
  for (const ScaledTerm& term : terms) {
    if (term.coefficient.is_number(-1)) {
      total = emit(Op::subtract, total, value(term.rest));
    } else if (!term.coefficient.is_number(1)) {
      total = emit(Op::multiply_add, environment_.uniform_operand(term.coefficient), value(term.rest), total);
    } else if (term.rest.kind() == Kind::multiply && !known_.contains(term.rest)) {
      std::vector<Expression> others(term.rest.operands().begin() + 1, term.rest.operands().end());
      total =
          emit(Op::multiply_add, value(term.rest.operands()[0]), value(symbolic::multiply(std::move(others))), total);
    } else {
      total = emit(Op::add, total, value(term.rest));
    }
  }
  return total;
}

Operand LoopBuilder::product(const Expression& e) {
  auto [coefficient, rest] = split_uniform(e, [this](const Expression& part) { return environment_.uniform(part); });
  if (!coefficient.is_number(1)) {
    Operand inner = value(rest);
    if (coefficient.is_number(-1)) return emit(Op::negate, inner);
    return emit(Op::multiply, environment_.uniform_operand(coefficient), inner);
  }
  std::vector<Expression> above, below;
  for (const Expression& factor : e.operands()) {
    bool inverse = factor.kind() == Kind::power && factor.operands()[1].is_number() && factor.operands()[1].value() < 0;
    (inverse ? below : above).push_back(inverse ? 1.0 / factor : factor);
  }
  if (!below.empty()) {
    Operand denominator = value(symbolic::multiply(std::move(below)));
    return emit(Op::divide, above.empty() ? number(1) : value(symbolic::multiply(std::move(above))), denominator);
  }
  Operand total = value(above[0]);
  for (std::size_t i = 1; i < above.size(); ++i) total = emit(Op::multiply, total, value(above[i]));
  return total;
}

Operand LoopBuilder::whole_power(const Operand& base, int exponent) {
  if (exponent == 1) return base;
  Operand half = whole_power(base, exponent / 2);
  Operand square = emit(Op::multiply, half, half);
  return exponent % 2 == 0 ? square : emit(Op::multiply, square, base);
}

Operand LoopBuilder::power(const Expression& base, const Expression& exponent) {
  constexpr double largest_unrolled = 64;
  if (exponent.is_number()) {
    double n = exponent.value();
    if (n < 0) return emit(Op::divide, number(1), value(1.0 / symbolic::power(base, exponent)));
    if (n == std::floor(n) && n <= largest_unrolled) return whole_power(value(base), static_cast<int>(n));
    if (n == 0.5) return emit(Op::sqrt, value(base));
    if (2 * n == std::floor(2 * n) && n <= largest_unrolled)
      return emit(Op::multiply, value(symbolic::power(base, n - 0.5)), value(symbolic::sqrt(base)));
  }
  return emit(Op::power, value(base), value(exponent));
}

Operand LoopBuilder::call(const Expression& e) {
  auto op = [](Function f) {
    switch (f) {
      case Function::exp:
        return Op::exp;
      case Function::log:
        return Op::log;
      case Function::sin:
        return Op::sin;
      case Function::cos:
        return Op::cos;
      case Function::tan:
        return Op::tan;
      case Function::sinh:
        return Op::sinh;
      case Function::cosh:
        return Op::cosh;
      case Function::tanh:
        return Op::tanh;
      case Function::atan:
        return Op::atan;
      case Function::abs:
        return Op::abs;
      case Function::sign:
        return Op::sign;
      case Function::erf:
        return Op::erf;
      case Function::min:
        return Op::min;
      case Function::max:
        return Op::max;
      case Function::less:
        return Op::less;
      case Function::less_equal:
        return Op::less_equal;
      case Function::equal:
        return Op::equal;
      case Function::logical_and:
        return Op::logical_and;
      case Function::logical_or:
        return Op::logical_or;
      case Function::logical_not:
        return Op::logical_not;
    }
    std::abort();
  }(e.function());
  auto arguments = e.operands();
  if (arguments.size() == 1) return emit(op, value(arguments[0]));
  Operand total = value(arguments[0]);
  for (std::size_t i = 1; i < arguments.size(); ++i) total = emit(op, total, value(arguments[i]));
  return total;
}

}  // namespace gfdt::codegen
