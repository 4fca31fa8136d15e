#include "gfdt/simulate/coarser_step.hpp"

#include <algorithm>
#include <cmath>

namespace gfdt::simulate {
namespace {

int weak_order(const model::Model& model, Scheme scheme) {
  switch (scheme) {
    case Scheme::weak2:
      return 2;
    case Scheme::rk4:
      return model.diffusion.empty() ? 4 : 1;
    case Scheme::euler_maruyama:
      break;
  }
  return 1;
}

}  // namespace

Options with_coarser_step(Options options, int ratio) {
  options.dt *= ratio;
  options.cadence = std::max(1, options.cadence / ratio);
  return options;
}

double excess_bias(const model::Model& model, Scheme scheme, int ratio) {
  return std::pow(ratio, weak_order(model, scheme)) - 1;
}

}  // namespace gfdt::simulate
