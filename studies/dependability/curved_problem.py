"""Calibrations of a rotating quartic potential, whose statistics curve within the 95 % region of the parameters.

    dx = −(1 − wJ)∇V dt + s dW,   V = a (x² + y²)/2 + k1 x⁴/4 + k2 y⁴/4 + c x y,   ρ ∝ exp(−2V/s²)

s and w are known: the density depends on V/s² only, and not on w. The four targets have standard errors of 1 %.
"""

import numpy as np

from calibration import Objective
from calibration_problem import Calibration
from exact.answer import exact_answer
from exact.gibbs import Gibbs
from generate import random_of
from problem import Observable, Parameter, Problem, Unsuitable, loguniform, rounded

FAMILY = "rotating"
FREE = ["a", "k1", "k2", "c"]
BOUNDED = 0.3              # probability of a lower bound of zero for k1 and k2
STD = 0.01                 # of a target, relative to its value
FARTHEST = 0.3             # of the guess from the truth, relative to it
OBSERVABLES = {"xx": "x^2", "yy": "y^2", "xy": "x*y"}
POWERS = [4, 6]            # of x, of which one is the fourth target: with 4 the statistics curve more
SLOPES = {"x": "(a*x + k1*x^3 + c*y)", "y": "(a*y + k2*y^3 + c*x)"}


def draw_truth(random):
    return {"a": random.uniform(0.3, 1.0), "k1": loguniform(random, 0.3, 1.5), "k2": loguniform(random, 0.3, 1.5),
            "c": random.choice([-1, 1]) * random.uniform(0.2, 0.6), "w": random.uniform(0.3, 1.5), "s": loguniform(random, 0.8, 1.3)}


def draw(random, seed):
    truth = {name: rounded(value) for name, value in draw_truth(random).items()}
    theta, names = np.array(list(truth.values())), list(truth)
    solver = Gibbs(names, ["x", "y"], "2*(a*(x^2 + y^2)/2 + k1*x^4/4 + k2*y^4/4 + c*x*y)/s^2", theta)
    power = int(random.choice(POWERS))
    observables = {name: Observable(text) for name, text in {**OBSERVABLES, "tail": f"x^{power}"}.items()}
    solver.set_observables(observables)
    free = [names.index(name) for name in FREE]
    exact = exact_answer(solver, theta, free).statistics
    value = np.array([float(f"{v:.8g}") for v in exact * (1 + STD * random.normal(size=len(exact)))])
    std = np.array([rounded(STD * abs(v)) for v in exact])
    guess = {name: rounded(truth[name] * (1 + random.uniform(-FARTHEST, FARTHEST))) if name in FREE else truth[name] for name in names}
    bounded = {"k1", "k2"} if random.random() < BOUNDED else set()
    parameters = {name: Parameter(guess[name], 0.0 if name in bounded else None) for name in names}
    drift = {"x": f"-{SLOPES['x']} + w*{SLOPES['y']}", "y": f"-{SLOPES['y']} - w*{SLOPES['x']}"}
    problem = Problem(FAMILY, "quartic", seed, ["x", "y"], parameters, drift, {"x": "s", "y": "s"}, observables, solver, free=FREE, dimension=2,
                      targets={name: {"value": float(v), "std": float(s)} for name, v, s in zip(observables, value, std)},
                      calibration={"free": FREE}, simulation={"length": 500}, notes={"power": power, "bounded": bool(bounded)})
    lower = np.array([0.0 if name in bounded else -np.inf for name in FREE])
    case = Calibration([problem], solver, theta, free, list(range(len(exact))), value, std, {}, lower, np.full(len(FREE), np.inf), True)
    minimum = Objective(case).minimum(theta[free])
    if minimum is None or minimum.chi_square > 1e-6 or not minimum.whole:
        raise Unsuitable("The noisy targets cannot be reached, or do not determine the parameters.")
    case.start = minimum.parameters
    return case


def curved_problem(seed):
    for attempt in range(200):
        random = random_of("curved", seed, attempt)
        try:
            with np.errstate(all="ignore"):
                return draw(random, seed)
        except Unsuitable as reason:
            last = reason
    raise RuntimeError(f"No suitable problem for seed {seed}: {last}")
