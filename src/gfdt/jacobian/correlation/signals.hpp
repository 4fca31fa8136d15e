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

/// The score from which conjugates are computed: one field for all states, or the two fields of a cross-fit. In a
/// cross-fit the first field is used on the first half of the segments and was fitted on the second half, and vice
/// versa.
struct Scores {
  std::vector<std::shared_ptr<const Field>> fields;
  bool crossed() const { return fields.size() == 2; }
};

/// Conjugates that are evaluated at the same samples. Their rows are consecutive: first the constant 1 (0 at samples
/// that are skipped), then one row per parameter.
struct ConjugateGroup {
  enum class Kind {
    drift,       ///< conjugates that depend on s only
    diffusion,   ///< conjugates that depend on s and ∇s
    difference,  ///< differences of conjugates between the two scores of a cross-fit, for all parameters
    basis,       ///< polynomials of the state instead of conjugates, the constant first
    weights,     ///< rates of likelihood-ratio weights instead of conjugates
  };
  Kind kind = Kind::drift;
  std::vector<std::size_t> parameters;  ///< columns
  std::uint64_t stride = 1;             ///< samples between evaluations; odd
  int first_row = 0;
  int rows = 0;
};

/// The signals that are correlated along a run: the observables at the later time and the conjugates at the earlier
/// time.
class Signals {
 public:
  struct Strides {
    std::uint64_t drift = 1, diffusion = 1, difference = 1;
  };

  /// Later rows: 1, the observables, and as monitored rows the mean of every state over its sites. All except the 1
  /// have `references` subtracted. Conjugates that are exactly zero or not available have no row. The last group is
  /// that of the basis, if there is one. `lanes` as for codegen::make_evaluator. `functions` give the observables that
  /// they name. Throws Error if scores and model do not match.
  Signals(const symbolic::Model& model, const std::vector<symbolic::Conjugate>& conjugates, Scores scores,
          const Strides& strides, const std::vector<double>& references, codegen::Backend backend, int lanes,
          std::shared_ptr<const Basis> basis = nullptr, const statistics::ObservedFunctions& functions = {});
  /// Later rows as above. Earlier rows are the rates of the weights of a weighted model, as provided by WeightedSource;
  /// `parameters` are their columns.
  Signals(const symbolic::Model& weighted, std::vector<std::size_t> parameters, const std::vector<double>& references,
          codegen::Backend backend, int lanes, const statistics::ObservedFunctions& functions = {});
  ~Signals();

  const SignalShape& shape() const { return shape_; }
  const std::vector<ConjugateGroup>& groups() const { return groups_; }
  int state_rows() const { return state_rows_; }
  const Basis* basis() const { return basis_.get(); }
  /// The plan by which a device computes all signals of a run on the device; null if this is not possible.
  const statistics::DevicePlan* on_device() const { return on_device_ ? &*on_device_ : nullptr; }

  /// Number of samples per evaluation; larger if scores are evaluated on a device.
  std::uint64_t batch() const;

  /// Work arrays of one thread.
  struct Memory;
  std::shared_ptr<Memory> memory() const;

  /// Sets the half of the segments (0 or 1) that each lane of a block is in.
  void enter(const std::vector<int>& half_of_lane, Memory& memory) const;

  /// record: `samples` records of [state rows][lanes], starting at sample `first` of the members. The outputs have the
  /// same layout with the rows of the shape, and the rows of J and M if there is a basis.
  void evaluate(const double* record, std::uint64_t first, std::uint64_t samples, double* later, double* earlier,
                double* dynamics, Memory& memory) const;

 private:
  class Conjugates;
  Signals(const symbolic::Model& model, const std::vector<double>& references, codegen::Backend backend, int lanes,
          const statistics::ObservedFunctions& functions);
  double* earlier_rows(double* earlier, const ConjugateGroup& group, std::uint64_t sample) const;
  /// Evaluates the conjugates of a group at the samples of its stride.
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
  statistics::FunctionRows functions_;                               ///< replace later rows
  std::vector<std::pair<std::size_t, double>> function_references_;  ///< a row and the value subtracted from it
  std::shared_ptr<const Basis> basis_;
  std::vector<std::unique_ptr<Conjugates>> evaluators_;  ///< one per group
};

/// Names of the later rows after the constant: observables, then monitored states.
std::vector<std::string> later_names(const symbolic::Model& model);

}  // namespace gfdt::jacobian
