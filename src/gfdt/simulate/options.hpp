#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gfdt/codegen/program/kernel.hpp"

namespace gfdt::simulate {

enum class Scheme {
  euler_maruyama,  ///< weak order 1
  rk4,             ///< Runge–Kutta 4 for the drift, then the noise of the left point
  weak2,           ///< weak order 2 for any Itô noise
};

enum class Precision { single_precision, double_precision };

const std::vector<std::string>& scheme_names();
const char* name(Scheme scheme);
std::optional<Scheme> scheme_named(const std::string& name);
const char* name(Precision precision);

/// How a model is run. Everything but `threads` and `backend` is part of the description of the trajectories: they are
/// a pure function of it, bit for bit on one kind of machine and back end.
struct Options {
  double dt = 0.01;
  int members = 100;
  double length = 1000;                ///< time that is sampled, for each member
  std::optional<double> burn_in = {};  ///< time that is discarded first; a tenth of the length when left out
  int cadence = 1;                     ///< steps between samples
  Scheme scheme = Scheme::euler_maruyama;
  Precision precision = Precision::double_precision;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all that there are
  codegen::Backend backend = codegen::Backend::automatic;

  /// What is wrong with these options, as a sentence; empty when nothing is.
  std::string problem() const;

  std::uint64_t burn_in_steps() const;
  std::uint64_t samples() const;  ///< of each member
  double burn_in_time() const { return burn_in.value_or(length / 10); }
  double sample_interval() const { return dt * cadence; }
  int thread_count() const;
};

}  // namespace gfdt::simulate
