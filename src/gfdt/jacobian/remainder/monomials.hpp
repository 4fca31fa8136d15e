#pragma once

#include <span>
#include <vector>

namespace gfdt::jacobian {

/// All monomials of some variables up to a degree, the constant first. Each is a variable times an earlier monomial.
class Monomials {
 public:
  Monomials(int variables, int degree);

  int variables() const { return variables_; }
  int degree() const { return degree_; }
  int count() const { return static_cast<int>(parts_.size()); }

  /// Exponents of every monomial, one per variable.
  std::vector<std::vector<int>> exponents() const;

  /// z: [variable][lane]; values: [monomial][lane].
  void evaluate(const double* z, int lanes, double* values) const;

  /// The coefficients of ∂_j p for a polynomial p = Σ c_k φ_k; its degree is smaller.
  std::vector<double> derivative(std::span<const double> coefficients, int variable) const;

 private:
  struct Part {
    int parent = 0, variable = 0;  ///< φ = φ_parent z_variable; not set for the constant
    std::vector<int> exponents;
    std::vector<int> lowered;  ///< for each variable the monomial with its exponent reduced by one; −1 if there is none
  };
  int variables_, degree_;
  std::vector<Part> parts_;
};

}  // namespace gfdt::jacobian
