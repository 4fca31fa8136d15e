"""Exact statistics of translation-invariant linear models on a ring, by Fourier transform.

    λ_q = Σ_d a_d e^{iqd},   C_q = D_q / (−2 Re λ_q),   ⟨x_0 x_d⟩ − m² = (1/N) Σ_q C_q cos(qd)
"""

import re

import numpy as np

from exact.gaussian import PANELS, gaussian_nodes
from formula import Formula
from problem import TimeScales, Unsuitable

SITE = re.compile(r"(\w+)\[k([+-]\d+)?\]")


def site_names(text):
    """The formula with X[k+2] written as X_p2, and the names with their shifts."""
    shifts = {}

    def name(match):
        shift = int(match.group(2) or 0)
        label = f"{match.group(1)}_{'p' if shift >= 0 else 'm'}{abs(shift)}"
        shifts[label] = shift
        return label

    return Formula(SITE.sub(name, text)), shifts


class GaussianRing:
    """`drift`: formula of site k; `noises`: {"w[k+1]": formula}, where a name without a site drives all sites.

    Observables are formulas of the coordinates x = X[k], y = X[k+distance] and M, the mean over all sites.
    """

    def __init__(self, names, size, drift, noises, distance):
        self.names, self.size, self.distance = names, size, distance
        self.drift, self.shifts = site_names(drift)
        self.noises = [(self.noise_shift(noise), Formula(text)) for noise, text in noises.items()]
        self.formulas, self.breaks = [], []

    @staticmethod
    def noise_shift(noise):
        match = SITE.fullmatch(noise)
        return int(match.group(2) or 0) if match else None

    def set_observables(self, observables):
        self.formulas = [Formula(o.formula) for o in observables.values()]
        self.breaks = [o.breaks for o in observables.values()]

    def spectrum(self, theta):
        """Mean, wave numbers, λ_q and C_q."""
        values = dict(zip(self.names, theta))
        rest = {name: 0.0 for name in self.shifts}
        constant = float(self.drift({**values, **rest}))
        q = 2 * np.pi * np.arange(self.size) / self.size
        rates, amplitude, common = np.zeros(self.size, complex), np.zeros(self.size, complex), 0.0
        for name, shift in self.shifts.items():
            rates += (float(self.drift({**values, **rest, name: 1.0})) - constant) * np.exp(1j * q * shift)
        for shift, formula in self.noises:
            if shift is None:
                common += float(formula(values)) ** 2
            else:
                amplitude += float(formula(values)) * np.exp(1j * q * shift)
        strength = np.abs(amplitude) ** 2
        strength[0] += self.size * common
        if np.max(rates.real) >= 0:
            raise Unsuitable("The ring is unstable.")
        return -constant / rates[0].real, q, rates, strength / (-2 * rates.real)

    def gaussian(self, theta):
        """Mean, and covariances of (x, y, M)."""
        mean, q, _, c = self.spectrum(theta)
        variance, neighbour, whole = np.mean(c), np.mean(c * np.cos(q * self.distance)), c[0] / self.size
        return mean, np.array([[variance, neighbour, whole], [neighbour, variance, whole], [whole, whole, whole]])

    def averages(self, theta, level, squared=False):
        mean, covariance = self.gaussian(theta)
        result = []
        for formula, breaks in zip(self.formulas, self.breaks):
            used = [name for name in ("x", "y", "M") if name in formula.names()]
            index = ["xyM".index(name) for name in used]
            points, mass = gaussian_nodes(np.full(len(used), mean), covariance[np.ix_(index, index)],
                                          [breaks.get(name, []) for name in used], PANELS[len(used)][level])
            a = formula({**dict(zip(self.names, theta)), **dict(zip(used, points))})
            result.append(np.sum(mass * (a**2 if squared else a)))
        return np.array(result)

    def statistics(self, theta, level):
        return self.averages(theta, level)

    def deviations(self, theta):
        """Of one site, or pair of sites: an upper bound for means over sites."""
        return np.sqrt(np.maximum(self.averages(theta, 1, True) - self.averages(theta, 1) ** 2, 0))

    def times(self, theta):
        rates = self.spectrum(theta)[2]
        return TimeScales(1 / np.min(-rates.real), 1 / np.max(np.abs(rates)))
