#pragma once

#include <vector>

#include "gfdt/base/philox.hpp"

namespace gfdt::calibrate {

/// One vector a member.
using Members = std::vector<std::vector<double>>;

/// The ensemble Kalman update with perturbed observations (Iglesias, Law and Stuart 2013), coordinates η, outputs g:
///
///     η_i ← η_i + C_ηg (C_gg + Q)⁻¹ (y + ξ_i − g_i),   ξ_i ~ N(0, Q)
///
/// C are covariances over the ensemble, Q is `perturbation`, [row][column]. Where the outputs carry noise of their own,
/// of covariance C_s, both C_gg and −g_i hold it already: Q is then what is missing to the noise that is meant. The
/// perturbations sum to zero over the ensemble.
Members kalman_update(const Members& coordinates, const Members& outputs, const std::vector<double>& observed,
                      const std::vector<double>& perturbation, const codegen::Stream& normals);

std::vector<double> mean_of(const Members& members);
/// Over the members, [row][column].
std::vector<double> covariance_of(const Members& members);

/// A draw from the normal law with the mean and the covariance of the members; it takes as many normals as there are
/// members, from `position` on.
std::vector<double> draw_like(const Members& members, const codegen::Stream& normals, std::uint64_t position);

}  // namespace gfdt::calibrate
