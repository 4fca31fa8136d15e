#pragma once

#include <string>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::symbolic {

/// Whether a parameter is only an amplitude of noise, so that its sign has no effect: drift and observables do not
/// contain it, and it multiplies all terms of each noise in which it appears. Reflecting a noise leaves its
/// distribution unchanged.
bool is_noise_amplitude(const Model& model, const std::string& parameter);

}  // namespace gfdt::symbolic
