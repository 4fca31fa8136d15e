"""Models with a known stationary density exp(−Φ): gradient systems, rotated gradients, mobilities, underdamped Langevin; 2 to 4 states."""

import numpy as np

from exact.gibbs import Gibbs
from exact.rates import fastest_time, slowest_reversible_time
from formula import Formula
from observables import Coordinate, random_observables
from problem import Parameter, Problem, TimeScales, Unsuitable, loguniform, rounded


class Potential:
    """V as a sum of terms, with its derivative per state, both as texts."""

    def __init__(self, states):
        self.terms, self.slopes, self.parameters = [], {state: [] for state in states}, {}

    def add(self, parameter, value, text, slopes, sign="+"):
        """`text` and `slopes` are factors of the parameter; a factor "" is one."""
        self.parameters.setdefault(parameter, value)
        self.terms.append(f"{sign} {parameter}*{text}")
        for state, slope in slopes.items():
            self.slopes[state].append(f"{sign} {parameter}" + (f"*{slope}" if slope else ""))

    def text(self):
        return joined(self.terms)

    def slope(self, state):
        return joined(self.slopes[state])


def joined(terms):
    text = " ".join(terms)
    return text[2:] if text.startswith("+ ") else text.replace("- ", "-", 1)


def random_potential(random, states):
    v = Potential(states)
    for i, s in enumerate(states):
        style = random.choice(["wells", "quartic", "harmonic"])
        suffix = str(i + 1)
        if style == "wells":
            v.add("a" + suffix, random.uniform(0.6, 1.5), f"{s}^4/4", {s: f"{s}^3"})
            v.add("b" + suffix, random.uniform(0.5, 1.6), f"{s}^2/2", {s: s}, "-")
        elif style == "quartic":
            v.add("a" + suffix, random.uniform(0.3, 1.2), f"{s}^4/4", {s: f"{s}^3"})
        else:
            v.add("a" + suffix, random.uniform(0.5, 2), f"{s}^2/2", {s: s})
        if random.random() < 0.4:
            v.add("h" + suffix, random.uniform(-0.4, 0.4), s, {s: ""})
    for s, t in zip(states, states[1:]):
        style = random.choice(["spring", "product", "interaction"])
        if style == "spring":
            v.add("k", random.uniform(0.2, 1.2), f"({s} - {t})^2/2", {s: f"({s} - {t})", t: f"({t} - {s})"})
        elif style == "product":
            v.add("e", random.uniform(0.1, 0.8), f"{s}^2*{t}^2/2", {s: f"{s}*{t}^2", t: f"{s}^2*{t}"})
        else:
            v.add("q", random.uniform(-0.6, 0.6), f"sin({s})*{t}", {s: f"cos({s})*{t}", t: f"sin({s})"})
    return v


def gradient(random):
    states = list("xyzu")[: int(random.choice([2, 2, 3, 3, 4]))]
    v = random_potential(random, states)
    p = {**v.parameters, "sigma": loguniform(random, 0.6, 1.3)}
    return p, states, {s: f"-({v.slope(s)})" for s in states}, {s: "sigma" for s in states}, f"2*({v.text()})/sigma^2", {s: "sigma^2" for s in states}


def rotated(random):
    """The drift has a part along the level sets of V: −(I − Q)∇V with an antisymmetric Q."""
    states = list("xyz")[: int(random.choice([2, 2, 3]))]
    v = random_potential(random, states)
    p = {**v.parameters, "omega": random.uniform(-1.5, 1.5), "sigma": loguniform(random, 0.6, 1.3)}
    drift = {}
    for i, s in enumerate(states):
        parts = [f"-({v.slope(s)})"]
        if i + 1 < len(states):
            parts.append(f" + omega*({v.slope(states[i + 1])})")
        if i > 0:
            parts.append(f" - omega*({v.slope(states[i - 1])})")
        drift[s] = "".join(parts)
    return p, states, drift, {s: "sigma" for s in states}, f"2*({v.text()})/sigma^2", {s: "sigma^2" for s in states}


def mobile(random):
    """Every state has a mobility; that of the first depends on the second."""
    states = list("xyz")[: int(random.choice([2, 2, 3]))]
    v = random_potential(random, states)
    p = {**v.parameters, "m1": loguniform(random, 0.4, 2), "m2": loguniform(random, 0.4, 2), "r": random.uniform(-0.7, 0.7), "T": loguniform(random, 0.25, 0.8)}
    mobility = {s: "m2" for s in states}
    mobility[states[0]] = f"m1*(1 + r*tanh({states[1]}))"
    drift = {s: f"-{mobility[s]}*({v.slope(s)})" for s in states}
    return p, states, drift, {s: f"sqrt(2*T*{mobility[s]})" for s in states}, f"({v.text()})/T", {s: f"2*T*{mobility[s]}" for s in states}


def underdamped(random):
    positions = ["x", "y"][: int(random.integers(1, 3))]
    v = random_potential(random, positions)
    p = {**v.parameters, "gamma": loguniform(random, 0.4, 3), "T": loguniform(random, 0.3, 0.9)}
    velocities = [f"v{s}" if len(positions) > 1 else "v" for s in positions]
    states = positions + velocities
    drift = {s: w for s, w in zip(positions, velocities)}
    drift.update({w: f"-({v.slope(s)}) - gamma*{w}" for s, w in zip(positions, velocities)})
    kinetic = " + ".join(f"{w}^2/2" for w in velocities)
    return (p, states, drift, {w: "sqrt(2*gamma*T)" for w in velocities}, f"({v.text()} + {kinetic})/T",
            {**{s: "2*T/gamma" for s in positions}, **{w: "2*gamma*T" for w in velocities}})


KINDS = [gradient, rotated, mobile, underdamped]


def generate(random, seed):
    make = KINDS[random.integers(len(KINDS))]
    p, states, drift, diffusion, potential, effective = make(random)
    bounded = {"sigma", "T", "gamma", "m1", "m2"}
    parameters = {name: Parameter(rounded(value), 0.0 if name in bounded and random.random() < 0.7 else None) for name, value in p.items()}
    theta = np.array([parameter.value for parameter in parameters.values()])
    solver = Gibbs(list(parameters), states, potential, theta)
    points = solver.sample(theta, random)
    coordinates = [Coordinate(s, lambda q, row=points[i]: float(np.quantile(row, q))) for i, s in enumerate(states)]
    observables = random_observables(random, coordinates, int(random.integers(2, 7)), parameters)
    solver.set_observables(observables)
    values = dict(zip(parameters, theta))
    at = {**values, **dict(zip(states, points))}
    slow = slowest_reversible_time(points, [Formula(effective[s])(at) for s in states])
    fast = fastest_time(drift, list(diffusion.values()), states, values, points)
    if slow / fast > 1000:
        raise Unsuitable("The time scales are too far apart for a short run.")
    if make is underdamped:
        slow = max(slow, 2 / values["gamma"])
    return Problem("gibbs", make.__name__, seed, states, parameters, drift, diffusion, observables, solver, TimeScales(slow, fast), dimension=len(states))
