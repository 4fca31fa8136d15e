#include "gfdt/score/estimators/denoising.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gfdt/base/error.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/codegen/program/aligned_array.hpp"
#include "gfdt/codegen/random/normals.hpp"
#include "gfdt/gpu/network/train.hpp"
#include "gfdt/score/fields/network_field.hpp"

namespace gfdt::score {
namespace {

// Seeds of the parts of a fit, so that they use distinct random numbers.
std::uint64_t seed_of_part(std::uint64_t seed, std::uint32_t part) {
  return codegen::Stream(seed, codegen::Purpose::training, 0x64736d00 + part).wide(0);
}

void check_count(const Samples& samples, const network::Architecture& architecture) {
  const std::size_t sites = static_cast<std::size_t>(architecture.sites);
  const std::size_t needed = (architecture.parameters() + sites - 1) / sites;
  if (samples.size() < needed)
    throw Error(
        fmt::format("{} samples are too few for a network of {} parameters, which needs {}. Take more samples or "
                    "a smaller network.",
                    samples.size(), architecture.parameters(), needed));
}

}  // namespace

std::string DenoisingOptions::problem() const {
  if (!(noise > 0) || noise > 1)
    return fmt::format("The noise level is {}; it must lie between 0 and 1 standard deviations, such as 0.05.", noise);
  if (std::ranges::any_of(hidden, [](int width) { return width < 1; }))
    return "A hidden layer of the network has no units; every width must be at least 1.";
  if (radius < 0) return fmt::format("The radius of the window is {} sites; it must not be negative.", radius);
  if (base < 8 || base % 8 != 0)
    return fmt::format("The U-Net has {} channels at the top; it needs a multiple of 8, for its groups of channels.",
                       base);
  if (probes < 1) return fmt::format("The number of probes is {}; it must be at least 1.", probes);
  if (threads < 0) return fmt::format("The number of threads is {}; it must be positive, or 0 for all.", threads);
  return training.problem();
}

DenoisingExamples::DenoisingExamples(const Samples& samples, const Arrangement& arrangement,
                                     const Normalisation& normalisation, double noise, bool turn, std::uint64_t seed)
    : arrangement_(arrangement),
      count_(samples.size()),
      points_(samples.values.size()),
      noise_(static_cast<float>(noise)),
      turn_(turn && arrangement.lattice()),
      noise_seed_(seed_of_part(seed, 0)),
      turn_seed_(seed_of_part(seed, 1)) {
  const auto& [fields, sites] = arrangement_;
  float* to = points_.data();
  for (std::size_t sample = 0; sample < count_; ++sample)
    for (int site = 0; site < sites; ++site)
      for (int field = 0; field < fields; ++field) {
        const int c = field * sites + site;
        *to++ = static_cast<float>((samples[sample][c] - normalisation.mean[c]) / normalisation.std[c]);
      }
}

void DenoisingExamples::get(std::span<const std::uint32_t> examples, std::uint32_t round, float* inputs, float* targets,
                            float* weights) const {
  const auto d = static_cast<std::size_t>(arrangement_.dimension());
  const std::size_t pairs = (examples.size() + 1) / 2, streams = (pairs + 15) / 16 * 16, blocks = (d + 3) / 4;
  std::vector<std::uint32_t> ids(streams);
  std::ranges::copy(examples.first(pairs), ids.begin());
  codegen::AlignedArray<float> noise(4 * blocks * streams);
  codegen::fill_normals(noise.span(), ids, noise_seed_, codegen::Purpose::training, round * std::uint64_t{blocks});
  for (std::size_t e = 0; e < pairs; ++e) {
    std::size_t shift = 0;
    if (turn_) {
      const codegen::Stream stream(turn_seed_, codegen::Purpose::training, ids[e]);
      shift = stream.index(round, static_cast<std::uint64_t>(arrangement_.sites)) *
              static_cast<std::size_t>(arrangement_.fields);
    }
    const float* x = points_.data() + ids[e] * d;
    const auto write = [&](std::size_t place, float sign) {
      float* input = inputs + place * d;
      std::copy(x, x + shift, std::copy(x + shift, x + d, input));
      for (std::size_t c = 0; c < d; ++c) {
        const float z = sign * noise[c * streams + e];
        targets[place * d + c] = -z / noise_;
        input[c] += noise_ * z;
      }
    };
    write(e, 1);
    if (pairs + e < examples.size()) write(pairs + e, -1);
  }
  std::fill_n(weights, examples.size(), 1.0f);
}

std::optional<network::ExampleTable> DenoisingExamples::table() const {
  return network::ExampleTable{.inputs = points_,
                               .targets = {},
                               .weights = {},
                               .noise = noise_,
                               .turn = turn_,
                               .sites = arrangement_.sites,
                               .fields = arrangement_.fields,
                               .noise_seed = noise_seed_,
                               .turn_seed = turn_seed_};
}

std::vector<int> default_hidden(NetworkKind kind) { return std::vector<int>(3, kind == NetworkKind::patch ? 128 : 64); }

network::Architecture architecture_of(const DenoisingOptions& options, const Arrangement& arrangement) {
  const std::vector<int> hidden = options.hidden.empty() ? default_hidden(options.kind) : options.hidden;
  switch (options.kind) {
    case NetworkKind::patch:
      return network::patch(arrangement.sites, arrangement.fields, options.radius, hidden);
    case NetworkKind::unet:
      return network::unet(arrangement.sites, arrangement.fields, options.base);
    case NetworkKind::mlp:
      break;
  }
  std::vector<int> widths{arrangement.dimension()};
  widths.insert(widths.end(), hidden.begin(), hidden.end());
  widths.push_back(arrangement.dimension());
  return network::mlp(widths);
}

int default_epochs(NetworkKind kind, std::size_t samples) {
  constexpr double visits[] = {2e7, 2e6, 1e6};
  const double epochs = visits[static_cast<std::size_t>(kind)] / static_cast<double>(std::max<std::size_t>(samples, 1));
  return static_cast<int>(std::clamp(std::round(epochs), 1.0, 100.0));
}

DenoisingFit fit_denoising(const Samples& samples, const DenoisingOptions& options,
                           const network::Network<float>* start, const ProgressListener& progress,
                           const Cancellation* cancellation) {
  const Stopwatch watch;
  if (const std::string problem = options.problem(); !problem.empty()) throw Error(problem);
  check(samples);
  // Dense layers ignore the ring: every component is a field of its own, in the original order.
  const Arrangement arrangement =
      options.kind == NetworkKind::mlp ? Arrangement{samples.dimension(), 1} : samples.arrangement;
  network::Network<float> network(architecture_of(options, arrangement));
  check_count(samples, network.architecture());
  DenoisingFit fit;
  fit.warm = start != nullptr && start->architecture() == network.architecture();
  if (fit.warm)
    network = network::Network<float>(*start);
  else
    network.initialise(options.seed);
  fit.method = "denoising";
  fit.normalisation = normalisation_of(samples);
  fit.parameters = network.architecture().parameters();
  network::TrainingOptions training = options.training;
  training.seed = options.seed;
  training.threads = options.threads;
  training.device = options.device;
  const DenoisingExamples examples(samples, arrangement, fit.normalisation, options.noise,
                                   options.kind == NetworkKind::unet, options.seed);
  fit.training = gpu::train(network, examples, training, progress, cancellation);
  fit.field = std::make_shared<NetworkField>(NetworkScore{.method = fit.method,
                                                          .arrangement = arrangement,
                                                          .normalisation = fit.normalisation,
                                                          .noise = options.noise,
                                                          .scale = 1,
                                                          .linear = {},
                                                          .network = std::move(network)},
                                             options.probes, options.device);
  fit.description = fit.field->description();
  fit.wall_seconds = watch.seconds();
  return fit;
}

}  // namespace gfdt::score
