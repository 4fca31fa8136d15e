"""Models in other units: states about 288 or of size 10⁻³, rates per second or per year, parameters of very different size."""

import numpy as np
from scipy.stats import norm

from exact.gaussian import Linear
from exact.quadrature import OneDimensional
from observables import Coordinate, random_observables
from problem import Parameter, Problem, loguniform, rounded


def units_of(random):
    """Size of the fluctuations, their centre, and the unit of time."""
    size = loguniform(random, 1e-3, 1e3)
    centre = rounded(size * loguniform(random, 1, 60), 2) if random.random() < 0.6 else 0.0
    return size, centre, loguniform(random, 1e-3, 1e3)


def shifted(centre):
    return f"(x - {centre!r})" if centre else "x"


def wells(random, size, centre, time):
    x = shifted(centre)
    p = {"F": random.uniform(-0.4, 0.4) * size / time, "a": random.uniform(-1.2, 1.2) / time, "c": random.uniform(0.4, 1.5) / (size**2 * time),
         "sigma": random.uniform(0.5, 1.2) * size / np.sqrt(time)}
    return p, f"F + a*{x} - c*{x}^3", "sigma"


def saturation(random, size, centre, time):
    x = shifted(centre)
    p = {"k": random.uniform(0.5, 1.5) / time, "g": random.uniform(0.3, 2) * size / time, "w": random.uniform(0.6, 1.5) * size,
         "sigma": random.uniform(0.4, 1.0) * size / np.sqrt(time)}
    return p, f"-k*{x} + g*tanh({x}/w)", "sigma"


def multiplicative(random, size, centre, time):
    x = shifted(centre)
    p = {"k": random.uniform(0.5, 1.5) / time, "s": random.uniform(0.4, 1.0) * size / np.sqrt(time), "r": random.uniform(0.1, 0.4) / time}
    return p, f"-k*{x}", f"sqrt(s^2 + r*{x}^2)"


def one_state(random, seed):
    size, centre, time = units_of(random)
    make = [wells, saturation, multiplicative][random.integers(3)]
    p, drift, noise = make(random, size, centre, time)
    parameters = {name: Parameter(rounded(value), 0.0 if value > 0 and name in ("c", "sigma", "s", "r", "w", "k") and random.random() < 0.7 else None)
                  for name, value in p.items()}
    theta = np.array([parameter.value for parameter in parameters.values()])
    solver = OneDimensional(list(parameters), drift, [noise], {}, "line", centre, size, theta)
    solver.parameter_scale = np.abs(theta)
    highest = 2 if centre or make is multiplicative else 4
    observables = random_observables(random, [Coordinate("x", lambda q: float(solver.quantiles(theta, [q])[0]), highest)], int(random.integers(2, 6)))
    solver.set_observables(observables)
    initial = {"x": {"mean": centre, "std": rounded(size, 1)}}
    return Problem("units", make.__name__, seed, ["x"], parameters, {"x": drift}, {"x": noise}, observables, solver, solver.times(theta), initial=initial)


def exchange(random, seed):
    """Two linear states in different units."""
    (size, centre, time), other = units_of(random), loguniform(random, 1e-3, 1e3)
    p = {"k": random.uniform(0.5, 1.5) / time, "b": random.uniform(-0.6, 0.6) * size / (other * time), "d": random.uniform(-0.6, 0.6) * other / (size * time),
         "m": random.uniform(0.5, 1.5) / time, "s": random.uniform(0.4, 1.2) * size / np.sqrt(time), "r": random.uniform(0.4, 1.2) * other / np.sqrt(time)}
    parameters = {name: Parameter(rounded(value), 0.0 if name in "sr" and random.random() < 0.7 else None) for name, value in p.items()}
    theta, x = np.array([parameter.value for parameter in parameters.values()]), shifted(centre)
    drift, diffusion = {"x": f"-k*{x} + b*y", "y": f"d*{x} - m*y"}, {"x": "s", "y": "r"}
    solver = Linear(list(parameters), ["x", "y"], drift, diffusion, {"x": [1, 0], "y": [0, 1]})
    solver.parameter_scale = np.abs(theta)
    laws = [solver.coordinate_law(theta, name) for name in "xy"]
    coordinates = [Coordinate(name, lambda q, m=m, d=d: m + d * norm.ppf(q), 2) for name, (m, d) in zip("xy", laws)]
    observables = random_observables(random, coordinates, int(random.integers(2, 6)))
    solver.set_observables(observables)
    initial = {name: {"mean": rounded(m, 2), "std": rounded(d, 1)} for name, (m, d) in zip("xy", laws)}
    return Problem("units", "exchange", seed, ["x", "y"], parameters, drift, diffusion, observables, solver, solver.times(theta), initial=initial, dimension=2)


def generate(random, seed):
    return exchange(random, seed) if random.random() < 0.35 else one_state(random, seed)
