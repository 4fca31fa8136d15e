#pragma once

#include "gfdt/calibrate/step.hpp"

namespace gfdt::calibrate {

/// The step of solve_step for many parameters (Steihaug 1983): conjugate gradients on
/// (SᵀBS + Π + Γ) δ = −(SᵀBr + Ππ), in the variables δ/D, stopped where they leave the trust region. The normal matrix
/// is never formed. Begun at zero, they leave directions in which nothing changes alone.
Step conjugate_gradients(const LinearModel& model, const Eigen::VectorXd& regularisation, const Eigen::VectorXd& scale,
                         double radius);

}  // namespace gfdt::calibrate
