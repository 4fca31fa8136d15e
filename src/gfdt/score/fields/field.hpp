#pragma once

#include <span>
#include <string>

namespace gfdt::score {

/// An entry of the score Jacobian, ∂s_row/∂x_column.
struct JacobianEntry {
  int row = 0;
  int column = 0;
  bool operator==(const JacobianEntry&) const = default;
};

/// A score s = ∇log ρ on the states of a model. States come in blocks, [row][lane]: row i of a block holds component i
/// of `lanes` states. Evaluations are pure functions of the state, whatever block it stands in, and may run on several
/// threads at once.
class Field {
 public:
  virtual ~Field() = default;

  int dimension() const { return dimension_; }

  /// s at each state.
  virtual void evaluate(const double* x, int lanes, double* s) const = 0;

  /// s, and its derivatives (∇s)v along directions of each state's own: v and sv are [directions][row][lane].
  virtual void differentiate(const double* x, int lanes, int directions, const double* v, double* s,
                             double* sv) const = 0;

  /// s, and entries of ∇s, [entry][lane]. From derivatives along unit vectors unless a field knows something better.
  virtual void jacobian(const double* x, int lanes, std::span<const JacobianEntry> entries, double* s,
                        double* values) const;

  /// States to give at a time where there are many.
  virtual int best_lanes() const { return 64; }

  /// Probes behind each number that `jacobian` gives; 0 where its numbers are exact.
  virtual int probes() const { return 0; }

  /// What this is, in a line for people: "Gaussian with the covariance of the samples".
  virtual std::string description() const = 0;

 protected:
  explicit Field(int dimension) : dimension_(dimension) {}

 private:
  int dimension_;
};

}  // namespace gfdt::score
