#pragma once

#include "gfdt/calibrate/search/step.hpp"

namespace gfdt::calibrate {

/// The step of solve_step for many parameters: conjugate gradients on (SᵀBS + Π + Γ + μ D⁻²) δ = −(SᵀBr + Ππ), in the
/// variables δ/D, for the μ that keeps them within the trust region. The normal matrix is never formed. Begun at zero,
/// they leave directions in which nothing changes alone.
Step conjugate_gradients(const LinearModel& model, const Eigen::VectorXd& regularisation, const Eigen::VectorXd& scale,
                         double radius);

}  // namespace gfdt::calibrate
