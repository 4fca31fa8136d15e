#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gfdt/network/network.hpp"
#include "gfdt/score/field.hpp"
#include "gfdt/score/normalisation.hpp"
#include "gfdt/score/samples.hpp"

namespace gfdt::score {

/// What a NetworkField is made of: ŝ(x̂) = linear·x̂ + scale·network(x̂), see Normalisation.
struct NetworkScore {
  std::string method;  ///< that fitted it: "kgmm", "denoising"
  Arrangement arrangement;
  Normalisation normalisation;
  double noise = 0;            ///< of the perturbed samples it was fitted to, in normalised units
  double scale = 1;            ///< −1/noise for a network that predicts the noise
  std::vector<double> linear;  ///< [row][column]; empty where there is none
  network::Network<float> network;
};

/// A score that a network gives. Derivatives are those of the network, exact; so is the Jacobian where the network has
/// a window or the state no more than `most_unit_directions` components. Else Hutchinson's probes estimate it.
class NetworkField : public Field {
 public:
  static constexpr int most_unit_directions = 16;

  /// Throws Error where the parts do not fit one another.
  explicit NetworkField(NetworkScore parts, int probes = 10);
  ~NetworkField() override;

  void evaluate(const double* x, int lanes, double* s) const override;
  void differentiate(const double* x, int lanes, int directions, const double* v, double* s, double* sv) const override;
  void jacobian(const double* x, int lanes, std::span<const JacobianEntry> entries, double* s,
                double* values) const override;
  int probes() const override;
  std::string description() const override;

  const NetworkScore& parts() const { return parts_; }
  int wanted_probes() const { return probes_; }  ///< where probes are needed

 private:
  /// A derivative of the network and the entries that are read off it: along a unit vector, or along those of a window.
  struct Probe {
    int offset = 0;
    int input = 0;  ///< of the network, or of a site
    std::vector<std::size_t> entries;
  };
  class Work;

  bool has_window() const;
  std::vector<Probe> probes_of(std::span<const JacobianEntry> entries) const;
  void load(const double* x, int lanes, int first, int count, const std::vector<double>& shift, float* inputs) const;
  template <class After>
  void for_each_chunk(const double* x, int lanes, double* s, After after) const;

  NetworkScore parts_;
  int probes_;
  int samples_;                   ///< of a chunk
  std::vector<int> place_;        ///< of each component among the inputs and outputs of the network
  std::vector<double> jacobian_;  ///< of the linear part in x
  mutable std::mutex idle_mutex_;
  mutable std::vector<std::unique_ptr<Work>> idle_;
};

}  // namespace gfdt::score
