#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "gfdt/codegen/program/kernel.hpp"
#include "gfdt/score/fields/field.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::score {

/// Evaluates formulas of a model's states, its score s.x and its score Jacobian ds.x.y
/// (symbolic/derived/conjugate.hpp), with the score from a field. Such formulas are conjugate observables and the
/// stationarity residual. Rows of a block are the state variables of the model in the order of a run's record; the
/// components of the field have the same order.
class ScoredEvaluator {
 public:
  /// Formulas must have no open index. `lanes` as for codegen::make_evaluator. Throws Error if field and model have
  /// different dimensions, or if a formula contains an entry of the score Jacobian that is not an entry of D = ΣΣᵀ.
  ScoredEvaluator(const symbolic::Model& model, const std::vector<symbolic::Expression>& formulas, const Field& field,
                  codegen::Backend backend, int lanes = 0);

  int dimension() const { return field_.dimension(); }
  int lanes() const { return evaluator_->lanes(); }
  int outputs() const { return evaluator_->outputs(); }
  /// Entries of ∇s that occur in the formulas, in the order of their rows.
  const std::vector<JacobianEntry>& entries() const { return entries_; }

  /// Working memory of one thread.
  struct Memory {
    codegen::AlignedArray<double> record, scratch;
  };
  Memory memory() const;

  /// record: `samples` times [rows][lanes]; values: `samples` times [outputs][lanes].
  void evaluate(const double* record, std::uint64_t samples, double* values, Memory& memory) const;

  /// The same with scores from elsewhere: `score` is called for every sample with its states; it must write s and the
  /// entries() of ∇s, if there are any.
  using ScoreRows = std::function<void(const double* x, double* s, double* entries)>;
  void evaluate(const ScoreRows& score, const double* record, std::uint64_t samples, double* values,
                Memory& memory) const;

 private:
  const Field& field_;
  std::vector<JacobianEntry> entries_;
  std::unique_ptr<codegen::Evaluator<double>> evaluator_;
};

}  // namespace gfdt::score
