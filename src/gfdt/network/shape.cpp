#include "gfdt/network/shape.hpp"

#include <fmt/format.h>

#include "gfdt/base/error.hpp"

namespace gfdt::network {
namespace {

[[noreturn]] void misfit(std::size_t layer, const std::string& what) {
  throw Error(fmt::format("Layer {} of the network {}.", layer + 1, what));
}

/// Computes the shape of a layer's output.
struct ShapeRule {
  std::size_t number;
  const std::vector<Shape>& before;

  Shape operator()(const Convolution& layer) const {
    const Shape in = before.back();
    if (layer.in != in.channels) misfit(number, fmt::format("expects {} channels and gets {}", layer.in, in.channels));
    if (layer.out < 1 || layer.kernel < 1 || layer.stride < 1) misfit(number, "has a width, kernel or stride below 1");
    if (layer.kernel > in.sites) misfit(number, fmt::format("has a kernel of {} on {} sites", layer.kernel, in.sites));
    if (layer.stride > 1 && layer.stride != layer.kernel) misfit(number, "has a stride that is not 1 or its kernel");
    if (in.sites % layer.stride != 0)
      misfit(number, fmt::format("has a stride of {} on {} sites", layer.stride, in.sites));
    return {in.sites / layer.stride, layer.out};
  }
  Shape operator()(const GroupNorm& layer) const {
    const Shape in = before.back();
    if (layer.channels != in.channels || layer.groups < 1 || in.channels % layer.groups != 0)
      misfit(number, fmt::format("cannot make {} groups of {} channels", layer.groups, in.channels));
    if (in.sites * in.channels / layer.groups < 2) misfit(number, "norms groups of a single number");
    return in;
  }
  Shape operator()(const Swish&) const { return before.back(); }
  Shape operator()(const UpsampleAndJoin& layer) const {
    if (layer.skip < 0 || static_cast<std::size_t>(layer.skip) + 1 >= before.size())
      misfit(number, "joins a layer that does not stand before it");
    const Shape in = before.back(), skip = before[static_cast<std::size_t>(layer.skip) + 1];
    if (skip.sites != 2 * in.sites)
      misfit(number, fmt::format("joins {} sites to {} doubled ones", skip.sites, 2 * in.sites));
    return {skip.sites, in.channels + skip.channels};
  }
};

/// The output of a joined layer receives its gradient from the join first; only a convolution can add to it.
void check_skips(const Architecture& architecture) {
  for (const Layer& layer : architecture.layers)
    if (const auto* join = std::get_if<UpsampleAndJoin>(&layer)) {
      const auto next = static_cast<std::size_t>(join->skip) + 1;
      if (!std::holds_alternative<Convolution>(architecture.layers[next]))
        misfit(next, "follows a layer that is joined later and is no convolution");
      if (std::holds_alternative<GroupNorm>(architecture.layers[next - 1]))
        misfit(next - 1, "is joined later and is a group norm");
    }
}

}  // namespace

std::vector<Shape> shapes(const Architecture& architecture) {
  if (architecture.sites < 1 || architecture.channels < 1 || architecture.layers.empty())
    throw Error("A network needs at least one site, one channel and one layer.");
  std::vector<Shape> result{{architecture.sites, architecture.channels}};
  for (std::size_t i = 0; i < architecture.layers.size(); ++i)
    result.push_back(std::visit(ShapeRule{i, result}, architecture.layers[i]));
  check_skips(architecture);
  return result;
}

std::size_t parameter_count(const Layer& layer) {
  if (const auto* convolution = std::get_if<Convolution>(&layer))
    return static_cast<std::size_t>(convolution->kernel * convolution->in + 1) *
           static_cast<std::size_t>(convolution->out);
  if (const auto* norm = std::get_if<GroupNorm>(&layer)) return 2 * static_cast<std::size_t>(norm->channels);
  return 0;
}

}  // namespace gfdt::network
