#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// Shared content of an Expression. Private to this folder.
struct Node {
  Kind kind = Kind::number;
  Function function = Function::exp;
  double value = 0;
  std::string name;
  std::vector<SiteIndex> indices;
  Index bound;
  std::vector<Expression> operands;

  // Computed from the members above.
  std::vector<Index> open;  ///< free indices, sorted by name
  std::vector<std::string> open_names;
  std::size_t hash = 0;
  int degree = 0;  ///< total polynomial degree; a part that is not a polynomial counts as a variable
  int depth = 0;

  /// Returns the unique node with this content.
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

/// Common factor of the coefficients of a sum: the coefficient of smallest magnitude if all others are integer
/// multiples of it, with the sign of the first term. 1 otherwise, and if any term has no coefficient, as in X -
/// mean/36. Sums in products and integer powers are stored with content 1: 1/(2*a + 4*b) is 0.5/(a + 2*b).
double content(const Expression& terms);

/// A factor as a power of a base.
struct Factor {
  Expression base;
  Expression exponent;
};
Factor split_power(const Expression& factor);

/// formula · numerator / denominator, rounded after each of the two operations.
Expression scale(const Expression& formula, double numerator, double denominator = 1);

/// Returns the value. Throws Error with a sentence about `what` if it is infinite or NaN.
double finite(double value, const char* what);

bool is_integer(double value);

/// Order in which factors are stored: symbols by name, sites, functions, sums; powers next to their base.
bool factor_precedes(const Expression& a, const Expression& b);

bool has_free_index(const Expression& formula, const std::string& index);

/// Whether `part` is a subformula.
bool contains(const Expression& formula, const Expression& part);

}  // namespace gfdt::symbolic
