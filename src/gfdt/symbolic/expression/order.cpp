#include <algorithm>
#include <compare>
#include <limits>

#include "gfdt/symbolic/expression/node.hpp"

namespace gfdt::symbolic {
namespace {

using Order = std::strong_ordering;

// Different formulas never compare equal. Each comparison therefore descends only into the first difference, so that
// its cost is bounded by the depth of the formula and not by its expanded size.
Order compare_terms(const Expression& a, const Expression& b);
Order compare_factors(const Expression& a, const Expression& b);

Order compare_numbers(double a, double b) { return a < b ? Order::less : a > b ? Order::greater : Order::equal; }

template <auto compare>
Order compare_lists(std::span<const Expression> a, std::span<const Expression> b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (a[i] != b[i]) return compare(a[i], b[i]);
  return a.size() <=> b.size();
}

int rank(Kind kind) {
  switch (kind) {
    case Kind::number:
      return 0;
    case Kind::symbol:
      return 1;
    case Kind::site:
      return 2;
    case Kind::call:
      return 3;
    case Kind::power:
      return 4;
    case Kind::multiply:
      return 5;
    case Kind::add:
      return 6;
    case Kind::sum:
      return 7;
  }
  return 8;
}

Order compare_sites(const Expression& a, const Expression& b) {
  if (auto order = a.name() <=> b.name(); order != 0) return order;
  for (std::size_t i = 0; i < std::min(a.indices().size(), b.indices().size()); ++i) {
    const SiteIndex& left = a.indices()[i];
    const SiteIndex& right = b.indices()[i];
    if (auto order = left.index.name <=> right.index.name; order != 0) return order;
    if (auto order = left.offset <=> right.offset; order != 0) return order;
    if (auto order = left.index.size <=> right.index.size; order != 0) return order;
  }
  return a.indices().size() <=> b.indices().size();
}

Order compare_sums(const Expression& a, const Expression& b) {
  if (auto order = a.bound().name <=> b.bound().name; order != 0) return order;
  if (auto order = a.bound().size <=> b.bound().size; order != 0) return order;
  return compare_terms(a.operands()[0], b.operands()[0]);
}

Order compare_calls(const Expression& a, const Expression& b) {
  if (auto order = a.function() <=> b.function(); order != 0) return order;
  return compare_lists<compare_terms>(a.operands(), b.operands());
}

Order compare_bases(const Expression& a, const Expression& b) {
  if (auto order = rank(a.kind()) <=> rank(b.kind()); order != 0) return order;
  if (auto order = a.depth() <=> b.depth(); order != 0) return order;
  switch (a.kind()) {
    case Kind::number:
      return compare_numbers(a.value(), b.value());
    case Kind::symbol:
      return a.name() <=> b.name();
    case Kind::site:
      return compare_sites(a, b);
    case Kind::call:
      return compare_calls(a, b);
    case Kind::power:
      return compare_factors(a, b);
    case Kind::multiply:
      return compare_lists<compare_factors>(a.operands(), b.operands());
    case Kind::add:
      return compare_lists<compare_terms>(a.operands(), b.operands());
    case Kind::sum:
      return compare_sums(a, b);
  }
  return Order::equal;
}

/// By base, then by descending power: x^2, x, x^a.
Order compare_factors(const Expression& a, const Expression& b) {
  const bool a_is_power = a.kind() == Kind::power, b_is_power = b.kind() == Kind::power;
  const Expression& a_base = a_is_power ? a.operands()[0] : a;
  const Expression& b_base = b_is_power ? b.operands()[0] : b;
  if (a_base != b_base) return compare_bases(a_base, b_base);
  auto number_or = [](bool is_power, const Expression& e, double otherwise) {
    if (!is_power) return 1.0;
    return e.operands()[1].is_number() ? e.operands()[1].value() : otherwise;
  };
  constexpr double after_all_numbers = -std::numeric_limits<double>::infinity();
  const double a_number = number_or(a_is_power, a, after_all_numbers);
  const double b_number = number_or(b_is_power, b, after_all_numbers);
  if (a_number != b_number) return compare_numbers(b_number, a_number);
  return a_is_power && b_is_power ? compare_terms(a.operands()[1], b.operands()[1]) : Order::equal;
}

Order compare_terms(const Expression& a, const Expression& b) {
  if (a == b) return Order::equal;
  if (a.is_number() || b.is_number()) {
    if (a.is_number() && b.is_number()) return compare_numbers(a.value(), b.value());
    return a.is_number() ? Order::less : Order::greater;
  }
  if (auto order = a.identity()->degree <=> b.identity()->degree; order != 0) return order;
  struct Monomial {
    explicit Monomial(const Expression& term) : factors(&term, 1) {
      if (term.kind() != Kind::multiply) return;
      factors = term.operands();
      if (!factors.front().is_number()) return;
      coefficient = factors.front().value();
      factors = factors.subspan(1);
    }
    double coefficient = 1;
    std::span<const Expression> factors;
  };
  Monomial left(a);
  Monomial right(b);
  if (auto order = compare_lists<compare_factors>(left.factors, right.factors); order != 0) return order;
  return compare_numbers(left.coefficient, right.coefficient);
}

}  // namespace

bool precedes(const Expression& a, const Expression& b) { return compare_terms(a, b) < 0; }

bool factor_precedes(const Expression& a, const Expression& b) { return a != b && compare_factors(a, b) < 0; }

}  // namespace gfdt::symbolic
