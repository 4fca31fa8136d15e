"""Exact statistics of models with two states and a noise on each: the stationary Fokker-Planck equation on a grid.

Finite volumes with exponential fitting (Scharfetter-Gummel) give a Markov chain between cells with generator L, whose rates across a face are

    i → i+1:  D_i B(−p) / 2h²,    i+1 → i:  D_{i+1} B(p) / 2h²,    p = 2 F h / D at the face,   B(p) = p / (e^p − 1)

ρ solves Lᵀρ = 0; the adjoint solution L u = ⟨A⟩ − A gives ∂⟨A⟩/∂θ = ρᵀ(∂L/∂θ)u + ⟨∂A/∂θ⟩. Errors fall as h²: three grids are
extrapolated to h⁶, and compared with the finer two extrapolated to h⁴.
Observables may jump at multiples of the base spacing only, which are faces of all grids. An axis may be logarithmic: with u = log x the
drift is F/x − D/2x² and the diffusion D/x².
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import eigs, splu

from formula import Formula
from problem import Unsuitable

FACTORS = (2, 3, 4)        # refinements of the base spacing
BOUNDARY = 1e-9            # density at the edge of the box relative to its maximum, at most


@dataclass
class Axis:
    lower: float           # of the grid coordinate
    spacing: float
    cells: int
    logarithmic: bool = False

    def faces(self, factor):
        return self.lower + self.spacing / factor * np.arange(self.cells * factor + 1)

    def state(self, u):
        return np.exp(u) if self.logarithmic else u


def bernoulli(p):
    small = np.abs(p) < 1e-5
    safe = np.where(small, 1.0, p)
    return np.where(small, 1 - p / 2 + p**2 / 12, safe / np.expm1(np.clip(safe, -700, 700)))


class PlanarGrid:
    def __init__(self, names, states, drift, diffusion, axes):
        self.names, self.states, self.axes = names, states, axes
        self.drift = [Formula(drift[state]) for state in states]
        self.noise = [Formula(diffusion[state]) for state in states]
        self.formulas, self.kept = [], {}

    def set_observables(self, observables):
        self.formulas, self.kept = [Formula(o.formula) for o in observables.values()], {}

    def values(self, theta, u, v):
        points = [axis.state(coordinate) for axis, coordinate in zip(self.axes, (u, v))]
        return {**dict(zip(self.names, theta)), **dict(zip(self.states, points))}

    def coefficients(self, theta, i, u, v):
        """Drift and diffusion of the grid coordinate i."""
        values = self.values(theta, u, v)
        f, d = self.drift[i](values) + 0 * u * v, self.noise[i](values) ** 2 + 0 * u * v
        if self.axes[i].logarithmic:
            x = values[self.states[i]]
            f, d = f / x - d / (2 * x**2), d / x**2
        return f, d

    def rates(self, theta, factor):
        """Rates out of cells: forward and backward along each axis, [cell, cell], zero at the edges of the box."""
        faces = [axis.faces(factor) for axis in self.axes]
        centres = [(f[1:] + f[:-1]) / 2 for f in faces]
        result = []
        for i in range(2):
            h = faces[i][1] - faces[i][0]
            across = [faces[k][1:-1] if k == i else centres[k] for k in range(2)]
            f, d = self.coefficients(theta, i, across[0][:, None], across[1][None, :])
            own = self.coefficients(theta, i, centres[0][:, None], centres[1][None, :])[1] / (2 * h**2)
            p = 2 * f * h / d
            padding = [(0, 1) if k == i else (0, 0) for k in range(2)]
            first, second = (slice(None, -1), slice(None)) if i == 0 else (slice(None), slice(None, -1)), \
                            (slice(1, None), slice(None)) if i == 0 else (slice(None), slice(1, None))
            result.append((np.pad(own[first] * bernoulli(-p), padding),
                           np.pad(own[second] * bernoulli(p), [side[::-1] for side in padding])))
        return result

    def generator(self, rates):
        shape = rates[0][0].shape
        index = np.arange(shape[0] * shape[1]).reshape(shape)
        rows, columns, entries = [], [], []
        for i, (forward, backward) in enumerate(rates):
            for rate, shift in ((forward, -1), (backward, 1)):
                inside = rate > 0
                rows.append(index[inside])
                columns.append(np.roll(index, shift, axis=i)[inside])
                entries.append(rate[inside])
        total = -sum(forward + backward for forward, backward in rates)
        rows, columns = (np.concatenate([*part, index.ravel()]) for part in (rows, columns))
        entries = np.concatenate([*entries, total.ravel()])
        return csc_matrix((entries, (rows, columns)), shape=(index.size, index.size))

    def density(self, theta, factor):
        """Mass of cells, and a function that solves L u = right-hand side with u = 0 at one cell."""
        rates = self.rates(theta, factor)
        matrix, shape = self.generator(rates), rates[0][0].shape
        pinned = (shape[0] // 2) * shape[1] + shape[1] // 2
        others = np.delete(np.arange(matrix.shape[0]), pinned)
        try:
            factors = splu(matrix[others][:, others].tocsc())
        except RuntimeError as singular:
            raise Unsuitable("The generator on the grid is singular.") from singular
        mass = np.ones(matrix.shape[0])
        mass[others] = factors.solve(-matrix[pinned][:, others].toarray().ravel(), trans="T")
        mass = mass.reshape(shape) / mass.sum()
        edge = max(mass[0].max(), mass[-1].max(), mass[:, 0].max(), mass[:, -1].max())
        if not np.all(np.isfinite(mass)) or edge > BOUNDARY * mass.max():
            raise Unsuitable("The box is too small.")

        def solve(right):
            u = np.zeros(matrix.shape[0])
            u[others] = factors.solve(right.ravel()[others])
            return u.reshape(shape)

        return mass, solve

    def observed(self, theta, factor):
        faces = [axis.faces(factor) for axis in self.axes]
        u, v = ((f[1:] + f[:-1]) / 2 for f in faces)
        values = self.values(theta, u[:, None], v[None, :])
        return [formula(values) + 0 * u[:, None] * v[None, :] for formula in self.formulas]

    def solution(self, theta, factor):
        """Statistics, Jacobian and standard deviations on one grid."""
        key = (tuple(theta), factor)
        if key not in self.kept:
            if len(self.kept) > 60:
                self.kept.clear()
            self.kept[key] = self.solve_grid(np.array(theta), factor)
        return self.kept[key]

    def solve_grid(self, theta, factor):
        mass, solve = self.density(theta, factor)
        observed = self.observed(theta, factor)
        means = np.array([np.sum(mass * a) for a in observed])
        spreads = np.array([np.sqrt(max(np.sum(mass * (a - m) ** 2), 0)) for a, m in zip(observed, means)])
        solutions = [solve(m - a) for a, m in zip(observed, means)]
        jacobian = np.zeros((len(observed), len(theta)))
        for j in range(len(theta)):
            h = 1e-4 * max(abs(theta[j]), 0.05)
            up, down = theta.copy(), theta.copy()
            up[j] += h
            down[j] -= h
            more, less = self.rates(up, factor), self.rates(down, factor)
            explicit = [(a - b) / (2 * h) for a, b in zip(self.observed(up, factor), self.observed(down, factor))]
            for m, u in enumerate(solutions):
                jacobian[m, j] = np.sum(mass * explicit[m])
                for i in range(2):
                    for side, shift in ((0, -1), (1, 1)):
                        change = (more[i][side] - less[i][side]) / (2 * h)
                        jacobian[m, j] += np.sum(mass * change * (np.roll(u, shift, axis=i) - u))
        return means, jacobian, spreads

    def extrapolated(self, theta, level, part):
        """Level 0: h² removed with the finer two grids; level 1: h² and h⁴ removed with all three."""
        factors = FACTORS if level else FACTORS[1:]
        powers = np.array([[f ** (-2.0 * k) for f in factors] for k in range(len(factors))])
        weights = np.linalg.solve(powers, np.eye(len(factors))[0])
        return sum(w * self.solution(theta, f)[part] for w, f in zip(weights, factors))

    def statistics(self, theta, level):
        return self.extrapolated(theta, level, 0)

    def jacobian(self, theta, columns, level):
        return self.extrapolated(theta, level, 1)[:, columns]

    def deviations(self, theta):
        return self.solution(theta, FACTORS[1])[2]

    def marginals(self, theta):
        """Cell centres, as states, and marginal masses per axis, on the base grid."""
        mass, _ = self.density(theta, 1)
        centres = [axis.state((axis.faces(1)[1:] + axis.faces(1)[:-1]) / 2) for axis in self.axes]
        return centres, [mass.sum(axis=1), mass.sum(axis=0)]

    def exists(self, theta):
        """Whether the box holds the density at these parameters."""
        self.density(theta, 1)
        return True

    def slowest_time(self, theta):
        matrix = self.generator(self.rates(theta, 1))
        scale = np.abs(matrix.diagonal()).min()
        found = eigs(matrix, k=3, sigma=1e-3 * scale, return_eigenvectors=False, v0=np.random.default_rng(0).normal(size=matrix.shape[0]))
        return 1 / np.sort(-found.real)[1]
