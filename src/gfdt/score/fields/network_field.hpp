#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gfdt/gpu/network/device_network.hpp"
#include "gfdt/network/network.hpp"
#include "gfdt/score/estimators/normalisation.hpp"
#include "gfdt/score/estimators/samples.hpp"
#include "gfdt/score/fields/field.hpp"

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
/// a window or the state no more than `most_unit_directions` components. Else Hutchinson's probes estimate it. With a
/// device, blocks of many states go to a GPU, whose numbers agree with the host's to rounding.
class NetworkField : public Field {
 public:
  static constexpr int most_unit_directions = 16;

  /// Throws Error where the parts do not fit one another.
  explicit NetworkField(NetworkScore parts, int probes = 10, bool device = false);
  ~NetworkField() override;

  void evaluate(const double* x, int lanes, double* s) const override;
  void differentiate(const double* x, int lanes, int directions, const double* v, double* s, double* sv) const override;
  void jacobian(const double* x, int lanes, std::span<const JacobianEntry> entries, double* s,
                double* values) const override;
  int best_lanes() const override;
  int probes() const override;
  std::string description() const override;

  const NetworkScore& parts() const { return parts_; }
  int wanted_probes() const { return probes_; }  ///< where probes are needed
  bool on_device() const { return device_ != nullptr; }

 private:
  /// A derivative of the network and the entries that are read off it: along a unit vector, or along those of a window.
  struct Probe {
    int offset = 0;
    int input = 0;  ///< of the network, or of a site
    std::vector<std::size_t> entries;
  };
  class Work;

  /// Derivatives of the network at the states of a chunk: along directions that `fill` gives or those of windows,
  /// handed on to `take`. Both get the number of the derivative, the first lane and how many.
  struct Derivatives {
    int count = 0;
    std::function<void(int, int, int, float*)> fill = {};
    std::vector<gpu::Window> windows = {};
    std::function<void(int, int, int, const float*)> take = {};
  };

  bool has_window() const;
  std::vector<Probe> probes_of(std::span<const JacobianEntry> entries) const;
  void load(const double* x, int lanes, int first, int count, const std::vector<double>& shift, float* inputs) const;
  void run(const double* x, int lanes, double* s, const Derivatives& derivatives) const;
  void run_on_host(const double* x, int lanes, double* s, const Derivatives& derivatives) const;
  void run_on_device(const double* x, int lanes, double* s, const Derivatives& derivatives) const;
  void take_values(const double* x, int lanes, int first, int count, const float* outputs, double* s) const;

  NetworkScore parts_;
  int probes_;
  int samples_;                   ///< of a chunk
  std::vector<int> place_;        ///< of each component among the inputs and outputs of the network
  std::vector<double> jacobian_;  ///< of the linear part in x
  mutable std::mutex idle_mutex_;
  mutable std::vector<std::unique_ptr<Work>> idle_;
  std::unique_ptr<gpu::DeviceNetwork> device_;
};

}  // namespace gfdt::score
