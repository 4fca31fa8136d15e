#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gfdt::symbolic {

/// A periodic index set, such as `k` over 36 sites.
struct Index {
  std::string name;
  int size = 0;
  friend bool operator==(const Index&, const Index&) = default;
};

/// One index of a site, such as `k-2` in X[k-2]. Offsets are periodic and kept in (-size/2, size/2].
struct SiteIndex {
  Index index;
  int offset = 0;
  friend bool operator==(const SiteIndex&, const SiteIndex&) = default;
};

enum class Kind {
  number,    ///< 2.5
  symbol,    ///< a parameter, a scalar state or a scalar noise
  site,      ///< X[k-2]: a site of a field, relative to the site of the formula
  sum,       ///< sum(j, body) over all sites of an index set
  add,       ///< two or more terms
  multiply,  ///< two or more factors
  power,     ///< base ^ exponent; sqrt(x) is x^0.5 and 1/x is x^-1
  call,      ///< a function of one or more arguments
};

// clang-format off
enum class Function {
  exp, log, sin, cos, tan, sinh, cosh, tanh, atan, abs, sign, erf,
  min, max,                              // two arguments
  less, less_equal, equal,               // two arguments, value 1 or 0; other comparisons are expressed by these
  logical_and, logical_or, logical_not,  // and, or: at least two arguments; any nonzero value is true
};
// clang-format on

struct Node;

/// A formula: an immutable value. Equal formulas share one node, so that `==` compares addresses and a formula is a
/// directed acyclic graph without repeated subexpressions.
///
/// Every constructor function below returns a canonical form: flat, ordered sums and products, with like terms
/// collected and numbers folded. These simplifications hold wherever both sides are defined (x/x is 1, sqrt(x)^2 is x).
class Expression {
 public:
  Expression() : Expression(0.0) {}
  Expression(double value);  // NOLINT(google-explicit-constructor): numbers are formulas

  static Expression symbol(const std::string& name);
  static Expression site(const std::string& field, std::vector<SiteIndex> indices);

  Kind kind() const;
  bool is_number() const { return kind() == Kind::number; }
  bool is_number(double value) const { return is_number() && this->value() == value; }

  double value() const;                          ///< value of a number
  const std::string& name() const;               ///< name of a symbol; name of the field of a site
  std::span<const SiteIndex> indices() const;    ///< indices of a site, in the field's order
  const Index& bound() const;                    ///< index of a sum
  Function function() const;                     ///< function of a call
  std::span<const Expression> operands() const;  ///< terms, factors, (base, exponent), arguments, or the body of a sum

  /// Sorted names of the free indices: k for X[k] - sum(j, Y[j,k]).
  std::span<const std::string> free_indices() const;

  std::size_t hash() const;  ///< identical in every process
  int depth() const;         ///< length of the longest path to a leaf; constructors throw Error beyond `deepest`
  const Node* identity() const { return node_.get(); }  ///< address of the shared node, for use as a key

  static constexpr int deepest = 2000;

  friend bool operator==(const Expression& a, const Expression& b) { return a.node_ == b.node_; }

 private:
  explicit Expression(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  friend struct Node;
  std::shared_ptr<const Node> node_;
};

/// Strict weak order by content, in which terms are stored: numbers first, then by polynomial degree, then by name. In
/// products the order is numbers, symbols, sites, functions, sums.
bool precedes(const Expression& a, const Expression& b);

/// Constructors of canonical formulas. They throw Error if a number is not finite, if a function has the wrong number
/// of arguments, or if an index has different sizes in different places.
Expression add(std::vector<Expression> terms);
Expression multiply(std::vector<Expression> factors);
Expression power(const Expression& base, const Expression& exponent);
Expression call(Function function, std::vector<Expression> arguments);
Expression sum(const Index& index, const Expression& body);
Expression mean(const Index& index, const Expression& body);

Expression operator+(const Expression& a, const Expression& b);
Expression operator-(const Expression& a, const Expression& b);
Expression operator*(const Expression& a, const Expression& b);
Expression operator/(const Expression& a, const Expression& b);
Expression operator-(const Expression& a);
Expression sqrt(const Expression& a);

/// Name of a function in formulas, such as `tanh` or `min`; empty for operators.
const char* function_name(Function function);

struct ExpressionHash {
  std::size_t operator()(const Expression& e) const { return e.hash(); }
};

}  // namespace gfdt::symbolic
