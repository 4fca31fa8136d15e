#include "gfdt/gpu/network/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gfdt/base/philox.hpp"
#include "gfdt/gpu/codegen/device_source.hpp"
#include "gfdt/network/elementwise.hpp"
#include "gfdt/network/shape.hpp"

namespace gfdt::codegen {
extern const char* const device_math_text;
}

namespace gfdt::gpu {

extern const char *const tensor_intrinsics_text, *const network_text, *const training_text, *const evaluation_text;

namespace {

using network::Convolution;
using network::GroupNorm;
using network::Layer;
using network::Shape;
using network::Swish;
using network::UpsampleAndJoin;

// Must match the kernels.
constexpr int tile_rows = 48, tile_columns = 32, tile_depth = 32, deep_padding = 4, wide_padding = 8;
constexpr int rows_at_once = 72, most_deep_and_wide = 4 * tile_depth + 2 * tile_columns + 2 * wide_padding;
/// Largest number of weights in shared memory at a time.
constexpr int weight_room = 23040;

template <class T>
const T* layer_as(const network::Architecture& architecture, std::size_t number) {
  return number < architecture.layers.size() ? std::get_if<T>(&architecture.layers[number]) : nullptr;
}

/// Numbers in shared memory for the weights of one tap.
int weights_of_tap(const Cut& cut) {
  const int width = tile_columns << cut.across_bits, unit = 1 << cut.depth_bits;
  return std::max(unit * (width + wide_padding), width * (unit + deep_padding));
}

Cut cut_for(int depth, int columns, int taps) {
  Cut cut;
  const int tiles = (columns + tile_columns - 1) / tile_columns;
  while (cut.across_bits < 2 && (1 << cut.across_bits) < tiles) ++cut.across_bits;
  if (taps == 1 && depth > 1 << cut.depth_bits) ++cut.depth_bits;
  cut.taps_at_once = std::clamp(weight_room / weights_of_tap(cut), 1, taps);
  return cut;
}

class Builder {
 public:
  explicit Builder(const network::Architecture& architecture)
      : architecture_(architecture), shapes_(network::shapes(architecture)) {}

  Program build() {
    for (std::size_t t = 0; t < shapes_.size(); ++t) {
      const bool inside = t > 0 && layer_as<GroupNorm>(architecture_, t - 1) && layer_as<Swish>(architecture_, t);
      places_.push_back(inside ? Operation::nowhere : take(shapes_[t].sites * shapes_[t].channels));
    }
    for (std::size_t i = 0; i < architecture_.layers.size();) i = add(i);
    mark_accumulations();
    program_.inputs = static_cast<unsigned>(architecture_.inputs());
    program_.outputs = static_cast<unsigned>(architecture_.outputs());
    program_.output = places_.back();
    program_.targets = take(architecture_.outputs());
    program_.weights = take(1);
    program_.companions = program_.size;
    program_.size *= 2;
    return std::move(program_);
  }

 private:
  /// Reserves memory for `numbers` numbers per sample, aligned to four numbers.
  unsigned take(int numbers) {
    const unsigned place = program_.size;
    program_.size += static_cast<unsigned>(numbers + 3) / 4 * 4;
    return place;
  }

  unsigned take_parameters(std::size_t count) {
    const unsigned place = program_.parameters;
    program_.pieces.push_back({host_parameters_, place, count});
    host_parameters_ += count;
    program_.parameters += static_cast<unsigned>(count + 31) / 32 * 32;
    return place;
  }

  /// Adds the operation that starts with layer i; returns the index of the next layer.
  std::size_t add(std::size_t i) {
    const Layer& layer = architecture_.layers[i];
    if (const auto* convolution = std::get_if<Convolution>(&layer)) return add_convolution(i, *convolution);
    Operation o;
    o.in = places_[i];
    o.sites = shapes_[i + 1].sites;
    o.in_channels = shapes_[i].channels;
    o.out_channels = shapes_[i + 1].channels;
    std::size_t next = i + 1;
    if (const auto* join = std::get_if<UpsampleAndJoin>(&layer)) {
      o.kind = Operation::join;
      o.skip = places_[static_cast<std::size_t>(join->skip) + 1];
    } else {
      o.kind = Operation::activation;
      o.swish = 1;
      if (const auto* norm = std::get_if<GroupNorm>(&layer)) {
        o.groups = norm->groups;
        o.kept = take(2 * norm->groups);
        o.parameters = take_parameters(network::parameter_count(layer));
        o.swish = layer_as<Swish>(architecture_, next) ? 1 : 0;
        next += static_cast<std::size_t>(o.swish);
      }
    }
    o.out = places_[next];
    program_.operations.push_back(o);
    return next;
  }

  /// A convolution whose stride equals its kernel length is a dense layer on that many sites at a time.
  std::size_t add_convolution(std::size_t i, const Convolution& layer) {
    constexpr int few_channels = 8;  // with so few channels, the rows of a single tap would be mostly empty
    const bool strided = layer.stride > 1;
    Operation o;
    o.sites = shapes_[i + 1].sites;
    o.in_channels = strided ? layer.kernel * layer.in : layer.in;
    o.out_channels = layer.out;
    o.taps = strided ? 1 : layer.kernel;
    o.lead = (o.taps - 1) / 2;
    o.first = i == 0 ? 1 : 0;
    o.unfolded = o.first != 0 && o.in_channels < few_channels ? o.taps : 1;
    o.forward = cut_for(o.in_channels * o.unfolded, o.out_channels, o.taps / o.unfolded);
    o.backward = cut_for(o.out_channels, o.in_channels, o.taps);
    o.in = places_[i];
    o.in_gradient = places_[i];
    if (const auto before = swished_.find(i); before != swished_.end()) o.slope = o.in_gradient = before->second;
    o.out = places_[i + 1];
    o.parameters = take_parameters(network::parameter_count(layer));
    const double tile = tile_rows * tile_columns;
    program_.tiles.push_back(o.sites * std::ceil(o.out_channels / double{tile_columns}) * tile_columns / tile);
    std::size_t next = i + 1;
    if (layer_as<Swish>(architecture_, next) && layer_as<Convolution>(architecture_, next + 1) && !joined(next)) {
      o.swish = 1;
      o.after = places_[next + 1];
      swished_[next + 1] = o.out;
      ++next;
    }
    program_.operations.push_back(o);
    return next;
  }

  /// Whether a later layer joins the output of layer i.
  bool joined(std::size_t i) const {
    return std::ranges::any_of(architecture_.layers, [&](const Layer& layer) {
      const auto* join = std::get_if<UpsampleAndJoin>(&layer);
      return join && static_cast<std::size_t>(join->skip) == i;
    });
  }

  /// Operations run backwards from the last: the first to contribute to a gradient sets it, the others add to it.
  void mark_accumulations() {
    std::map<unsigned, int> shares;
    for (auto o = program_.operations.rbegin(); o != program_.operations.rend(); ++o)
      if (o->kind == Operation::join)
        o->accumulate = shares[o->skip]++ > 0 ? 1 : 0;
      else if (o->kind == Operation::convolution)
        o->accumulate = shares[o->in_gradient] > 0 ? 1 : 0;
  }

  const network::Architecture& architecture_;
  std::vector<Shape> shapes_;
  std::vector<unsigned> places_;             ///< place of each tensor
  std::map<std::size_t, unsigned> swished_;  ///< for each output of a convolution's Swish: place of the argument
  std::size_t host_parameters_ = 0;
  Program program_;
};

std::string source(const char* kernels, bool precise, int neighbours) {
  return codegen::device_intrinsics() + tensor_intrinsics_text + "typedef float Real;\n" + codegen::device_math_text +
         fmt::format(
             "namespace gfdt_device {{\nconstexpr int warps = {}, neighbours = {};\nconstexpr bool precise = {};\n"
             "constexpr float group_norm_epsilon = {}f, adam_beta1 = {}f, adam_beta2 = {}f;\n"
             "constexpr unsigned training_purpose = {};\n}}\n",
             warps, neighbours, precise, network::group_norm_epsilon, network::adam_beta1, network::adam_beta2,
             static_cast<unsigned>(codegen::Purpose::training)) +
         network_text + kernels;
}

}  // namespace

Program program_of(const network::Architecture& architecture) { return Builder(architecture).build(); }

void Program::to_device(std::span<const float> host, std::span<float> device) const {
  for (const Piece& piece : pieces)
    std::ranges::copy(host.subspan(piece.host, piece.count),
                      device.begin() + static_cast<std::ptrdiff_t>(piece.device));
}

void Program::to_host(std::span<const float> device, std::span<float> host) const {
  for (const Piece& piece : pieces)
    std::ranges::copy(device.subspan(piece.device, piece.count),
                      host.begin() + static_cast<std::ptrdiff_t>(piece.host));
}

std::size_t Program::group_bytes(int samples) const {
  const int threads = 32 * warps;
  std::size_t numbers = static_cast<std::size_t>(4 * threads);  // for sums over the group
  const auto need = [&](int count) { numbers = std::max(numbers, static_cast<std::size_t>(count)); };
  const auto product = [](const Cut& cut, int rows) {
    return rows * ((1 << cut.depth_bits) + deep_padding) + cut.taps_at_once * weights_of_tap(cut);
  };
  for (const Operation& o : operations) {
    const int rows = samples * o.sites, padded = (rows + 7) / 8 * 8;
    if (o.kind == Operation::activation) need(2 * samples * (o.out_channels + o.groups));
    if (o.kind != Operation::convolution) continue;
    need(product(o.forward, rows));
    need(product(o.backward, rows));
    const int width = (o.out_channels > tile_columns ? 2 : 1) * tile_columns;
    need(o.taps == o.unfolded ? rows_at_once * most_deep_and_wide : padded * (tile_depth + width + 2 * wide_padding));
  }
  return sizeof(float) * numbers;
}

int Program::best_samples(int least, int most, std::size_t bytes) const {
  const double largest = tiles.empty() ? 1 : std::ranges::max(tiles);
  int samples = std::clamp(static_cast<int>(warps / largest), least, most);
  while (samples > 0 && group_bytes(samples) > bytes) --samples;
  return samples;
}

std::string training_source(bool precise, int neighbours) { return source(training_text, precise, neighbours); }
std::string evaluation_source(bool precise, int neighbours) { return source(evaluation_text, precise, neighbours); }

}  // namespace gfdt::gpu
