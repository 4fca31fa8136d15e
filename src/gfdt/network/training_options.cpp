#include <fmt/format.h>

#include "gfdt/network/training.hpp"

namespace gfdt::network {

std::string TrainingOptions::problem() const {
  if (batch < 1) return fmt::format("The batch must hold at least one example; {} is not possible.", batch);
  if (epochs < 1) return fmt::format("Training needs at least one epoch; {} is not possible.", epochs);
  if (!(rate > 0 && rate < 1)) return fmt::format("The learning rate must lie between 0 and 1; {} does not.", rate);
  if (!(warm_up >= 0 && warm_up < 1)) return fmt::format("The warm-up must be a share below 1; {} is not.", warm_up);
  if (!(final_rate >= 0 && final_rate <= 1))
    return fmt::format("The final rate must be a share of the rate, from 0 to 1; {} is not.", final_rate);
  if (!(validation >= 0 && validation <= 0.5))
    return fmt::format("The share kept for validation must lie between 0 and 0.5; {} does not.", validation);
  if (patience < 0) return fmt::format("The patience must not be negative; {} is.", patience);
  if (patience > 0 && validation == 0)
    return "Stopping early needs examples kept for validation; set validation above 0.";
  return {};
}

}  // namespace gfdt::network
