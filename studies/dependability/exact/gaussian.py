"""Exact statistics of linear models with constant noise: x is Gaussian with A m = −b and A C + C Aᵀ + ΣΣᵀ = 0.

Every observable is a formula of at most two linear combinations of the states, called coordinates; its average is an integral over a
Gaussian density of one or two variables, with panels that end where the formula is not smooth.
"""

import numpy as np
from scipy.linalg import solve_continuous_lyapunov

from exact.panels import Panels
from formula import Formula
from problem import TimeScales, Unsuitable

REACH = 8.5              # standard deviations to each side
PANELS = {1: (12, 19), 2: (6, 9)}


class Linear:
    """`coordinates`: name -> weights of the states. `observables` are formulas of coordinates and parameters."""

    def __init__(self, names, states, drift, diffusion, coordinates):
        self.names, self.states, self.coordinates = names, states, coordinates
        self.drift = [Formula(drift[state]) for state in states]
        entries = {state: {state: entry} if isinstance(entry, str) else entry for state, entry in diffusion.items()}
        self.noises = sorted({noise for row in entries.values() for noise in row})
        self.diffusion = [{noise: Formula(text) for noise, text in entries.get(state, {}).items()} for state in states]
        self.formulas, self.breaks = [], []

    def set_observables(self, observables):
        self.formulas = [Formula(o.formula) for o in observables.values()]
        self.breaks = [o.breaks for o in observables.values()]

    def system(self, theta):
        """A, b and Σ, from the formulas at unit vectors."""
        n, values = len(self.states), dict(zip(self.names, theta))
        points = np.concatenate([np.zeros((n, 1)), np.eye(n)], axis=1)
        at = {**values, **dict(zip(self.states, points))}
        f = np.array([formula(at) + np.zeros(n + 1) for formula in self.drift])
        sigma = np.array([[float(row[noise](values)) if noise in row else 0.0 for noise in self.noises] for row in self.diffusion])
        return f[:, 1:] - f[:, :1], f[:, 0], sigma

    def gaussian(self, theta):
        a, b, sigma = self.system(theta)
        if np.max(np.linalg.eigvals(a).real) >= 0:
            raise Unsuitable("The linear model is unstable.")
        return np.linalg.solve(a, -b), solve_continuous_lyapunov(a, -sigma @ sigma.T)

    def averages(self, theta, level, squared=False):
        mean, covariance = self.gaussian(theta)
        result = []
        for formula, breaks in zip(self.formulas, self.breaks):
            used = sorted(formula.names() & set(self.coordinates))
            if not 1 <= len(used) <= 2:
                raise Unsuitable("An observable has no state, or too many.")
            weights = np.array([self.coordinates[name] for name in used])
            m, c = weights @ mean, weights @ covariance @ weights.T
            points, mass = gaussian_nodes(m, c, [breaks.get(name, []) for name in used], PANELS[len(used)][level])
            a = formula({**dict(zip(self.names, theta)), **dict(zip(used, points))})
            result.append(np.sum(mass * (a**2 if squared else a)))
        return np.array(result)

    def statistics(self, theta, level):
        return self.averages(theta, level)

    def deviations(self, theta):
        return np.sqrt(np.maximum(self.averages(theta, 1, True) - self.averages(theta, 1) ** 2, 0))

    def coordinate_law(self, theta, name):
        """Mean and standard deviation of a coordinate."""
        mean, covariance = self.gaussian(theta)
        w = np.array(self.coordinates[name])
        return float(w @ mean), float(np.sqrt(w @ covariance @ w))

    def times(self, theta):
        rates = np.linalg.eigvals(self.system(theta)[0])
        return TimeScales(1 / np.min(-rates.real), 1 / np.max(np.abs(rates)))


def gaussian_nodes(mean, covariance, breaks, count):
    """Nodes per coordinate and their masses, for one or two Gaussian coordinates."""
    deviations = np.sqrt(np.diag(covariance))
    if np.any(deviations <= 0):
        raise Unsuitable("A coordinate does not vary.")
    axes = [Panels(m - REACH * s, m + REACH * s, count, b) for m, s, b in zip(mean, deviations, breaks)]
    points = np.meshgrid(*(axis.nodes.ravel() for axis in axes), indexing="ij")
    weights = np.ones_like(points[0])
    for i, axis in enumerate(axes):
        weights = weights * axis.weights.ravel().reshape([-1 if k == i else 1 for k in range(len(axes))])
    precision = np.linalg.inv(covariance)
    centred = np.stack([p - m for p, m in zip(points, mean)])
    mass = weights * np.exp(-0.5 * np.einsum("i...,ij,j...->...", centred, precision, centred))
    return points, mass / np.sum(mass)
