"""A problem of the study: what is written to the problem file, and what is known of the exact answer."""

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Parameter:
    value: float
    lower: float | None = None
    upper: float | None = None


@dataclass
class Observable:
    """`formula` is what gfdt reads. `breaks` names, per coordinate, where the formula is not smooth."""
    formula: str
    breaks: dict = field(default_factory=dict)


@dataclass
class TimeScales:
    """`slow`: the longest relaxation time; `fast`: the shortest that matters for the time step."""
    slow: float
    fast: float


@dataclass
class Problem:
    family: str
    kind: str
    seed: int
    states: list
    parameters: dict                 # name -> Parameter
    drift: dict
    diffusion: dict                  # state -> formula, or {noise: formula}
    observables: dict                # name -> Observable
    solver: object = None            # statistics(theta, level), see exact/answer.py
    times: TimeScales = None
    sites: dict = field(default_factory=dict)
    initial: dict = field(default_factory=dict)
    formulas: dict = field(default_factory=dict)  # named intermediate formulas
    dimension: int = 1               # state variables in all, sites counted
    simulation: dict = field(default_factory=dict)
    targets: dict = field(default_factory=dict)
    calibration: dict = field(default_factory=dict)
    free: list = field(default_factory=list)     # parameters that are differentiated or calibrated; empty: all
    notes: dict = field(default_factory=dict)    # how settings were chosen, for the analysis of outcomes

    @property
    def names(self):
        return list(self.parameters)

    def theta(self):
        return np.array([parameter.value for parameter in self.parameters.values()])

    def columns(self):
        return [self.names.index(name) for name in (self.free or self.names)]


class Unsuitable(Exception):
    """The random model has no accurate exact answer, or no stationary distribution worth a run; draw another."""


def rounded(value, digits=3):
    """A number as a person would write it."""
    return float(f"{value:.{digits}g}")


def loguniform(random, low, high):
    return float(np.exp(random.uniform(np.log(low), np.log(high))))
