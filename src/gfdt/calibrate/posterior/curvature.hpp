#pragma once

#include <functional>

#include "gfdt/calibrate/search/convergence.hpp"

namespace gfdt::calibrate {

/// The statistics at changed coordinates η; empty where the model cannot be evaluated there.
using StatisticsAt = std::function<std::optional<Eigen::VectorXd>(const Eigen::VectorXd& change)>;

/// Measures, by two runs along each determined direction v with the standard error σ, how far the statistics are from
/// linear at the ends of the 95 % interval, t = ±1.96 σ:
///
///     q = N^−½ (G(t) + G(−t) − 2 G(0))/2           curvature ‖q‖/1.96, the relative curvature of Bates and Watts,
///                                                  "Relative curvature measures of nonlinearity", 1980
///
/// where the part of bounded parameters' coordinates in it, S (θ(t) + θ(−t) − 2θ(0)), is subtracted: the covariance is
/// that of the parameters themselves. Then follows the parabola through the three points to where Φ has risen by
/// ½ · 1.96², other directions w being moved along by −½t² (N^−½ S w)·c, c the curvature of the parabola, which keeps Φ
/// lowest: a profile to second order. Intervals of parameters are made of these ends as Gaussian ones are of standard
/// errors, in squares over the directions. Along directions whose curvature exceeds `Curvature::second_order` the
/// parabola is not to be trusted, and no end is closer than that of the Gaussian. `answer`: values of the parameters,
/// with statistics G(0).
Curvature measure_curvature(const Problem& problem, const std::vector<double>& answer, const LinearModel& model,
                            const std::vector<Direction>& directions, const Eigen::VectorXd& statistics,
                            const StatisticsAt& evaluate);

}  // namespace gfdt::calibrate
