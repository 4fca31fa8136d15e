"""The exact answer of a calibration, and how far an answer is from it.

    R(θ) = ( N^{-1/2} (G(θ) − targets),  (θ − mean)/std of the priors ),   the minimiser of |R|² within the bounds

Directions are the left singular vectors u_i of dR/dθ, with θ in units of its own size; those with a singular value above DETERMINED are known
to better than half of the parameter's size. Along them u_iᵀ(R(θ) − R(θ_min)) is the distance in posterior standard errors.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats
from scipy.optimize import least_squares

from exact.answer import parameter_scales, solver_jacobian
from problem import Unsuitable

DETERMINED = 2.0
AT_BOUND = 1e-6


@dataclass
class Minimum:
    parameters: np.ndarray       # free ones
    residual: np.ndarray
    directions: np.ndarray       # rows: determined directions in the space of R
    singular_values: np.ndarray  # of all directions
    chi_square: float
    p_value: float               # of chi_square with the degrees of freedom that are left
    errors: np.ndarray           # posterior standard errors; infinite where not determined

    @property
    def whole(self):
        """Whether every direction is determined and no bound is active."""
        return len(self.directions) == len(self.parameters)


class Objective:
    """`noise`: variances of the statistics from the simulation, added to those of the targets."""

    def __init__(self, case, noise=None):
        self.case = case
        self.weight = 1 / np.sqrt(case.std**2 + (0.0 if noise is None else noise))
        self.scale = parameter_scales(case.solver, case.theta, 0.1)[case.free]

    def full(self, parameters):
        theta = self.case.theta.copy()
        theta[self.case.free] = parameters
        if hasattr(self.case.solver, "prepare"):
            self.case.solver.prepare(theta)
        return theta

    def prior_rows(self):
        return [(self.case.free.index(j), mean, std) for j, (mean, std) in self.case.priors.items()]

    def residual(self, parameters):
        with np.errstate(all="ignore"):
            g = self.case.solver.statistics(self.full(parameters), 1)[self.case.rows]
        if not np.all(np.isfinite(g)):
            raise Unsuitable("The statistics are not finite.")
        priors = [(parameters[j] - mean) / std for j, mean, std in self.prior_rows()]
        return np.concatenate([(g - self.case.value) * self.weight, priors])

    def jacobian(self, parameters):
        with np.errstate(all="ignore"):
            s = solver_jacobian(self.case.solver, self.full(parameters), self.case.free, 1)[0][self.case.rows]
        rows = [np.eye(len(parameters))[j] / std for j, _, std in self.prior_rows()]
        return np.concatenate([s * self.weight[:, None], np.array(rows).reshape(-1, len(parameters))])

    def minimum(self, start):
        """The local minimum that the search from `start` finds, or None where it leads out of the models that can be solved."""
        case = self.case
        margin = 1e-9 * self.scale
        start = np.clip(start, case.lower + margin, case.upper - margin)
        try:
            found = least_squares(self.residual, start, self.jacobian, bounds=(case.lower, case.upper), x_scale=self.scale, xtol=1e-10, ftol=1e-12,
                                  gtol=1e-10, max_nfev=60)
            return self.describe(found.x)
        except (Unsuitable, np.linalg.LinAlgError, ValueError):
            return None

    def describe(self, parameters):
        case = self.case
        residual, jacobian = self.residual(parameters), self.jacobian(parameters)
        free = (parameters - case.lower > AT_BOUND * self.scale) & (case.upper - parameters > AT_BOUND * self.scale)
        u, s, v = np.linalg.svd(jacobian[:, free] * self.scale[free], full_matrices=False)
        determined = s > DETERMINED
        chi_square, fitted = float(residual @ residual), int(np.sum(s > 1e-6 * max(s[0], 1.0)))
        left = len(residual) - fitted
        p_value = float(stats.chi2.sf(chi_square, left)) if left > 0 else (1.0 if chi_square < 1e-3 else 0.0)
        errors = np.full(len(parameters), np.inf)
        if np.all(determined):
            errors[free] = self.scale[free] * np.sqrt(np.sum((v / s[:, None]) ** 2, axis=0))
        return Minimum(parameters, residual, u[:, determined].T, s, chi_square, p_value, errors)

    def distance(self, minimum, parameters, other=None):
        """Root mean square over determined directions, in posterior standard errors; None where there is no exact answer."""
        try:
            reference = minimum.residual if other is None else self.residual(other)
            along = minimum.directions @ (self.residual(parameters) - reference)
        except (Unsuitable, np.linalg.LinAlgError):
            return None
        return float(np.sqrt(np.mean(along**2))) if len(along) else None


def covariance_distance(difference, covariance):
    """sqrt(δᵀ P⁻¹ δ / p) with a reported covariance; None where it is not finite or not positive."""
    covariance = np.array(covariance, dtype=float)
    if covariance.shape != (len(difference), len(difference)) or not np.all(np.isfinite(covariance)):
        return None
    scale = np.sqrt(np.diag(covariance))
    if not np.all(scale > 0):
        return None
    correlation = covariance / np.outer(scale, scale)
    values, vectors = np.linalg.eigh((correlation + correlation.T) / 2)
    along = vectors.T @ (difference / scale) / np.sqrt(np.maximum(values, 1e-10))
    return float(np.sqrt(np.mean(along**2)))
