"""Exact statistics of a ring with density exp(−Σ_k [U(x_k) + W(x_k, x_{k+1})]), by a transfer matrix on quadrature nodes.

    T(x, y) = exp(−U(x)/2 − W(x, y) − U(y)/2),   Z = Tr T^N,   P(x_k, x_{k+1}) = T(x, y) T^{N−1}(y, x) / Z
"""

import numpy as np

from exact.gibbs import axis_rule
from formula import Formula
from problem import Unsuitable

SIZES = ((7, 10), (9, 12))   # panels and nodes of the two levels
NEGLIGIBLE = 40.0            # of U + W at equal neighbours, above its minimum, where the axis ends


class TransferMatrix:
    """`site` and `bond` are formulas of x, and of x and y. Observables are formulas of x = X[k] and y = X[k+1], or of M2 alone,
    the square of the mean over all sites."""

    def __init__(self, names, size, site, bond, theta):
        self.names, self.size = names, size
        self.site, self.bond = Formula(site), Formula(bond)
        self.prepare(theta)
        self.formulas, self.breaks = [], []

    def find_range(self, theta):
        axis = np.linspace(-12, 12, 4801)
        energy = self.site(self.values(theta, axis, axis)) + self.bond(self.values(theta, axis, axis))
        inside = np.flatnonzero(energy < np.min(energy) + NEGLIGIBLE)
        if inside[0] == 0 or inside[-1] == len(axis) - 1:
            raise Unsuitable("The density does not decay.")
        return axis[inside[0]], axis[inside[-1]]

    def prepare(self, theta):
        """Moves the domain of integration to where the density is at these parameters."""
        self.range = self.find_range(theta)

    def set_observables(self, observables):
        self.formulas = [Formula(o.formula) for o in observables.values()]
        self.breaks = sorted({b for o in observables.values() for entry in o.breaks.values() for b in entry})

    def values(self, theta, x, y):
        return {**dict(zip(self.names, theta)), "x": x, "y": y}

    def pair(self, theta, level):
        """Nodes, probabilities of neighbouring sites on them, and the mean square of the mean over sites."""
        nodes, weights = axis_rule(*self.range, *SIZES[level], self.breaks)
        x, y = nodes[:, None], nodes[None, :]
        u = self.site(self.values(theta, nodes, nodes)) + np.zeros(len(nodes))
        bond = self.bond(self.values(theta, x, y)) + np.zeros((len(nodes), len(nodes)))
        energy = u[:, None] / 2 + bond + u[None, :] / 2
        matrix = np.sqrt(weights)[:, None] * np.exp(np.min(energy) - energy) * np.sqrt(weights)[None, :]
        level_values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
        level_values /= np.max(level_values)
        power = (vectors * level_values ** (self.size - 1)) @ vectors.T
        joint = matrix * power
        moments = vectors.T @ (nodes[:, None] * vectors)
        z = np.sum(level_values**self.size)
        lags = [np.einsum("i,j,ij->", level_values ** (self.size - d), level_values**d, moments**2) / z for d in range(self.size)]
        return x, y, joint / np.sum(joint), np.mean(lags)

    def averages(self, theta, level, squared=False):
        x, y, joint, whole = self.pair(theta, level)
        result = []
        for formula in self.formulas:
            a = formula({**self.values(theta, x, y), "M2": whole})
            result.append(np.sum(joint * (a**2 if squared else a)))
        return np.array(result)

    def statistics(self, theta, level):
        return self.averages(theta, level)

    def deviations(self, theta):
        """Of one pair of sites; of M2 its own mean, about which it varies."""
        spread = np.sqrt(np.maximum(self.averages(theta, 1, True) - self.averages(theta, 1) ** 2, 0))
        return np.where(spread > 0, spread, np.abs(self.averages(theta, 1)))

    def quantiles(self, theta, probabilities):
        x, _, joint, _ = self.pair(theta, 1)
        return np.interp(probabilities, np.cumsum(joint.sum(axis=1)), x.ravel())
