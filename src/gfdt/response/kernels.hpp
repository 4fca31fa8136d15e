#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"

namespace gfdt::response {

/// The response kernel K(t) = <A(t) g(0)> of an observable to a parameter at the times 0, interval, 2·interval, …, in a
/// form that gives every linear functional of it a standard error.
class Kernel {
 public:
  Kernel() = default;
  /// `difference` is the same of what two cross-fitted scores differ by; null where there is one score only.
  Kernel(const jacobian::LagBins& bins, const jacobian::LagCorrelation& kernel,
         const jacobian::LagCorrelation* difference);

  /// Nothing where the parameter has no response: exactly zero.
  bool empty() const { return kernel_.groups == 0; }

  /// Σ_n weights[n] K(n·interval)
  jacobian::Estimate sum(const jacobian::Weights& weights) const;
  std::vector<jacobian::Estimate> values() const;
  /// R(t) = ∫₀ᵗ K by the trapezoidal rule: the response at t to a unit step at 0.
  std::vector<jacobian::Estimate> step_response() const;

 private:
  /// Values at each node and what each group adds to them beyond its share.
  struct Part {
    std::size_t groups = 0;
    double interval = 0;
    std::vector<double> value;      ///< [node]
    std::vector<double> influence;  ///< [node][group]
  };
  /// A functional of a part while its terms are added up.
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
  double interval = 0;              ///< between times
  int averaged = 1;                 ///< samples that the interval holds: A and g are averages over so many
  std::vector<double> time;
  std::vector<Kernel> of_entry;      ///< [observable][parameter], empty where there is none
  std::vector<std::string> missing;  ///< why, for each parameter; empty where there is one
  simulate::Summary run;             ///< the pass for the kernels
  double wall_seconds = 0;

  std::size_t at(std::size_t observable, std::size_t parameter) const {
    return long_run.jacobian.at(observable, parameter);
  }
  double longest_lag() const { return time.empty() ? 0.0 : time.back(); }
  bool usable() const { return long_run.jacobian.usable() && !of_entry.empty(); }
};

struct KernelOptions {
  /// Lags reach so far; left out, as far as the window of the Jacobian, beyond which correlations are forgotten.
  std::optional<double> longest_lag = {};
  std::optional<double> at_most = {};  ///< where it is left out: no further than this
};

/// The kernels from a further replay of the run behind gfdt_jacobian, which comes first. Throws Error for a problem
/// that makes no sense and for lags that the run is too short for.
Kernels response_kernels(const jacobian::GfdtProblem& problem, const KernelOptions& options = {},
                         const simulate::Control& control = {});

}  // namespace gfdt::response
