#pragma once

#include <array>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::symbolic {

/// Which states are angles, in the order of the model's states. A state is an angle if formulas contain it only inside
/// sin, cos and tan, and are unchanged when it advances by 2π, for all parameter values. An angle may grow without
/// bound and has no stationary distribution; its cosine and sine have one.
std::vector<bool> find_angles(const Model& model);

/// A function of one state, per site.
struct StateFunction {
  std::string name;
  Expression formula;
};

/// Two functions of a state whose averages converge if the model has a stationary distribution: x and x², or cos x and
/// sin x for an angle.
std::array<StateFunction, 2> settling_functions(const Model& model, std::size_t state);

}  // namespace gfdt::symbolic
