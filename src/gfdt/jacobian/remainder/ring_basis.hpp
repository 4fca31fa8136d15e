#pragma once

#include "gfdt/jacobian/remainder/basis.hpp"

namespace gfdt::jacobian {

/// Sums over the sites of a ring of monomials, up to degree 4, of a site and the three after it. Only monomials that
/// contain the first site are used, since the others give the same sums.
class RingBasis : public Basis {
 public:
  static constexpr int neighbours = 4, highest_degree = 4;

  /// Whether the model is one field on one ring with enough sites.
  static bool suits(const symbolic::Model& model);
  /// Number of functions, including the constant.
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
