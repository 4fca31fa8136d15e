#include "gfdt/scoring/choose.hpp"

#include <fmt/format.h>

#include "gfdt/core/error.hpp"
#include "gfdt/exact/exact_score.hpp"
#include "gfdt/scoring/sample_collector.hpp"

namespace gfdt::scoring {
namespace {

Choice choose_automatically(const model::Model& model) {
  std::string no_exact;
  if (const auto exact = exact::exact_score(model, &no_exact))
    return {Method::exact, fmt::format("the score is known: {}", exact->description())};
  const int dimension = model.dimension();
  if (dimension <= most_kgmm_dimensions)
    return {Method::kgmm,
            fmt::format("{} dimension{}, and no exact score ({})", dimension, dimension == 1 ? "" : "s", no_exact)};
  if (arrangement_of(model).lattice())
    return {Method::patch,
            fmt::format("a ring of {} sites, and no exact score ({})", arrangement_of(model).sites, no_exact)};
  return {Method::dsm, fmt::format("{} dimensions, too many for kgmm, no ring for patch, and no exact score ({})",
                                   dimension, no_exact)};
}

}  // namespace

Choice choose(const model::Model& model, Method wanted) {
  if (wanted == Method::automatic) return choose_automatically(model);
  if (wanted == Method::exact) {
    std::string why_not;
    if (!exact::exact_score(model, &why_not))
      throw Error(fmt::format("There is no exact score of this model: {} Use another method, or auto.", why_not));
  }
  if ((wanted == Method::patch || wanted == Method::unet) && !arrangement_of(model).lattice())
    throw Error(fmt::format("The method {} is for models whose states are all fields over one index; use dsm or auto.",
                            name(wanted)));
  return {wanted, "asked for"};
}

}  // namespace gfdt::scoring
