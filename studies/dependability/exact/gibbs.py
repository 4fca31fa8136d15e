"""Exact statistics of models whose stationary density is known, ρ ∝ exp(−Φ): quadrature over a box in 2 to 4 dimensions.

    ∂⟨A⟩/∂θ = ⟨∂A/∂θ⟩ − Cov(A, ∂Φ/∂θ)
"""

import numpy as np

from formula import Formula
from problem import Unsuitable

SIZES = {2: ((6, 12), (8, 16)), 3: ((4, 10), (5, 12)), 4: ((3, 8), (3, 10))}   # (panels, nodes) of the two levels, per axis
NEGLIGIBLE = 1e-15     # of a marginal density, where the box ends
START = 12.0           # half width of the first box


def axis_rule(lower, upper, panels, nodes, breaks):
    """Nodes and weights of Gauss-Legendre panels that end at the breaks."""
    edges = np.unique(np.concatenate([np.linspace(lower, upper, panels + 1), [b for b in breaks if lower < b < upper]]))
    points, weights = np.polynomial.legendre.leggauss(nodes)
    half = np.diff(edges)[:, None] / 2
    return ((edges[:-1, None] + edges[1:, None]) / 2 + half * points).ravel(), (half * weights).ravel()


def step_of(value):
    return 1e-4 * max(abs(value), 0.05)


class Gibbs:
    def __init__(self, names, states, potential, theta):
        self.names, self.states, self.potential = names, states, Formula(potential)
        self.formulas, self.breaks = [], {}
        self.prepare(theta)

    def prepare(self, theta):
        """Moves the domain of integration to where the density is at these parameters."""
        self.box = self.find_box(theta)

    def set_observables(self, observables):
        self.formulas = [Formula(o.formula) for o in observables.values()]
        self.breaks = {state: sorted({b for o in observables.values() for b in o.breaks.get(state, [])}) for state in self.states}

    def values(self, theta, points):
        return {**dict(zip(self.names, theta)), **dict(zip(self.states, points))}

    def find_box(self, theta):
        """Shrinks a wide box to where the marginal densities are."""
        box = [(-START, START)] * len(self.states)
        count = {2: 81, 3: 41, 4: 25}[len(self.states)]
        for _ in range(8):
            axes = [np.linspace(*side, count) for side in box]
            points = np.meshgrid(*axes, indexing="ij", sparse=True)
            phi = self.potential(self.values(theta, points))
            if not np.all(np.isfinite(phi)):
                raise Unsuitable("The potential is not finite.")
            mass = np.exp(np.min(phi) - phi)
            shrunk = []
            for i, axis in enumerate(axes):
                marginal = mass.max(axis=tuple(k for k in range(len(axes)) if k != i))
                inside = np.flatnonzero(marginal > NEGLIGIBLE)
                shrunk.append((axis[max(inside[0] - 1, 0)], axis[min(inside[-1] + 1, count - 1)]))
                if inside[0] == 0 and box[i][0] == -START or inside[-1] == count - 1 and box[i][1] == START:
                    raise Unsuitable("The density does not decay within the box.")
            box = shrunk
        return box

    def density(self, theta, level):
        """Sparse points per axis, and the mass of each node."""
        rules = [axis_rule(*side, *SIZES[len(self.states)][level], self.breaks.get(state, []))
                 for state, side in zip(self.states, self.box)]
        points = np.meshgrid(*(rule[0] for rule in rules), indexing="ij", sparse=True)
        weights = 1.0
        for rule in np.meshgrid(*(rule[1] for rule in rules), indexing="ij", sparse=True):
            weights = weights * rule
        phi = self.potential(self.values(theta, points))
        mass = weights * np.exp(np.min(phi) - phi)
        return points, mass / np.sum(mass)

    def observed(self, theta, points):
        values = self.values(theta, points)
        return [formula(values) for formula in self.formulas]

    def statistics(self, theta, level):
        points, mass = self.density(theta, level)
        return np.array([np.sum(mass * a) for a in self.observed(theta, points)])

    def deviations(self, theta):
        points, mass = self.density(theta, 0)
        return np.array([np.sqrt(max(np.sum(mass * a**2) - np.sum(mass * a) ** 2, 0)) for a in self.observed(theta, points)])

    def jacobian(self, theta, columns, level):
        points, mass = self.density(theta, level)
        observed = self.observed(theta, points)
        means = [np.sum(mass * a) for a in observed]
        result = np.zeros((len(observed), len(columns)))
        for column, j in enumerate(columns):
            change, change_of_phi = self.derivatives(theta, j, points)
            weighted = mass * (change_of_phi - np.sum(mass * change_of_phi))
            for row, (a, mean) in enumerate(zip(observed, means)):
                result[row, column] = np.sum(mass * change[row]) - np.sum(weighted * (a - mean))
        return result

    def derivatives(self, theta, j, points):
        """∂A/∂θ_j of all observables, and ∂Φ/∂θ_j, at the points: differences of fourth order."""
        h, total, total_phi = step_of(theta[j]), 0.0, 0.0
        for shift, weight in ((-2, 1 / 12), (-1, -8 / 12), (1, 8 / 12), (2, -1 / 12)):
            moved = theta.copy()
            moved[j] += shift * h
            values = self.values(moved, points)
            total_phi = total_phi + weight / h * self.potential(values)
            total = [t + weight / h * f(values) if self.names[j] in f.names() else 0.0
                     for t, f in zip(total or [0.0] * len(self.formulas), self.formulas)]
        return total, total_phi

    def sample(self, theta, random, count=2000):
        """Points of the stationary distribution, on the nodes: [state, sample]."""
        points, mass = self.density(theta, 0)
        chosen = np.unravel_index(random.choice(mass.size, count, p=mass.ravel()), mass.shape)
        return np.array([p.ravel()[index] for p, index in zip(points, chosen)])
