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

/// The components of a NetworkField: ŝ(x̂) = linear·x̂ + scale·network(x̂), see Normalisation.
struct NetworkScore {
  std::string method;  ///< the method of the fit: "kgmm", "denoising"
  Arrangement arrangement;
  Normalisation normalisation;
  double noise = 0;            ///< noise level of the perturbed samples in the fit, in normalised units
  double scale = 1;            ///< −1/noise for a network that predicts the noise
  std::vector<double> linear;  ///< [row][column]; empty if there is no linear part
  network::Network<float> network;
};

/// A score represented by a network. Derivatives along directions are exact derivatives of the network. The Jacobian is
/// exact if the network has a window or if the state has no more than `most_unit_directions` components; otherwise it
/// is estimated with Hutchinson's probes. With `device`, large blocks of states are evaluated on a GPU, whose results
/// agree with those of the host to rounding.
class NetworkField : public Field {
 public:
  static constexpr int most_unit_directions = 16;

  /// Throws Error if the parts are inconsistent with each other.
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
  int wanted_probes() const { return probes_; }  ///< number of probes, if probes are needed
  bool on_device() const { return device_ != nullptr; }

 private:
  /// A derivative of the network, along a unit vector or along the unit vectors of a window, and the entries that it
  /// provides.
  struct Probe {
    int offset = 0;
    int input = 0;  ///< index of the input of the network, or of a site
    std::vector<std::size_t> entries;
  };
  class Work;

  /// Derivatives of the network at the states of a chunk: along the directions that `fill` writes, or along windows.
  /// `take` receives the results. The arguments of both are the index of the derivative, the first lane and the number
  /// of lanes.
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
  int samples_;                   ///< number of states per chunk
  std::vector<int> place_;        ///< position of each component among the inputs and outputs of the network
  std::vector<double> jacobian_;  ///< Jacobian of the linear part with respect to x
  mutable std::mutex idle_mutex_;
  mutable std::vector<std::unique_ptr<Work>> idle_;
  std::unique_ptr<gpu::DeviceNetwork> device_;
};

}  // namespace gfdt::score
