#pragma once

#include <span>
#include <vector>

#include "gfdt/jacobian/correlation/lag_bins.hpp"
#include "gfdt/jacobian/correlation/signals.hpp"
#include "gfdt/jacobian/options.hpp"

namespace gfdt::jacobian {

/// A number with its standard error.
struct Estimate {
  double value = 0;
  double standard_error = 0;
};

/// √(n/(n−1) Σ d²): the standard error of a total. The influence d of a group is its contribution to the total minus an
/// equal share, for n groups.
double spread(std::span<const double> influences);

/// Contribution of the score fit to a standard error, from the difference between the two scores of a cross-fit. They
/// are fitted on different halves, so D² is twice the variance of a single fit. Their mean has half of that variance,
/// D²/4.
double score_error(const Estimate& difference);

/// Weights w(t) of the nodes of the lag bins, t = 0, width, ….
using Weights = std::vector<double>;
/// 1 up to the start of the window, falling to 0 at its end: the response to a step, averaged over the window.
Weights window_weights(const LagBins& bins, const Window& window);
/// 1 before a node and half at it: the response at that time after a step.
Weights step_weights(const LagBins& bins, std::size_t node);
/// Weights that give the average over the hat function of a node (the half hat for node 0): the response kernel there.
Weights kernel_weights(const LagBins& bins, std::size_t node);

/// The correlation of an observable and a conjugate at every node, and the influence of each group on it.
struct LagCorrelation {
  double interval = 1;  ///< sampling interval
  std::size_t groups = 0;
  std::vector<double> value;      ///< [node], over the hat function of the node
  std::vector<double> influence;  ///< [node][group]

  /// ∫ w(t) <A(t) g(0)> dt
  Estimate integral(const Weights& weights) const;
  std::vector<double> influences(const Weights& weights) const;
};

/// Correlations of observables with conjugates, with both means subtracted, from the sums of independent groups.
class Correlations {
 public:
  Correlations(const SignalShape& shape, const LagBins& bins, std::span<const LagSums> groups);

  const LagBins& bins() const { return bins_; }
  double degrees_of_freedom() const { return static_cast<double>(groups_.size()) - 1; }

  /// Correlation of a later row with an earlier row of a group of conjugates; `one` is the row of the group's constant.
  LagCorrelation between(int later, int earlier, int one) const;
  Estimate integral(int later, int earlier, int one, const Weights& weights) const {
    return between(later, earlier, one).integral(weights);
  }

  std::size_t groups() const { return groups_.size(); }
  const LagSums& sums(std::size_t group) const { return *groups_[group]; }

  /// Autocorrelation of a later or monitored row at each node, averaged over about one bin.
  std::vector<Estimate> autocorrelation(int row) const;

 private:
  double product(const LagSums& sums, std::size_t lag, int later, int earlier) const;

  SignalShape shape_;
  LagBins bins_;
  std::vector<const LagSums*> groups_;  ///< groups with at least one segment
  std::vector<double> later_mean_, earlier_sum_;
};

}  // namespace gfdt::jacobian
