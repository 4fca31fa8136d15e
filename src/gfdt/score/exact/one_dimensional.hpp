#pragma once

#include <memory>
#include <string>

#include "gfdt/codegen/program/kernel.hpp"
#include "gfdt/score/fields/field.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::score {

/// The score of a model with one scalar state, from its formulas. There is no probability flux in one dimension, so
///   s = (2F − D′)/D,  D = ΣΣᵀ.
class ExactOneDimensional : public Field {
 public:
  /// Throws Error for other models, for a model without noise, and for one that cannot be differentiated. Does not
  /// check whether the density can be normalised; see StationaryDensity.
  explicit ExactOneDimensional(const symbolic::Model& model, codegen::Backend backend = codegen::Backend::interpreter);
  ~ExactOneDimensional() override;

  void evaluate(const double* x, int lanes, double* s) const override;
  void differentiate(const double* x, int lanes, int directions, const double* v, double* s, double* sv) const override;
  std::string description() const override;

  /// s and D.
  void score_and_diffusion(const double* x, int lanes, double* s, double* diffusion) const;

  const symbolic::Expression& score() const { return score_; }
  const symbolic::Expression& score_derivative() const { return score_derivative_; }

 private:
  symbolic::Expression score_, score_derivative_;
  std::unique_ptr<codegen::Evaluator<double>> score_evaluator_;       ///< s
  std::unique_ptr<codegen::Evaluator<double>> derivative_evaluator_;  ///< s, s′
  std::unique_ptr<codegen::Evaluator<double>> diffusion_evaluator_;   ///< s, D
};

}  // namespace gfdt::score
