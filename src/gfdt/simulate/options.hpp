#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gfdt/codegen/program/kernel.hpp"

namespace gfdt::simulate {

/// Numerical schemes for the time steps.
enum class Scheme {
  euler_maruyama,  ///< weak order 1
  rk4,             ///< Runge–Kutta 4 for the drift, followed by the noise evaluated at the left point
  weak2,           ///< weak order 2 for general Itô noise
};

enum class Precision { single_precision, double_precision };

/// Names of schemes in problem files, in the order of `Scheme`; `scheme_named` returns nothing for an unknown name.
const std::vector<std::string>& scheme_names();
const char* name(Scheme scheme);
std::optional<Scheme> scheme_named(const std::string& name);
const char* name(Precision precision);

/// Settings of a run. The trajectories are a function of all of them except `threads` and `backend`, bit for bit on one
/// type of machine and back end.
struct Options {
  /// Time step.
  double dt = 0.01;
  int members = 100;
  double length = 1000;                ///< sampled time per member
  std::optional<double> burn_in = {};  ///< time discarded before sampling; a tenth of `length` by default
  int cadence = 1;                     ///< steps between samples
  Scheme scheme = Scheme::euler_maruyama;
  Precision precision = Precision::double_precision;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all available threads
  codegen::Backend backend = codegen::Backend::automatic;

  /// Description of the first invalid setting, as a sentence; empty if all are valid.
  std::string problem() const;

  std::uint64_t burn_in_steps() const;
  std::uint64_t samples() const;  ///< samples per member
  double burn_in_time() const { return burn_in.value_or(length / 10); }
  double sample_interval() const { return dt * cadence; }
  int thread_count() const;
};

}  // namespace gfdt::simulate
