"""Exact statistics, their Jacobian, and the error of both.

A solver has `statistics(theta, level)`, where level 1 is finer than level 0, and `deviations(theta)`, the standard deviations of the
observables. It may have `jacobian(theta, columns, level)`; otherwise central differences with Richardson extrapolation are used:

    D(h) = (G(θ+h) − G(θ−h)) / 2h,   R(h) = (4 D(h/2) − D(h)) / 3,   error of R(h/2) about |R(h/2) − R(h)|
"""

from dataclasses import dataclass

import numpy as np

from problem import Unsuitable

ACCURACY = 1e-3        # of the scale of an entry, above which a problem is dropped
RELATIVE_STEP = 2e-3   # of a parameter
SMALLEST_SCALE = 0.05  # of a parameter, for the step
ROUNDING = 1e-7        # of a standard deviation, and of it per relative change of a parameter: smaller differences are nobody's error


@dataclass
class Answer:
    statistics: np.ndarray
    statistics_error: np.ndarray
    jacobian: np.ndarray
    jacobian_error: np.ndarray
    deviations: np.ndarray


def parameter_scales(solver, theta, least=SMALLEST_SCALE):
    """Sizes of the parameters; those near zero count as `least`, unless the solver knows better."""
    known = getattr(solver, "parameter_scale", None)
    return np.maximum(np.abs(theta), least) if known is None else np.maximum(np.abs(theta), known)


def difference_jacobian(function, theta, columns, scales=None):
    """Central differences with Richardson extrapolation, and their error."""
    values, errors = [], []
    scales = np.maximum(np.abs(theta), SMALLEST_SCALE) if scales is None else scales
    for j in columns:
        step = RELATIVE_STEP * scales[j]

        def difference(h):
            shift = np.zeros(len(theta))
            shift[j] = h
            return (function(theta + shift) - function(theta - shift)) / (2 * h)

        d = [difference(step / 2**i) for i in range(3)]
        r = [(4 * d[1] - d[0]) / 3, (4 * d[2] - d[1]) / 3]
        values.append(r[1])
        errors.append(np.abs(r[1] - r[0]))
    return np.array(values).T, np.array(errors).T


def solver_jacobian(solver, theta, columns, level):
    if hasattr(solver, "jacobian"):
        value = solver.jacobian(theta, columns, level)
        return value, np.zeros_like(value)
    return difference_jacobian(lambda t: solver.statistics(t, level), theta, columns, parameter_scales(solver, theta))


def entry_scales(jacobian, sizes, deviations):
    """The size of each entry, at least 5 % of its column's largest, with rows in standard deviations, and at least 2 % of
    a standard deviation per relative change of the parameter."""
    safe = np.where(deviations > 0, deviations, 1.0)
    column = 0.05 * np.max(np.abs(jacobian) / safe[:, None], axis=0)
    least = 0.02 / sizes
    return np.maximum(np.abs(jacobian), safe[:, None] * np.maximum(column, least)[None, :])


def exact_answer(solver, theta, columns):
    """Raises Unsuitable where the two levels differ by more than ACCURACY of an entry's scale."""
    fine, coarse = solver.statistics(theta, 1), solver.statistics(theta, 0)
    jacobian, step_error = solver_jacobian(solver, theta, columns, 1)
    coarser, _ = solver_jacobian(solver, theta, columns, 0)
    deviations = solver.deviations(theta)
    scale = np.maximum(np.abs(fine), deviations)
    sizes = parameter_scales(solver, theta)[columns]
    scales = entry_scales(jacobian, sizes, deviations)
    unit = deviations[:, None] / sizes[None, :]
    answer = Answer(fine, np.abs(fine - coarse) + ROUNDING * deviations, jacobian,
                    np.hypot(np.abs(jacobian - coarser), step_error) + ROUNDING * unit, deviations)
    accurate = np.all(answer.statistics_error <= ACCURACY * scale) and np.all(answer.jacobian_error <= ACCURACY * scales)
    if not (np.all(np.isfinite(fine)) and np.all(np.isfinite(jacobian)) and accurate):
        raise Unsuitable("The exact answer is not accurate.")
    return answer
