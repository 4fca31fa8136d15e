#pragma once

#include "gfdt/jacobian/remainder/basis.hpp"
#include "gfdt/jacobian/remainder/monomials.hpp"

namespace gfdt::jacobian {

/// Monomials of a few scalar states.
class PolynomialBasis : public Basis {
 public:
  /// For models whose states are scalars. `lanes` as for codegen::make_evaluator.
  PolynomialBasis(const symbolic::Model& model, const std::vector<std::string>& parameters, int degree,
                  StateScale scale, codegen::Backend backend, int lanes);

  Memory memory() const override;
  void evaluate(const double* record, double* functions, double* dynamics, Memory& memory) const override;
  std::vector<double> targets(std::size_t parameter, std::span<const double> means) const override;

 private:
  struct Term {
    std::size_t parameter;
    /// ∂φ_k with respect to the state of a row of J, or half the second derivative with respect to the states of an
    /// entry of M: [function][function], as coefficients of the functions in the second index.
    std::vector<double> derivative;
  };
  Monomials monomials_;
  StateScale scale_;
  std::vector<Term> terms_;
  std::unique_ptr<codegen::Evaluator<double>> dynamics_;
  int lanes_;
};

/// The highest degree with at most 40 monomials and at least `samples_a_function` effective samples per monomial: 6 in
/// one dimension, 4 in three, 3 in four. 0 if no basis is suitable: many dimensions, lattices, short runs.
int basis_degree(const symbolic::Model& model, double effective_samples);

}  // namespace gfdt::jacobian
