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

/// A score s = ∇log ρ on the states of a model. States are passed in blocks, [row][lane]: row i of a block holds
/// component i of `lanes` states. Evaluations are pure functions of the state, independent of its position in a block,
/// and may run on several threads concurrently.
class Field {
 public:
  virtual ~Field() = default;

  int dimension() const { return dimension_; }

  /// s at each state.
  virtual void evaluate(const double* x, int lanes, double* s) const = 0;

  /// s, and its derivatives (∇s)v along directions that may differ between states: v and sv are [direction][row][lane].
  virtual void differentiate(const double* x, int lanes, int directions, const double* v, double* s,
                             double* sv) const = 0;

  /// s, and entries of ∇s, [entry][lane]. The default uses derivatives along unit vectors.
  virtual void jacobian(const double* x, int lanes, std::span<const JacobianEntry> entries, double* s,
                        double* values) const;

  /// Preferred number of states per block.
  virtual int best_lanes() const { return 64; }

  /// Number of random probes behind each value that `jacobian` returns; 0 if the values are exact.
  virtual int probes() const { return 0; }

  /// A one-line description for display: "Gaussian with the covariance of the samples".
  virtual std::string description() const = 0;

 protected:
  explicit Field(int dimension) : dimension_(dimension) {}

 private:
  int dimension_;
};

}  // namespace gfdt::score
