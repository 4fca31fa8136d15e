#include "gfdt/symbolic/expression/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/expression/node.hpp"

namespace gfdt::symbolic {
namespace {

/// The equivalent periodic offset in (-size/2, size/2].
int nearest_offset(int offset, int size) {
  int forward = ((offset % size) + size) % size;
  return forward > size / 2 ? forward - size : forward;
}

}  // namespace

Expression::Expression(double value) {
  Node node;
  node.value = finite(value, "A number in a formula") + 0.0;  // -0 becomes 0
  *this = Node::intern(std::move(node));
}

Expression Expression::symbol(const std::string& name) {
  Node node;
  node.kind = Kind::symbol;
  node.name = name;
  return Node::intern(std::move(node));
}

Expression Expression::site(const std::string& field, std::vector<SiteIndex> indices) {
  for (SiteIndex& site : indices) {
    if (site.index.size < 1)
      throw Error(fmt::format("The index {} of {} needs at least one site.", site.index.name, field));
    site.offset = nearest_offset(site.offset, site.index.size);
  }
  Node node;
  node.kind = Kind::site;
  node.name = field;
  node.indices = std::move(indices);
  return Node::intern(std::move(node));
}

Kind Expression::kind() const { return node_->kind; }

double Expression::value() const {
  assert(is_number());
  return node_->value;
}

const std::string& Expression::name() const {
  assert(kind() == Kind::symbol || kind() == Kind::site);
  return node_->name;
}

std::span<const SiteIndex> Expression::indices() const { return node_->indices; }

const Index& Expression::bound() const {
  assert(kind() == Kind::sum);
  return node_->bound;
}

Function Expression::function() const {
  assert(kind() == Kind::call);
  return node_->function;
}

std::span<const Expression> Expression::operands() const { return node_->operands; }
std::span<const std::string> Expression::free_indices() const { return node_->open_names; }
std::size_t Expression::hash() const { return node_->hash; }
int Expression::depth() const { return node_->depth; }

bool has_free_index(const Expression& formula, const std::string& index) {
  return std::ranges::binary_search(formula.free_indices(), index);
}

double finite(double value, const char* what) {
  if (!std::isfinite(value)) throw Error(fmt::format("{} is not finite.", what));
  return value;
}

bool is_integer(double value) { return std::trunc(value) == value; }

Expression rebuild(const Expression& formula, std::vector<Expression> operands) {
  switch (formula.kind()) {
    case Kind::add:
      return add(std::move(operands));
    case Kind::multiply:
      return multiply(std::move(operands));
    case Kind::power:
      return power(operands[0], operands[1]);
    case Kind::call:
      return call(formula.function(), std::move(operands));
    case Kind::sum:
      return sum(formula.bound(), operands[0]);
    default:
      return formula;
  }
}

}  // namespace gfdt::symbolic
