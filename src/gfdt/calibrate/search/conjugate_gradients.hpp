#pragma once

#include "gfdt/calibrate/search/step.hpp"

namespace gfdt::calibrate {

/// The step of solve_step for many parameters: conjugate gradients for (SᵀBS + Π + Γ + μ D⁻²) δ = −(SᵀBr + Ππ), in the
/// variables δ/D, with the smallest μ that keeps the step within the trust region. The normal matrix is never formed.
/// The iteration starts at zero, so that directions in which nothing changes keep a zero component.
Step conjugate_gradients(const LinearModel& model, const Eigen::VectorXd& regularisation, const Eigen::VectorXd& scale,
                         double radius);

}  // namespace gfdt::calibrate
