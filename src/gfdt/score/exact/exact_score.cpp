#include "gfdt/score/exact/exact_score.hpp"

#include "gfdt/base/error.hpp"
#include "gfdt/score/exact/linear.hpp"
#include "gfdt/score/exact/one_dimensional.hpp"
#include "gfdt/score/exact/stationary_density.hpp"

namespace gfdt::score {

std::unique_ptr<Field> exact_score(const symbolic::Model& model, std::string* why_not) {
  std::string reason;
  try {
    return std::make_unique<GaussianField>(exact_linear(model));
  } catch (const Error& error) {
    reason = error.what();
  }
  if (model.states.size() == 1 && model.states[0].indices.empty()) {
    try {
      [[maybe_unused]] const StationaryDensity can_be_normalised(model);
      return std::make_unique<ExactOneDimensional>(model);
    } catch (const Error& error) {
      reason = error.what();
    }
  }
  if (why_not) *why_not = reason;
  return nullptr;
}

}  // namespace gfdt::score
