#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"

namespace gfdt::response {

/// The response kernel K(t) = <A(t) g(0)> of an observable to a parameter at the times 0, interval, 2·interval, …, in a
/// form that provides a standard error for every linear functional of it.
class Kernel {
 public:
  Kernel() = default;
  /// `difference` is the kernel for the difference between two cross-fitted scores; null if there is only one score.
  Kernel(const jacobian::LagBins& bins, const jacobian::LagCorrelation& kernel,
         const jacobian::LagCorrelation* difference);

  /// True if the parameter has no response, that is, if the kernel is exactly zero.
  bool empty() const { return kernel_.groups == 0; }

  /// Σ_n weights[n] K(n·interval)
  jacobian::Estimate sum(const jacobian::Weights& weights) const;
  std::vector<jacobian::Estimate> values() const;
  /// R(t) = ∫₀ᵗ K by the trapezoidal rule: the response at time t to a unit step at time 0.
  std::vector<jacobian::Estimate> step_response() const;

 private:
  /// Values at each node, and the centred contributions of the groups of samples to them.
  struct Part {
    std::size_t groups = 0;
    double interval = 0;
    std::vector<double> value;      ///< [node]
    std::vector<double> influence;  ///< [node][group]
  };
  /// A linear functional of a part, accumulated term by term.
  struct Total {
    double value = 0;
    std::vector<double> influence;
    void add(const Part& part, std::size_t node, double weight);
    jacobian::Estimate estimate() const;
  };
  static Part part_of(const jacobian::LagBins& bins, const jacobian::LagCorrelation& correlation);
  jacobian::Estimate combine(const Total& kernel, const Total& difference) const;

  Part kernel_, difference_;
};

/// The kernels of all observables and parameters.
struct Kernels {
  jacobian::GfdtJacobian long_run;  ///< the Jacobian, its window, score and diagnostics
  double interval = 0;              ///< spacing of the times
  int averaged = 1;                 ///< number of samples per interval: A and g are averages over as many samples
  std::vector<double> time;
  std::vector<Kernel> of_entry;      ///< [observable][parameter]; empty if there is none
  std::vector<std::string> missing;  ///< per parameter, the reason why there is no kernel; empty if there is one
  simulate::Summary run;             ///< the pass over the run that computed the kernels
  double wall_seconds = 0;

  std::size_t at(std::size_t observable, std::size_t parameter) const {
    return long_run.jacobian.at(observable, parameter);
  }
  double longest_lag() const { return time.empty() ? 0.0 : time.back(); }
  bool usable() const { return long_run.jacobian.usable() && !of_entry.empty(); }
};

struct KernelOptions {
  /// Longest lag. Default: the end of the window of the Jacobian, beyond which correlations have decayed.
  std::optional<double> longest_lag = {};
  std::optional<double> at_most = {};  ///< upper limit of the default
};

/// Computes gfdt_jacobian first, and then the kernels from a further replay of its run. Throws Error for an invalid
/// problem, and for lags that are too long for the run.
Kernels response_kernels(const jacobian::GfdtProblem& problem, const KernelOptions& options = {},
                         const simulate::Control& control = {});

}  // namespace gfdt::response
