#pragma once

#include <string>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::jacobian {

/// <∂A/∂θ>, the part of a derivative that does not come from the dynamics: where a parameter stands in an observable.
struct DirectTerm {
  std::size_t observable = 0;
  std::size_t parameter = 0;
  symbolic::Expression formula;
  std::string unavailable;  ///< why there is none, as for the threshold of an indicator; empty when there is
};

/// Those that are not zero.
std::vector<DirectTerm> direct_terms(const symbolic::Model& model, const std::vector<std::string>& parameters);

/// The model with the terms that are available as further observables, in their order.
symbolic::Model with_observables(symbolic::Model model, const std::vector<DirectTerm>& terms);

}  // namespace gfdt::jacobian
