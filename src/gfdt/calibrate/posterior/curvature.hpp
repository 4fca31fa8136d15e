#pragma once

#include <functional>

#include "gfdt/calibrate/search/convergence.hpp"

namespace gfdt::calibrate {

/// The statistics at coordinates changed by `change`, in η; empty if the model cannot be evaluated there.
using StatisticsAt = std::function<std::optional<Eigen::VectorXd>(const Eigen::VectorXd& change)>;

/// Measures the nonlinearity of the statistics at the ends of the 95 % interval, t = ±1.96 σ, by two runs along each
/// determined direction v with the standard error σ:
///
///     q = N^−½ (G(t) + G(−t) − 2 G(0))/2           curvature ‖q‖/1.96, the relative curvature of Bates and Watts,
///                                                  "Relative curvature measures of nonlinearity", 1980
///
/// The contribution of the coordinates of bounded parameters, S (θ(t) + θ(−t) − 2θ(0)), is subtracted, because the
/// covariance describes the parameters themselves.
///
/// The ends of the interval are the points at which Φ has risen by ½ · 1.96² on the parabola through the three points.
/// Other directions w are displaced by −½t² (N^−½ S w)·c, with the curvature c of the parabola, which minimises Φ: a
/// profile to second order. The half widths of the intervals of parameters are combined from these ends in squares over
/// the directions, as Gaussian ones are from standard errors. Along a direction whose curvature exceeds
/// `Curvature::second_order` the parabola is unreliable, and the ends are no closer than the Gaussian ones.
///
/// `answer`: values of the parameters, natural scale; `statistics`: G(0).
Curvature measure_curvature(const Problem& problem, const std::vector<double>& answer, const LinearModel& model,
                            const std::vector<Direction>& directions, const Eigen::VectorXd& statistics,
                            const StatisticsAt& evaluate);

}  // namespace gfdt::calibrate
