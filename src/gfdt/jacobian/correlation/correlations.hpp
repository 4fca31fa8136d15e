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

/// √(n/(n−1) Σ d²): the standard error of a total to which each of n groups adds d beyond its share.
double spread(std::span<const double> influences);

/// The part of a standard error that comes from the fit of the score, from the difference that the two scores of a
/// cross-fit make: they are fitted on different halves, so D² is twice the variance that the fit puts into one of them,
/// and their mean has half of that: D²/4.
double score_error(const Estimate& difference);

/// Weights of the nodes of lag bins, w(t) at t = 0, width, ….
using Weights = std::vector<double>;
/// 1 up to the start of the window, falling to 0 at its end: the response to a step, averaged over the window.
Weights window_weights(const LagBins& bins, const Window& window);
/// 1 before a node and half at it: the response at that time after a step.
Weights step_weights(const LagBins& bins, std::size_t node);
/// What gives the mean over the hat function of a node, the half hat of node 0: the response kernel there.
Weights kernel_weights(const LagBins& bins, std::size_t node);

/// The correlation of an observable and a conjugate at every node, and what each group adds to it beyond its share.
struct LagCorrelation {
  double interval = 1;  ///< between samples
  std::size_t groups = 0;
  std::vector<double> value;      ///< [node], over the hat function of the node
  std::vector<double> influence;  ///< [node][group]

  /// ∫ w(t) <A(t) g(0)> dt
  Estimate integral(const Weights& weights) const;
  std::vector<double> influences(const Weights& weights) const;
};

/// Correlations of observables with conjugates, with the means of both taken off, from the sums of independent groups.
class Correlations {
 public:
  Correlations(const SignalShape& shape, const LagBins& bins, std::span<const LagSums> groups);

  const LagBins& bins() const { return bins_; }
  double degrees_of_freedom() const { return static_cast<double>(groups_.size()) - 1; }

  /// Of a later row and a row of a group of conjugates, `one` being the row of its constant.
  LagCorrelation between(int later, int earlier, int one) const;
  Estimate integral(int later, int earlier, int one, const Weights& weights) const {
    return between(later, earlier, one).integral(weights);
  }

  std::size_t groups() const { return groups_.size(); }
  const LagSums& sums(std::size_t group) const { return *groups_[group]; }

  /// Autocorrelation of a later or monitored row at each node, averaged over about a bin.
  std::vector<Estimate> autocorrelation(int row) const;

 private:
  double product(const LagSums& sums, std::size_t lag, int later, int earlier) const;

  SignalShape shape_;
  LagBins bins_;
  std::vector<const LagSums*> groups_;  ///< those that are not empty
  std::vector<double> later_mean_, earlier_sum_;
};

}  // namespace gfdt::jacobian
