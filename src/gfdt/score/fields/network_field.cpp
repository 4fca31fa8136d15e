#include "gfdt/score/fields/network_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "gfdt/base/error.hpp"
#include "gfdt/network/workspace.hpp"
#include "gfdt/score/fields/probes.hpp"

namespace gfdt::score {
namespace {

/// The smallest block that is sent to a GPU, and the block size that fully uses it.
constexpr int least_device_lanes = 128, most_device_lanes = 4096;

}  // namespace

/// Working memory of one thread for a chunk: the workspace of the network, and its inputs and outputs in single
/// precision.
class NetworkField::Work {
 public:
  Work(const network::Network<float>& network, int samples)
      : workspace(network.workspace(samples)),
        inputs(static_cast<std::size_t>(samples * network.architecture().inputs())),
        outputs(static_cast<std::size_t>(samples * network.architecture().outputs())) {}

  std::unique_ptr<network::Workspace<float>> workspace;
  codegen::AlignedArray<float> inputs, outputs;
};

NetworkField::NetworkField(NetworkScore parts, int probes, bool device)
    : Field(parts.arrangement.dimension()), parts_(std::move(parts)), probes_(probes) {
  const auto& architecture = parts_.network.architecture();
  const auto& [fields, sites] = parts_.arrangement;
  const int d = dimension();
  if (architecture.inputs() != d || architecture.outputs() != d || architecture.sites != sites)
    throw Error(
        fmt::format("The network has {} inputs and {} outputs over {} sites where the state has {} components "
                    "over {} sites; it was fitted for another model.",
                    architecture.inputs(), architecture.outputs(), architecture.sites, d, sites));
  const auto size = static_cast<std::size_t>(d);
  if (parts_.normalisation.mean.size() != size || parts_.normalisation.std.size() != size)
    throw Error(
        fmt::format("The normalisation of the score has {} components where the state has {}; it was fitted "
                    "for another model.",
                    parts_.normalisation.mean.size(), d));
  if (!parts_.linear.empty() && parts_.linear.size() != size * size)
    throw Error(fmt::format("The linear part of the score has {} numbers; a state of {} components needs {}.",
                            parts_.linear.size(), d, size * size));
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(parts_.normalisation.mean, finite) || !std::ranges::all_of(parts_.linear, finite) ||
      !finite(parts_.scale) ||
      !std::ranges::all_of(parts_.normalisation.std, [](double std) { return std > 0 && std::isfinite(std); }))
    throw Error("The score holds a number that is not finite, or a standard deviation that is not positive.");
  if (probes < 1) throw Error(fmt::format("The number of probes is {}; it must be at least 1.", probes));
  samples_ = parts_.network.best_samples();
  place_.resize(size);
  for (int c = 0; c < d; ++c) place_[c] = c % sites * fields + c / sites;
  jacobian_ = parts_.linear;
  const auto& std = parts_.normalisation.std;
  for (std::size_t k = 0; k < jacobian_.size(); ++k) jacobian_[k] /= std[k / size] * std[k % size];
  if (device && gpu::missing_for(architecture).empty()) device_ = std::make_unique<gpu::DeviceNetwork>(parts_.network);
}

NetworkField::~NetworkField() = default;

/// Converts rows to inputs of the network: (value − shift)/std.
void NetworkField::load(const double* x, int lanes, int first, int count, const std::vector<double>& shift,
                        float* inputs) const {
  const int d = dimension();
  for (int c = 0; c < d; ++c) {
    const double* row = x + static_cast<std::ptrdiff_t>(c) * lanes + first;
    const double centre = shift.empty() ? 0 : shift[c], factor = 1 / parts_.normalisation.std[c];
    float* to = inputs + place_[c];
    for (int i = 0; i < count; ++i)
      to[static_cast<std::ptrdiff_t>(i) * d] = static_cast<float>((row[i] - centre) * factor);
  }
}

/// Converts the outputs of the network at the states of a chunk to s.
void NetworkField::take_values(const double* x, int lanes, int first, int count, const float* outputs,
                               double* s) const {
  const int d = dimension();
  const auto& [mean, std] = parts_.normalisation;
  for (int c = 0; c < d; ++c) {
    const float* from = outputs + place_[c];
    double* to = s + static_cast<std::ptrdiff_t>(c) * lanes + first;
    const double factor = parts_.scale / std[c];
    for (int i = 0; i < count; ++i) to[i] = factor * static_cast<double>(from[static_cast<std::ptrdiff_t>(i) * d]);
    for (int k = 0; k < d && !jacobian_.empty(); ++k) {
      const double* row = x + static_cast<std::ptrdiff_t>(k) * lanes + first;
      const double slope = jacobian_[static_cast<std::size_t>(c * d + k)], centre = mean[k];
      for (int i = 0; i < count; ++i) to[i] += slope * (row[i] - centre);
    }
  }
}

void NetworkField::run(const double* x, int lanes, double* s, const Derivatives& derivatives) const {
  if (device_ && lanes >= least_device_lanes)
    run_on_device(x, lanes, s, derivatives);
  else
    run_on_host(x, lanes, s, derivatives);
}

void NetworkField::run_on_host(const double* x, int lanes, double* s, const Derivatives& derivatives) const {
  std::unique_ptr<Work> work;
  {
    std::lock_guard lock(idle_mutex_);
    if (!idle_.empty()) {
      work = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!work) work = std::make_unique<Work>(parts_.network, samples_);
  float *const inputs = work->inputs.data(), *const outputs = work->outputs.data();
  for (int first = 0; first < lanes; first += samples_) {
    const int count = std::min(samples_, lanes - first);
    load(x, lanes, first, count, parts_.normalisation.mean, inputs);
    parts_.network.forward(*work->workspace, count, inputs, outputs);
    take_values(x, lanes, first, count, outputs, s);
    for (int n = 0; n < derivatives.count; ++n) {
      if (derivatives.windows.empty()) {
        derivatives.fill(n, first, count, inputs);
        parts_.network.tangent(*work->workspace, inputs, outputs);
      } else {
        const gpu::Window& window = derivatives.windows[static_cast<std::size_t>(n)];
        parts_.network.window_tangent(*work->workspace, window.offset, window.channel, outputs);
      }
      derivatives.take(n, first, count, outputs);
    }
  }
  std::lock_guard lock(idle_mutex_);
  idle_.push_back(std::move(work));
}

void NetworkField::run_on_device(const double* x, int lanes, double* s, const Derivatives& derivatives) const {
  const auto d = static_cast<std::size_t>(dimension()), all = static_cast<std::size_t>(derivatives.count);
  for (int first = 0; first < lanes; first += most_device_lanes) {
    const int count = std::min(most_device_lanes, lanes - first);
    const std::size_t size = d * static_cast<std::size_t>(count);
    std::vector<float> inputs(size), outputs(size), slopes(all * size);
    load(x, lanes, first, count, parts_.normalisation.mean, inputs.data());
    if (derivatives.windows.empty()) {
      std::vector<float> directions(all * size);
      for (int n = 0; n < derivatives.count; ++n)
        derivatives.fill(n, first, count, directions.data() + static_cast<std::size_t>(n) * size);
      device_->differentiate(inputs, std::span<const float>(directions), outputs, slopes);
    } else {
      device_->differentiate(inputs, std::span<const gpu::Window>(derivatives.windows), outputs, slopes);
    }
    take_values(x, lanes, first, count, outputs.data(), s);
    for (int n = 0; n < derivatives.count; ++n)
      derivatives.take(n, first, count, slopes.data() + static_cast<std::size_t>(n) * size);
  }
}

void NetworkField::evaluate(const double* x, int lanes, double* s) const { run(x, lanes, s, {}); }

void NetworkField::differentiate(const double* x, int lanes, int directions, const double* v, double* s,
                                 double* sv) const {
  const int d = dimension();
  const auto fill = [&](int n, int first, int count, float* inputs) {
    load(v + static_cast<std::ptrdiff_t>(n) * d * lanes, lanes, first, count, {}, inputs);
  };
  const auto take = [&](int n, int first, int count, const float* outputs) {
    const std::ptrdiff_t block = static_cast<std::ptrdiff_t>(n) * d * lanes;
    for (int c = 0; c < d; ++c) {
      const float* from = outputs + place_[c];
      double* to = sv + block + static_cast<std::ptrdiff_t>(c) * lanes + first;
      const double factor = parts_.scale / parts_.normalisation.std[c];
      for (int i = 0; i < count; ++i) to[i] = factor * static_cast<double>(from[static_cast<std::ptrdiff_t>(i) * d]);
      for (int k = 0; k < d && !jacobian_.empty(); ++k) {
        const double* row = v + block + static_cast<std::ptrdiff_t>(k) * lanes + first;
        const double slope = jacobian_[static_cast<std::size_t>(c * d + k)];
        for (int i = 0; i < count; ++i) to[i] += slope * row[i];
      }
    }
  };
  run(x, lanes, s, {.count = directions, .fill = fill, .take = take});
}

bool NetworkField::has_window() const { return parts_.arrangement.lattice() && parts_.network.has_window(); }

int NetworkField::best_lanes() const { return device_ ? most_device_lanes : Field::best_lanes(); }

int NetworkField::probes() const { return has_window() || dimension() <= most_unit_directions ? 0 : probes_; }

std::vector<NetworkField::Probe> NetworkField::probes_of(std::span<const JacobianEntry> entries) const {
  const auto& [fields, sites] = parts_.arrangement;
  int lowest = 0, highest = 0;
  if (has_window()) {
    const auto& window = std::get<network::Convolution>(parts_.network.architecture().layers.front());
    lowest = -(window.kernel - 1) / 2;
    highest = lowest + window.kernel - 1;
  }
  std::map<std::pair<int, int>, Probe> found;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto [row, column] = entries[e];
    int offset = 0, input = place_[column];
    if (has_window()) {
      input = column / sites;
      offset = ((column - row) % sites + sites) % sites;
      if (offset > highest) offset -= sites;
      if (offset < lowest) continue;
    }
    Probe& probe = found[{offset, input}];
    probe.offset = offset;
    probe.input = input;
    probe.entries.push_back(e);
  }
  std::vector<Probe> probes;
  for (auto& [key, probe] : found) probes.push_back(std::move(probe));
  return probes;
}

void NetworkField::jacobian(const double* x, int lanes, std::span<const JacobianEntry> entries, double* s,
                            double* values) const {
  if (probes() > 0) return probed_jacobian(*this, x, lanes, entries, probes_, s, values);
  const int d = dimension();
  const auto& std = parts_.normalisation.std;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const double constant =
        jacobian_.empty() ? 0 : jacobian_[static_cast<std::size_t>(entries[e].row * d + entries[e].column)];
    std::fill_n(values + e * static_cast<std::size_t>(lanes), lanes, constant);
  }
  const std::vector<Probe> probes = probes_of(entries);
  Derivatives derivatives{.count = static_cast<int>(probes.size())};
  if (has_window())
    for (const Probe& probe : probes) derivatives.windows.push_back({probe.offset, probe.input});
  derivatives.fill = [&](int n, int, int count, float* inputs) {
    std::fill_n(inputs, count * d, 0.0f);
    for (int i = 0; i < count; ++i) inputs[i * d + probes[static_cast<std::size_t>(n)].input] = 1;
  };
  derivatives.take = [&](int n, int first, int count, const float* outputs) {
    for (const std::size_t e : probes[static_cast<std::size_t>(n)].entries) {
      const float* from = outputs + place_[entries[e].row];
      double* to = values + e * static_cast<std::size_t>(lanes) + first;
      const double factor = parts_.scale / (std[entries[e].row] * std[entries[e].column]);
      for (int i = 0; i < count; ++i) to[i] += factor * static_cast<double>(from[static_cast<std::ptrdiff_t>(i) * d]);
    }
  };
  run(x, lanes, s, derivatives);
}

std::string NetworkField::description() const {
  return fmt::format("{} score: network {}{}, noise {:g}", parts_.method, parts_.network.architecture().description(),
                     parts_.linear.empty() ? "" : " beside a linear part", parts_.noise);
}

}  // namespace gfdt::score
