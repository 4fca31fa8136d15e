#include <fmt/format.h>

#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/expression/node.hpp"

namespace gfdt::symbolic {
namespace {

void check_size(const Index& index, const Expression& body) {
  if (index.size < 1) throw Error(fmt::format("The index {} needs at least one site.", index.name));
  for (const Index& open : body.identity()->open)
    if (open.name == index.name && open.size != index.size)
      throw Error(
          fmt::format("The index {} has {} sites in one place and {} in another.", index.name, open.size, index.size));
}

/// Splits Σ_k (a + b X_k) into a constant part and b Σ_k X_k. `constant` sums a part that does not depend on the index,
/// `varying` any other part.
template <class Constant, class Varying>
Expression part(const Index& index, const Expression& body, const Constant& constant, const Varying& varying) {
  if (!has_free_index(body, index.name)) return constant(body);
  if (body.kind() != Kind::add && body.kind() != Kind::multiply) return varying(body);
  std::vector<Expression> outside, inside;
  for (const Expression& operand : body.operands())
    (has_free_index(operand, index.name) ? inside : outside).push_back(operand);
  if (body.kind() == Kind::multiply) {
    if (outside.empty()) return varying(body);
    outside.push_back(part(index, multiply(std::move(inside)), constant, varying));
    return multiply(std::move(outside));
  }
  if (outside.empty()) return varying(body);
  return constant(add(std::move(outside))) + part(index, add(std::move(inside)), constant, varying);
}

}  // namespace

Expression sum(const Index& index, const Expression& body) {
  check_size(index, body);
  return part(
      index, body, [&](const Expression& e) { return scale(e, index.size); },
      [&](const Expression& e) { return Node::raw_sum(index, e); });
}

Expression mean(const Index& index, const Expression& body) {
  check_size(index, body);
  return part(
      index, body, [](const Expression& e) { return e; },
      [&](const Expression& e) { return scale(Node::raw_sum(index, e), 1, index.size); });
}

}  // namespace gfdt::symbolic
