#pragma once

#include <array>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::symbolic {

/// Which states are angles, in the order of the model's states: those that formulas contain only inside sin, cos and
/// tan, where all formulas repeat when the state advances by 2π, for any values of the parameters. An angle may wind
/// forever and has no stationary distribution; its cosine and sine have one.
std::vector<bool> find_angles(const Model& model);

/// A function of one state, per site.
struct StateFunction {
  std::string name;
  Expression formula;
};

/// Two functions of a state whose averages settle where the model has a stationary distribution: x and x², for an angle
/// cos x and sin x.
std::array<StateFunction, 2> settling_functions(const Model& model, std::size_t state);

}  // namespace gfdt::symbolic
