"""Linear models with 1 to 30 states, exact by Lyapunov's equation."""

import numpy as np
from scipy.stats import norm

from exact.gaussian import Linear
from observables import Coordinate, random_observables, substituted
from problem import Parameter, Problem, Unsuitable, loguniform, rounded


def scalar(random):
    p = {"alpha": loguniform(random, 0.2, 5), "m": random.uniform(-2, 2), "sigma": loguniform(random, 0.2, 2)}
    return p, {"x": "-alpha*(x - m)"}, {"x": "sigma"}


def full(random):
    """A random matrix with names for some of its entries and numbers for the others."""
    n = int(random.integers(2, 7))
    states = [f"x{i + 1}" for i in range(n)]
    a = random.normal(size=(n, n)) / np.sqrt(n)
    a -= (max(0.0, np.max(np.linalg.eigvals(a).real)) + random.uniform(0.4, 1.2)) * np.eye(n)
    p, drift, diffusion = {}, {}, {}
    for i, state in enumerate(states):
        terms = []
        for j, other in enumerate(states):
            value = rounded(a[i, j], 2)
            if random.random() < 2.5 / n**2:
                p[f"a{i + 1}{j + 1}"] = value
                terms.append(f"a{i + 1}{j + 1}*{other}")
            else:
                terms.append(f"{value!r}*{other}")
        drift[state] = " + ".join(terms).replace("+ -", "- ")
        diffusion[state] = rounded(loguniform(random, 0.3, 1.2), 2)
    p["F"] = random.uniform(-1, 1)
    p["sigma"] = loguniform(random, 0.4, 1.2)
    first, last = states[0], states[-1]
    drift[first] += " + F"
    diffusion[last] = "sigma"
    return p, drift, {state: str(entry) for state, entry in diffusion.items()}


def chain(random):
    """Heat conduction between n boxes."""
    n = int(np.exp(random.uniform(np.log(3), np.log(31))))
    p = {"F": random.uniform(0.2, 1.5), "damping": random.uniform(0.3, 1.5), "k": random.uniform(0.2, 1.5), "sigma": loguniform(random, 0.3, 1.2)}
    drift = {}
    for i in range(n):
        terms = ["F - damping*T1" if i == 0 else f"-damping*T{i + 1}"]
        terms += [f"k*(T{i} - T{i + 1})"] if i > 0 else []
        terms += [f"k*(T{i + 2} - T{i + 1})"] if i < n - 1 else []
        drift[f"T{i + 1}"] = " + ".join(terms)
    noisy = [i for i in range(n) if i == 0 or random.random() < 0.7]
    return p, drift, {f"T{i + 1}": "sigma" for i in noisy}


def network(random):
    """A directed ring in which every state has a damping and a coupling of its own; one parameter of each kind is named."""
    n = int(random.integers(3, 16))
    p = {"a": random.uniform(0.7, 1.5), "k": random.uniform(-0.5, 0.5), "s": loguniform(random, 0.4, 1.2)}
    drift, diffusion = {}, {}
    for i in range(n):
        own = "a" if i == 0 else rounded(random.uniform(0.7, 1.5), 2)
        coupling = "k" if i == 0 else rounded(random.uniform(-0.5, 0.5), 2)
        drift[f"x{i}"] = f"-{own}*x{i} + {coupling}*x{(i + 1) % n}".replace("+ -", "- ")
        diffusion[f"x{i}"] = "s" if i == 0 else str(rounded(loguniform(random, 0.4, 1.2), 2))
    return p, drift, diffusion


def oscillators(random):
    """Damped oscillators in a row with noise on the velocities only."""
    n = int(random.integers(1, 5))
    p = {"w": random.uniform(0.6, 2), "g": random.uniform(0.3, 1.5), "s": loguniform(random, 0.3, 1)}
    if n > 1:
        p["k"] = random.uniform(0.1, 0.8)
    drift = {}
    for i in range(1, n + 1):
        coupling = "".join(f" + k*(q{j} - q{i})" for j in (i - 1, i + 1) if 1 <= j <= n)
        drift[f"q{i}"], drift[f"v{i}"] = f"v{i}", f"-w^2*q{i} - g*v{i}{coupling}"
    driven = [i for i in range(1, n + 1) if i == 1 or random.random() < 0.6]
    return p, drift, {f"v{i}": "s" for i in driven}


def shared(random):
    """Noises that drive several states."""
    n = int(random.integers(2, 5))
    states = list("xyzu")[:n]
    p = {"a": random.uniform(0.6, 1.5), "b": random.uniform(-0.6, 0.6), "s": loguniform(random, 0.4, 1.0), "r": random.uniform(-0.6, 0.6)}
    drift = {s: f"-{'a' if i % 2 == 0 else rounded(random.uniform(0.6, 2), 2)}*{s} + b*{states[i - 1]}" for i, s in enumerate(states)}
    noises = [f"w{i + 1}" for i in range(int(random.integers(1, n + 1)))]
    diffusion = {s: {w: str(random.choice(["s", "r"])) for w in noises if random.random() < 0.7} for s in states}
    diffusion[states[0]].setdefault(noises[0], "s")
    diffusion[states[-1]].setdefault(noises[-1], "s")
    return p, drift, {s: entry for s, entry in diffusion.items() if entry}


def filtered(random):
    """A signal seen through filters of different memory."""
    p = {"a": loguniform(random, 0.5, 3), "m": random.uniform(-1, 1), "s": loguniform(random, 0.4, 1.5), "T": loguniform(random, 0.5, 4)}
    drift = {"x": "a*(m - x)", "slow": "(x - slow)/T"}
    if random.random() < 0.5:
        drift["slower"] = "(slow - slower)/(2*T)"
    return p, drift, {"x": "s"}


KINDS = [(scalar, 1), (full, 2), (chain, 2), (network, 1), (oscillators, 2), (shared, 2), (filtered, 1)]


def coordinates_of(random, states):
    """Some states, and now and then a sum or a difference: placeholder -> (text, weights)."""
    chosen = list(random.choice(states, min(len(states), 4), replace=False))
    table = {}
    for i, state in enumerate(chosen):
        table[f"c{i}"] = (str(state), np.eye(len(states))[states.index(state)])
    if len(chosen) > 1 and random.random() < 0.5:
        sign = 1 if random.random() < 0.5 else -1
        a, b = chosen[0], chosen[1]
        table["c9"] = (f"({a} {'+' if sign > 0 else '-'} {b})", table["c0"][1] + sign * table["c1"][1])
    return table


def generate(random, seed):
    weights = np.array([weight for _, weight in KINDS], dtype=float)
    make = KINDS[random.choice(len(KINDS), p=weights / weights.sum())][0]
    p, drift, diffusion = make(random)
    states = list(drift)
    bounded = {"alpha", "sigma", "s", "damping", "g", "w", "T", "a"}
    parameters = {name: Parameter(rounded(value), 0.0 if name in bounded and value > 0 and random.random() < 0.7 else None) for name, value in p.items()}
    theta = np.array([parameter.value for parameter in parameters.values()])
    table = coordinates_of(random, states)
    solver = Linear(list(parameters), states, drift, diffusion, {key: weights for key, (_, weights) in table.items()})
    if np.min(np.linalg.eigvalsh(solver.gaussian(theta)[1])) < 1e-8:
        raise Unsuitable("The covariance is singular.")
    coordinates = []
    for key, (text, _) in table.items():
        mean, deviation = solver.coordinate_law(theta, key)
        coordinates.append(Coordinate(key, lambda q, m=mean, d=deviation: m + d * norm.ppf(q), label=text))
    observables = random_observables(random, coordinates, int(random.integers(2, 7)), parameters)
    solver.set_observables(observables)
    shown = substituted(observables, {key: text for key, (text, _) in table.items()})
    times = solver.times(theta)
    if times.slow / times.fast > 1000:
        raise Unsuitable("The time scales are too far apart for a short run.")
    return Problem("linear", make.__name__, seed, states, parameters, drift, diffusion, shown, solver, times, dimension=len(states))
