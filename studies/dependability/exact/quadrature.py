"""Exact statistics of a model with one state.

    ρ(x) ∝ D(x)⁻¹ exp ∫ 2F/D dx,   D = Σ²

The integral is taken in a coordinate t in which tails are exponential: x = c + s sinh t on the line, e^t on the half line, 1/(1+e^−t) on (0, 1).
"""

import numpy as np
from scipy.linalg import eigh_tridiagonal

from exact.panels import Panels
from formula import Formula
from problem import TimeScales, Unsuitable

MAPS = {
    "line": (lambda t, c, s: c + s * np.sinh(t), lambda t, c, s: s * np.cosh(t), lambda x, c, s: np.arcsinh((x - c) / s)),
    "half": (lambda t, c, s: s * np.exp(t), lambda t, c, s: s * np.exp(t), lambda x, c, s: np.log(x / s)),
    "unit": (lambda t, c, s: 1 / (1 + np.exp(-t)), lambda t, c, s: 0.25 / np.cosh(t / 2) ** 2, lambda x, c, s: np.log(x / (1 - x))),
}
NEGLIGIBLE = -46.0    # logarithm of the density, in t, at which the domain is cut, relative to its maximum
LARGEST = 1e5         # logarithm of the density, beyond which it has no end
REACH = 25.0          # of t, at most
PANELS = (60, 97)     # of the two levels


class OneDimensional:
    """`noises`: formulas whose squares add up to D. `centre`, `scale`: of the coordinate."""

    def __init__(self, names, drift, noises, observables, domain="line", centre=0.0, scale=1.0, theta=None):
        self.names, self.domain = names, domain
        self.drift, self.noises = Formula(drift), [Formula(noise) for noise in noises]
        self.to_x, self.slope, self.to_t = (lambda v, f=f: f(v, centre, scale) for f in MAPS[domain])
        self.prepare(theta)
        self.set_observables(observables)

    def prepare(self, theta):
        """Moves the domain of integration to where the density is at these parameters."""
        self.range = self.find_range(theta)

    def set_observables(self, observables):
        self.formulas = [Formula(o.formula) for o in observables.values()]
        corner = {0.0} if self.domain == "line" else set()  # of abs(x) in a drift
        self.breaks = sorted(corner | {b for o in observables.values() for b in o.breaks.get("x", [])})

    def values(self, theta, x):
        return {**dict(zip(self.names, theta)), "x": x}

    def coefficients(self, theta, x):
        values = self.values(theta, x)
        return self.drift(values), sum(noise(values) ** 2 for noise in self.noises) + 0 * x

    def log_density(self, theta, panels):
        """Of t, up to a constant."""
        x, slope = self.to_x(panels.nodes), self.slope(panels.nodes)
        f, d = self.coefficients(theta, x)
        return panels.running(2 * f / d * slope) - np.log(d) + np.log(slope)

    def find_range(self, theta):
        """Grows from the centre until the density is negligible at both ends."""
        lower, upper = -1.0, 1.0
        while max(-lower, upper) < REACH:
            with np.errstate(all="ignore"):
                log = self.log_density(theta, Panels(lower, upper, int(8 * (upper - lower))))
            if not np.max(np.abs(log)) < LARGEST:  # false for NaN too
                raise Unsuitable("The density is not finite, or grows without end.")
            low, high = log[0, 0] > np.max(log) + NEGLIGIBLE, log[-1, -1] > np.max(log) + NEGLIGIBLE
            if not (low or high):
                return lower, upper
            lower, upper = lower - 0.125 * low, upper + 0.125 * high
        raise Unsuitable("The density does not decay.")

    def density(self, theta, level):
        panels = Panels(*self.range, PANELS[level], [self.to_t(b) for b in self.breaks])
        log = self.log_density(theta, panels)
        mass = panels.weights * np.exp(log - np.max(log))
        return self.to_x(panels.nodes), mass / np.sum(mass)

    def observed(self, theta, x):
        values = self.values(theta, x)
        return [formula(values) + 0 * x for formula in self.formulas]

    def statistics(self, theta, level):
        x, mass = self.density(theta, level)
        return np.array([np.sum(mass * a) for a in self.observed(theta, x)])

    def deviations(self, theta):
        x, mass = self.density(theta, 1)
        return np.array([np.sqrt(max(0.0, np.sum(mass * a**2) - np.sum(mass * a) ** 2)) for a in self.observed(theta, x)])

    def quantiles(self, theta, probabilities):
        x, mass = self.density(theta, 1)
        return np.interp(probabilities, np.cumsum(mass), x.ravel())

    def times(self, theta, cells=600):
        """Slowest relaxation from the gap of a reversible chain on a grid in t; fastest from |F'| and (Σ')² where the mass is."""
        edges = np.linspace(*self.range, cells + 1)
        t = (edges[1:] + edges[:-1]) / 2
        panels = Panels(*self.range, 200)
        log = np.interp(t, panels.nodes.ravel(), self.log_density(theta, panels).ravel())
        log -= np.max(log)
        _, d = self.coefficients(theta, self.to_x(edges[1:-1]))
        rate = d / self.slope(edges[1:-1]) ** 2 / 2 / (t[1] - t[0]) ** 2
        off = rate                                             # symmetric form: sqrt of the product of both rates
        forward, backward = rate * np.exp((log[1:] - log[:-1]) / 2), rate * np.exp((log[:-1] - log[1:]) / 2)
        diagonal = -np.concatenate([forward, [0]]) - np.concatenate([[0], backward])
        if not np.all(np.isfinite(diagonal)):
            raise Unsuitable("The relaxation times cannot be computed.")
        gap = -eigh_tridiagonal(diagonal, off, select="i", select_range=(cells - 2, cells - 1))[0][0]
        x, mass = self.density(theta, 0)
        h = 1e-5 * np.maximum(np.abs(x), 1e-3)
        up, down = self.coefficients(theta, x + h), self.coefficients(theta, x - h)
        speed = np.abs(up[0] - down[0]) / (2 * h) + ((np.sqrt(up[1]) - np.sqrt(down[1])) / (2 * h)) ** 2
        order = np.argsort(speed.ravel())
        fastest = speed.ravel()[order][np.searchsorted(np.cumsum(mass.ravel()[order]), 0.95)]
        return TimeScales(1 / gap, 1 / max(fastest, gap))
