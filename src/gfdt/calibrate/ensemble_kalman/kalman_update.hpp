#pragma once

#include <vector>

#include "gfdt/base/philox.hpp"

namespace gfdt::calibrate {

/// One vector per member.
using Members = std::vector<std::vector<double>>;

/// The ensemble Kalman update with perturbed observations (Iglesias, Law and Stuart 2013), with coordinates η and
/// outputs g:
///
///     η_i ← η_i + C_ηg (C_gg + Q)⁻¹ (y + ξ_i − g_i),   ξ_i ~ N(0, Q)
///
/// C are covariances over the ensemble; Q is `perturbation`, [row][column]. If the outputs have noise of their own, of
/// covariance C_s, both C_gg and −g_i already contain it: Q is then the intended noise covariance minus C_s. The
/// perturbations sum to zero over the ensemble.
Members kalman_update(const Members& coordinates, const Members& outputs, const std::vector<double>& observed,
                      const std::vector<double>& perturbation, const codegen::Stream& normals);

std::vector<double> mean_of(const Members& members);
/// Covariance over the members, [row][column].
std::vector<double> covariance_of(const Members& members);

/// A draw from the normal distribution with the mean and the covariance of the members. It uses as many normals as
/// there are members, starting at `position`.
std::vector<double> draw_like(const Members& members, const codegen::Stream& normals, std::uint64_t position);

}  // namespace gfdt::calibrate
