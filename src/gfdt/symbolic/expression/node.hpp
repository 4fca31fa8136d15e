#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// What an Expression points to. Only this folder looks inside.
struct Node {
  Kind kind = Kind::number;
  Function function = Function::exp;
  double value = 0;
  std::string name;
  std::vector<SiteIndex> indices;
  Index bound;
  std::vector<Expression> operands;

  // Derived from the above.
  std::vector<Index> open;  ///< free indices, sorted by name
  std::vector<std::string> open_names;
  std::size_t hash = 0;
  int degree = 0;  ///< total polynomial degree; anything but a polynomial counts as a variable
  int depth = 0;

  /// The one node with this content.
  static Expression intern(Node content);

  static Expression raw_add(std::vector<Expression> terms);
  static Expression raw_multiply(std::vector<Expression> factors);
  static Expression raw_power(const Expression& base, const Expression& exponent);
  static Expression raw_call(Function function, std::vector<Expression> arguments);
  static Expression raw_sum(const Index& index, const Expression& body);
};

/// A term as coefficient · monomial; the monomial is 1 for a number.
struct Term {
  double coefficient = 1;
  Expression monomial;
};
Term split_coefficient(const Expression& term);
double coefficient_of(const Expression& term);

/// The number of which all coefficients of a sum of terms are whole multiples, one of them once; 1 where there is none
/// or a term stands without a coefficient, as in X - mean/36; with the sign of the first term. Sums of terms in
/// products and whole powers are kept with content 1: 1/(2*a + 4*b) is 0.5/(a
/// + 2*b).
double content(const Expression& terms);

/// A factor as base ^ exponent.
struct Factor {
  Expression base;
  Expression exponent;
};
Factor split_power(const Expression& factor);

/// formula · numerator / denominator, rounded once for each of the two.
Expression scale(const Expression& formula, double numerator, double denominator = 1);

/// The value itself; throws Error with a sentence about `what` when it is infinite or not a number.
double finite(double value, const char* what);

bool is_integer(double value);

/// The order in which factors are kept: symbols by name, sites, functions, sums; powers beside their base.
bool factor_precedes(const Expression& a, const Expression& b);

bool has_free_index(const Expression& formula, const std::string& index);

/// Whether `part` is a subformula.
bool contains(const Expression& formula, const Expression& part);

}  // namespace gfdt::symbolic
