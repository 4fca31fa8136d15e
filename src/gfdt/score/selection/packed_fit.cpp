#include "gfdt/score/selection/packed_fit.hpp"

#include "gfdt/base/error.hpp"
#include "gfdt/score/fields/corrected_field.hpp"
#include "gfdt/score/fields/network_field.hpp"

namespace gfdt::score {
namespace {

void pack_network(const NetworkField& field, Packer& packer) {
  const NetworkScore& parts = field.parts();
  const network::Architecture& architecture = parts.network.architecture();
  packer.put(field.wanted_probes());
  packer.put(field.on_device());
  packer.put(parts.method);
  packer.put(parts.arrangement);
  packer.put(parts.normalisation.mean);
  packer.put(parts.normalisation.std);
  packer.put(parts.noise);
  packer.put(parts.scale);
  packer.put(parts.linear);
  packer.put(architecture.sites);
  packer.put(architecture.channels);
  packer.put(architecture.layers);
  packer.put(parts.network.parameters());
}

std::shared_ptr<const Field> unpack_network(Unpacker& unpacker) {
  const auto probes = unpacker.get<int>();
  const auto device = unpacker.get<bool>();
  auto method = unpacker.get<std::string>();
  const auto arrangement = unpacker.get<Arrangement>();
  Normalisation normalisation;
  unpacker.get(normalisation.mean);
  unpacker.get(normalisation.std);
  const auto noise = unpacker.get<double>(), scale = unpacker.get<double>();
  auto linear = unpacker.get<std::vector<double>>();
  network::Architecture architecture;
  unpacker.get(architecture.sites);
  unpacker.get(architecture.channels);
  unpacker.get(architecture.layers);
  network::Network<float> network(std::move(architecture));
  unpacker.get(network.parameters());
  network.prepare();
  return std::make_shared<NetworkField>(NetworkScore{std::move(method), arrangement, std::move(normalisation), noise,
                                                     scale, std::move(linear), std::move(network)},
                                        probes, device);
}

}  // namespace

void pack(const ScoreFit& fit, Packer& packer) {
  const auto* corrected = dynamic_cast<const CorrectedField*>(fit.field.get());
  const auto* network = dynamic_cast<const NetworkField*>(corrected ? corrected->base().get() : fit.field.get());
  if (fit.field && !network) throw Error("A score that is no network cannot be sent to another rank.");
  packer.put(fit.choice.method);
  packer.put(fit.choice.reason);
  packer.put(fit.details);
  packer.put(fit.correction);
  packer.put(fit.wall_seconds);
  packer.put(fit.problem);
  packer.put(fit.training.has_value());
  if (fit.training) network::pack(*fit.training, packer);
  packer.put(network != nullptr);
  if (network) pack_network(*network, packer);
  packer.put(corrected ? corrected->matrix() : std::vector<double>());
}

ScoreFit unpack_fit(Unpacker& unpacker) {
  ScoreFit fit;
  unpacker.get(fit.choice.method);
  unpacker.get(fit.choice.reason);
  unpacker.get(fit.details);
  unpacker.get(fit.correction);
  unpacker.get(fit.wall_seconds);
  unpacker.get(fit.problem);
  if (unpacker.get<bool>()) fit.training = network::unpack_training(unpacker);
  if (unpacker.get<bool>()) fit.field = unpack_network(unpacker);
  if (auto matrix = unpacker.get<std::vector<double>>(); !matrix.empty())
    fit.field = std::make_shared<CorrectedField>(fit.field, std::move(matrix));
  return fit;
}

}  // namespace gfdt::score
