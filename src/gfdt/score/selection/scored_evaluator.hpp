#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "gfdt/codegen/program/kernel.hpp"
#include "gfdt/score/fields/field.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::score {

/// Values of formulas of a model's states, its score s.x and its score Jacobian ds.x.y
/// (symbolic/derived/conjugate.hpp), with the score from a field: conjugates, the stationarity residual. Rows of a
/// block are the model's state variables in the order of a run's record, and so are the components of the field.
class ScoredEvaluator {
 public:
  /// Formulas have no open index. `lanes` as for codegen::make_evaluator. Throws Error where field and model have
  /// different dimensions, or where a formula holds an entry of the score Jacobian that D = ΣΣᵀ does not.
  ScoredEvaluator(const symbolic::Model& model, const std::vector<symbolic::Expression>& formulas, const Field& field,
                  codegen::Backend backend, int lanes = 0);

  int dimension() const { return field_.dimension(); }
  int lanes() const { return evaluator_->lanes(); }
  int outputs() const { return evaluator_->outputs(); }
  /// Entries of ∇s that the formulas hold, in the order of their rows.
  const std::vector<JacobianEntry>& entries() const { return entries_; }

  /// What one thread needs.
  struct Memory {
    codegen::AlignedArray<double> record, scratch;
  };
  Memory memory() const;

  /// record: `samples` of [rows][lanes]; values: as many of [outputs][lanes].
  void evaluate(const double* record, std::uint64_t samples, double* values, Memory& memory) const;

  /// The same with scores from elsewhere: called for every sample with its states, it writes s and, where there are
  /// any, the entries() of ∇s.
  using ScoreRows = std::function<void(const double* x, double* s, double* entries)>;
  void evaluate(const ScoreRows& score, const double* record, std::uint64_t samples, double* values,
                Memory& memory) const;

 private:
  const Field& field_;
  std::vector<JacobianEntry> entries_;
  std::unique_ptr<codegen::Evaluator<double>> evaluator_;
};

}  // namespace gfdt::score
