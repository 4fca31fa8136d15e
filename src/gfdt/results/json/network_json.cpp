#include "gfdt/results/json/network_json.hpp"

#include <cmath>

#include "gfdt/base/error.hpp"

namespace gfdt::results {
namespace {

using network::Architecture;
using network::Convolution;
using network::GroupNorm;
using network::Layer;
using network::Swish;
using network::UpsampleAndJoin;
using Json = nlohmann::ordered_json;

struct LayerToJson {
  Json operator()(const Convolution& layer) const {
    return {{"convolution", {layer.in, layer.out, layer.kernel, layer.stride}}};
  }
  Json operator()(const GroupNorm& layer) const { return {{"group_norm", {layer.channels, layer.groups}}}; }
  Json operator()(const Swish&) const { return "swish"; }
  Json operator()(const UpsampleAndJoin& layer) const { return {{"upsample_and_join", layer.skip}}; }
};

Layer layer_from_json(const Json& value) {
  if (value.is_string() && value == "swish") return Swish{};
  if (value.contains("convolution")) {
    const auto n = value.at("convolution").get<std::vector<int>>();
    return Convolution{n.at(0), n.at(1), n.at(2), n.at(3)};
  }
  if (value.contains("group_norm")) {
    const auto n = value.at("group_norm").get<std::vector<int>>();
    return GroupNorm{n.at(0), n.at(1)};
  }
  if (value.contains("upsample_and_join")) return UpsampleAndJoin{value.at("upsample_and_join").get<int>()};
  throw Error("A layer of the network is of a kind that is not known.");
}

/// A larger size indicates a damaged file: such a network would not fit into memory.
void check_size(const Architecture& architecture) {
  constexpr double most = 1e9;
  double size = static_cast<double>(architecture.sites) * architecture.channels;
  for (const Layer& layer : architecture.layers)
    if (const auto* convolution = std::get_if<Convolution>(&layer))
      size += std::abs(static_cast<double>(convolution->in) * convolution->out * convolution->kernel);
  if (!(size < most)) throw Error("The network is too large to be true.");
}

}  // namespace

Json to_json(const network::Network<float>& network) {
  Json layers = Json::array();
  for (const Layer& layer : network.architecture().layers) layers.push_back(std::visit(LayerToJson{}, layer));
  return {{"sites", network.architecture().sites},
          {"channels", network.architecture().channels},
          {"layers", layers},
          {"parameters", std::vector<float>(network.parameters().begin(), network.parameters().end())}};
}

network::Network<float> network_from_json(const Json& value) {
  Architecture architecture{value.at("sites").get<int>(), value.at("channels").get<int>(), {}};
  for (const Json& layer : value.at("layers")) architecture.layers.push_back(layer_from_json(layer));
  check_size(architecture);
  architecture.check();
  network::Network<float> result(std::move(architecture));
  const auto parameters = value.at("parameters").get<std::vector<float>>();
  if (parameters.size() != result.parameters().size()) throw Error("The network has the wrong number of parameters.");
  for (float parameter : parameters)
    if (!std::isfinite(parameter)) throw Error("A parameter of the network is not a number.");
  std::ranges::copy(parameters, result.parameters().begin());
  result.prepare();
  return result;
}

}  // namespace gfdt::results
