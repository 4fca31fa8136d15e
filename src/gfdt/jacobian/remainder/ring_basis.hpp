#pragma once

#include "gfdt/jacobian/remainder/basis.hpp"

namespace gfdt::jacobian {

/// Sums over the sites of a ring of the monomials, up to degree 4, of a site and the three after it: those that hold
/// the first, for the others are the same sums.
class RingBasis : public Basis {
 public:
  static constexpr int neighbours = 4, highest_degree = 4;

  /// Whether the model is one field over one ring of enough sites.
  static bool suits(const symbolic::Model& model);
  /// Functions, the constant included.
  static int count();

  /// `lanes` as for codegen::make_evaluator.
  RingBasis(const symbolic::Model& model, const std::vector<std::string>& parameters, const StateScale& scale,
            codegen::Backend backend, int lanes);

  Memory memory() const override;
  void evaluate(const double* record, double* functions, double* dynamics, Memory& memory) const override;
  std::vector<double> targets(std::size_t parameter, std::span<const double> means) const override;

 private:
  std::vector<std::size_t> first_row_;                  ///< of each parameter among the dynamics rows
  std::unique_ptr<codegen::Evaluator<double>> values_;  ///< of the functions
  std::unique_ptr<codegen::Evaluator<double>> dynamics_;  ///< J·∇φ + ½M:∇∇φ, [parameter][function but the constant]
};

}  // namespace gfdt::jacobian
