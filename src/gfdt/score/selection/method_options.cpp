#include "gfdt/score/selection/method_options.hpp"

#include <algorithm>
#include <cmath>

namespace gfdt::score {
namespace {

void apply(const Options& options, bool warm, network::TrainingOptions& training) {
  if (options.epochs) training.epochs = *options.epochs;
  if (warm)
    training.epochs = std::max(1, static_cast<int>(std::lround(options.warm_epochs.value_or(1) * training.epochs)));
  if (options.batch) training.batch = *options.batch;
  if (options.rate) training.rate = *options.rate;
  if (options.patience) training.patience = *options.patience;
  constexpr double validation_for_patience = 0.1;
  training.validation = options.validation.value_or(training.patience > 0 ? validation_for_patience : 0.0);
}

}  // namespace

KgmmOptions kgmm_options(const Options& options, bool warm) {
  KgmmOptions result;
  if (options.noise) result.noise = *options.noise;
  if (options.leaves) result.leaves = *options.leaves;
  if (options.hidden) result.hidden = *options.hidden;
  apply(options, warm, result.training);
  result.seed = options.seed;
  result.threads = options.threads;
  result.device = options.device;
  return result;
}

DenoisingOptions denoising_options(const Options& options, Method method, const Arrangement& arrangement,
                                   std::size_t samples, bool warm) {
  DenoisingOptions result;
  result.kind = method == Method::patch  ? NetworkKind::patch
                : method == Method::unet ? NetworkKind::unet
                                         : NetworkKind::mlp;
  if (options.noise) result.noise = *options.noise;
  if (options.hidden) result.hidden = *options.hidden;
  result.radius = options.radius.value_or(std::min(result.radius, (arrangement.sites - 1) / 2));
  if (options.width) result.base = *options.width;
  result.training.epochs = score::default_epochs(result.kind, samples);
  apply(options, warm, result.training);
  result.probes = options.probes;
  result.seed = options.seed;
  result.threads = options.threads;
  result.device = options.device;
  return result;
}

}  // namespace gfdt::score
