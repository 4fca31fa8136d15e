#pragma once

#include <string>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::jacobian {

/// <∂A/∂θ>: the part of a derivative that comes from the explicit dependence of an observable on a parameter.
struct DirectTerm {
  std::size_t observable = 0;
  std::size_t parameter = 0;
  symbolic::Expression formula;
  std::string unavailable;  ///< why the term is not available, as for the threshold of an indicator; otherwise empty
};

/// The direct terms that are not zero.
std::vector<DirectTerm> direct_terms(const symbolic::Model& model, const std::vector<std::string>& parameters);

/// The model with the available terms as additional observables, in their order.
symbolic::Model with_observables(symbolic::Model model, const std::vector<DirectTerm>& terms);

}  // namespace gfdt::jacobian
