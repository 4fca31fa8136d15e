#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gfdt/codegen/program/kernel.hpp"
#include "gfdt/gpu/statistics/device_plan.hpp"
#include "gfdt/jacobian/correlation/lag_bins.hpp"
#include "gfdt/jacobian/remainder/basis.hpp"
#include "gfdt/score/fields/field.hpp"
#include "gfdt/score/selection/scored_evaluator.hpp"
#include "gfdt/statistics/observed_functions.hpp"
#include "gfdt/symbolic/derived/conjugate.hpp"

namespace gfdt::jacobian {

using score::Field;

/// The score that conjugates are made of: one for all states; or two, the first for the first half of the segments,
/// fitted on the second half, and the other way round.
struct Scores {
  std::vector<std::shared_ptr<const Field>> fields;
  bool crossed() const { return fields.size() == 2; }
};

/// Conjugates that are evaluated at the same samples. Their rows follow each other: first the constant 1 (0 at samples
/// that are passed over), then one a parameter.
struct ConjugateGroup {
  enum class Kind {
    drift,       ///< of s alone
    diffusion,   ///< of s and ∇s
    difference,  ///< between the two scores of a cross-fit, of all parameters
    basis,       ///< no conjugates: polynomials of the state, the constant first
    weights,     ///< no conjugates: rates of weights of likelihood ratios
  };
  Kind kind = Kind::drift;
  std::vector<std::size_t> parameters;  ///< columns
  std::uint64_t stride = 1;             ///< samples from one evaluation to the next; odd
  int first_row = 0;
  int rows = 0;
};

/// What is correlated along a run: the model's observables, later, with the conjugates of parameters, earlier.
class Signals {
 public:
  struct Strides {
    std::uint64_t drift = 1, diffusion = 1, difference = 1;
  };

  /// Later rows: 1, the observables, and as monitored rows the mean of every state over its sites; all but the 1 minus
  /// `references`. Conjugates that are exactly zero or cannot be had have no row. The last group is that of the basis,
  /// where there is one. `lanes` as for codegen::make_evaluator. `functions` give the
  /// observables that they name. Throws Error where scores and model do not go together.
  Signals(const symbolic::Model& model, const std::vector<symbolic::Conjugate>& conjugates, Scores scores,
          const Strides& strides, const std::vector<double>& references, codegen::Backend backend, int lanes,
          std::shared_ptr<const Basis> basis = nullptr, const statistics::ObservedFunctions& functions = {});
  /// Later rows as above. Earlier rows are the rates of the weights of a model that has them, as a WeightedSource shows
  /// them; `parameters` are their columns.
  Signals(const symbolic::Model& weighted, std::vector<std::size_t> parameters, const std::vector<double>& references,
          codegen::Backend backend, int lanes, const statistics::ObservedFunctions& functions = {});
  ~Signals();

  const SignalShape& shape() const { return shape_; }
  const std::vector<ConjugateGroup>& groups() const { return groups_; }
  int state_rows() const { return state_rows_; }
  const Basis* basis() const { return basis_.get(); }
  /// Later rows, where a device can compute all signals of a run that is on it; else null.
  const statistics::DevicePlan* on_device() const { return on_device_ ? &*on_device_ : nullptr; }

  /// Samples to evaluate at a time: more where scores are evaluated on a device.
  std::uint64_t batch() const;

  /// What one thread needs.
  struct Memory;
  std::shared_ptr<Memory> memory() const;

  /// The halves of the segments (0 or 1) that the lanes of a block are in.
  void enter(const std::vector<int>& half_of_lane, Memory& memory) const;

  /// record: `samples` of [state rows][lanes], the first of them sample `first` of the members; values likewise, as
  /// many of the rows of the shape, and of the rows of J and M where there is a basis.
  void evaluate(const double* record, std::uint64_t first, std::uint64_t samples, double* later, double* earlier,
                double* dynamics, Memory& memory) const;

 private:
  class Conjugates;
  Signals(const symbolic::Model& model, const std::vector<double>& references, codegen::Backend backend, int lanes,
          const statistics::ObservedFunctions& functions);
  double* earlier_rows(double* earlier, const ConjugateGroup& group, std::uint64_t sample) const;
  /// Conjugates of a group at those of the samples that it looks at.
  void evaluate_group(std::size_t number, const double* record, std::uint64_t first, std::uint64_t samples,
                      double* earlier, Memory& memory) const;
  void add_group(const symbolic::Model& model, ConjugateGroup group, const std::vector<symbolic::Conjugate>& conjugates,
                 codegen::Backend backend);

  Scores scores_;
  SignalShape shape_;
  std::optional<statistics::DevicePlan> on_device_;
  int state_rows_, own_rows_;
  std::vector<ConjugateGroup> groups_;
  std::unique_ptr<codegen::Evaluator<double>> later_;
  statistics::FunctionRows functions_;                               ///< over the later rows
  std::vector<std::pair<std::size_t, double>> function_references_;  ///< a row and what is taken off it
  std::shared_ptr<const Basis> basis_;
  std::vector<std::unique_ptr<Conjugates>> evaluators_;  ///< one a group
};

/// Names of the later rows after the constant: observables, then monitored states.
std::vector<std::string> later_names(const symbolic::Model& model);

}  // namespace gfdt::jacobian
