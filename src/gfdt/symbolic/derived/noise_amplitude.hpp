#pragma once

#include <string>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::symbolic {

/// Whether a parameter is the amplitude of noises and nothing else, so that its sign does not matter: drift and
/// observables do not contain it, and it multiplies all terms of each noise in which it appears. A noise and its
/// reflection have the same distribution.
bool is_noise_amplitude(const Model& model, const std::string& parameter);

}  // namespace gfdt::symbolic
