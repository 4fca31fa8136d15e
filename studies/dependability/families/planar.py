"""Two states without a known density, exact by a grid solution of the Fokker-Planck equation."""

import numpy as np

from exact.fokker_planck_grid import Axis, PlanarGrid
from exact.rates import fastest_time
from formula import Formula
from observables import Coordinate, random_observables
from problem import Parameter, Problem, TimeScales, Unsuitable, loguniform, rounded

CELLS = 54                 # per axis at the base spacing, about
MARGIN = 0.4               # of the extent of a short simulation, to each side


def hopf(random):
    """A rotating quartic potential whose frequency depends on the amplitude."""
    p = {"mu": random.uniform(-0.5, 1.5), "omega": random.uniform(0.3, 1.5), "shear": random.uniform(-0.8, 0.8), "h": random.uniform(-0.4, 0.4),
         "sigma": loguniform(random, 0.5, 1.0)}
    return p, {"x": "h + (mu - x^2 - y^2)*x - (omega + shear*(x^2 + y^2))*y", "y": "(mu - x^2 - y^2)*y + (omega + shear*(x^2 + y^2))*x"}, \
        {"x": "sigma", "y": "sigma"}, False


def van_der_pol(random):
    """In the coordinates of Liénard, in which the density decays fast."""
    p = {"mu": random.uniform(0.5, 1.5), "w": random.uniform(0.8, 1.5), "d": random.uniform(0.3, 0.8),
         "s1": loguniform(random, 0.6, 1.0), "s2": loguniform(random, 0.6, 1.0)}
    return p, {"x": "mu*(x - x^3/3) + y", "y": "-w^2*x - d*y"}, {"x": "s1", "y": "s2"}, False


def fitzhugh_nagumo(random):
    p = {"I": random.uniform(0, 0.8), "eps": random.uniform(0.2, 0.6), "a": random.uniform(0.5, 0.9), "b": random.uniform(0.4, 0.9),
         "s": loguniform(random, 0.45, 0.8), "r": loguniform(random, 0.3, 0.6)}
    return p, {"v": "v - v^3/3 - w + I", "w": "eps*(v + a - b*w)"}, {"v": "s", "w": "r"}, False


def non_reciprocal(random):
    """Two quartic wells that act on each other differently."""
    p = {"a": random.uniform(-0.5, 1.2), "k": random.uniform(0.3, 1.2), "l": random.uniform(-1.2, 0.3), "h": random.uniform(-0.3, 0.3),
         "sigma": loguniform(random, 0.5, 1.0), "r": random.uniform(0.0, 0.4)}
    return p, {"x": "h + a*x - x^3 + k*y", "y": "-y^3 + l*x - 0.5*y"}, {"x": "sigma*sqrt(1 + r*x^2)", "y": "sigma"}, False


def activator(random):
    p = {"g": random.uniform(1, 2.5), "c": random.uniform(0.5, 2), "tau": random.uniform(1, 3), "h": random.uniform(-0.4, 0.4), "s": loguniform(random, 0.35, 0.8)}
    return p, {"x": "-x + g*tanh(x - c*y + h)", "y": "(x - y)/tau"}, {"x": "s", "y": "s"}, False


def predator_prey(random):
    p = {"r": random.uniform(0.8, 1.5), "K": random.uniform(1.5, 3), "b": random.uniform(0.8, 1.5), "m": random.uniform(0.3, 0.6),
         "i": random.uniform(0.05, 0.15), "s": random.uniform(0.2, 0.4)}
    return p, {"x": "r*x*(1 - x/K) - b*x*y/(1 + x) + i", "y": "b*x*y/(1 + x) - m*y + i"}, {"x": "s*x", "y": "s*y"}, True


def toggle(random):
    """Two genes that repress each other."""
    p = {"b0": random.uniform(0.1, 0.3), "b1": random.uniform(1.2, 2.5), "g": random.uniform(0.8, 1.2), "s": random.uniform(0.25, 0.45)}
    return p, {"x": "b0 + b1/(1 + y^2) - g*x", "y": "b0 + b1/(1 + x^2) - g*y"}, {"x": "s*x", "y": "s*y"}, True


KINDS = [hopf, van_der_pol, fitzhugh_nagumo, non_reciprocal, activator, predator_prey, toggle]


def short_simulation(random, states, drift, diffusion, values, positive, steps=3000, dt=0.01, particles=300):
    """States of an Euler-Maruyama run after its transient: [state, sample]."""
    f, s = [Formula(drift[state]) for state in states], [Formula(diffusion[state]) for state in states]
    x = random.normal(size=(2, particles)) * 0.3 + (1.0 if positive else 0.0)
    x = np.abs(x) + 0.1 if positive else x
    kept = []
    for step in range(steps):
        at = {**values, **dict(zip(states, x))}
        x = x + dt * np.array([g(at) + 0 * x[0] for g in f]) + np.sqrt(dt) * np.array([g(at) + 0 * x[0] for g in s]) * random.normal(size=x.shape)
        x = np.maximum(x, 1e-6) if positive else x
        if step > steps // 2 and step % 30 == 0:
            kept.append(x)
    return np.concatenate(kept, axis=1)


def nice(value):
    """The smallest of 1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten that is not below the value."""
    power = 10 ** np.floor(np.log10(value))
    return float(rounded(next(m * power for m in (1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if m * power >= value * (1 - 1e-9)), 6))


def axis_of(points, logarithmic, widening):
    u = np.log(points) if logarithmic else points
    low, high = u.min(), u.max()
    low, high = low - widening * MARGIN * (high - low), high + widening * MARGIN * (high - low)
    spacing = nice((high - low) / CELLS)
    anchor = np.log(rounded(np.median(points), 2)) if logarithmic else 0.0      # a face of the grid
    first = int(np.floor((low - anchor) / spacing))
    return Axis(anchor + first * spacing, spacing, int(np.ceil((high - anchor) / spacing)) - first, logarithmic)


def solver_of(parameters, theta, states, drift, diffusion, points, positive):
    """On the smallest box whose edges the density does not reach."""
    for widening in (1.0, 1.6, 2.4):
        solver = PlanarGrid(list(parameters), states, drift, diffusion, [axis_of(points[i], positive, widening) for i in range(2)])
        try:
            return solver, solver.marginals(theta)
        except Unsuitable:
            pass
    raise Unsuitable("No box holds the density.")


def generate(random, seed):
    make = KINDS[random.integers(len(KINDS))]
    p, drift, diffusion, positive = make(random)
    states = list(drift)
    parameters = {name: Parameter(rounded(value), 0.0 if name in ("sigma", "s", "s1", "s2", "r", "b0", "b1") and value > 0 and random.random() < 0.7 else None)
                  for name, value in p.items()}
    theta = np.array([parameter.value for parameter in parameters.values()])
    values = dict(zip(parameters, theta))
    points = short_simulation(random, states, drift, diffusion, values, positive)
    if not np.all(np.isfinite(points)):
        raise Unsuitable("The model blows up.")
    solver, (centres, masses) = solver_of(parameters, theta, states, drift, diffusion, points, positive)
    coordinates = []
    for i, state in enumerate(states):
        quantile = lambda q, c=centres[i], m=masses[i]: float(np.interp(q, np.cumsum(m), c))
        if positive:
            anchor = rounded(np.median(points[i]), 2)
            coordinates.append(Coordinate(state, quantile, 3, fixed=anchor))
        else:
            coordinates.append(Coordinate(state, quantile, 4, grid=solver.axes[i].spacing))
    observables = random_observables(random, coordinates, int(random.integers(2, 6)), parameters)
    solver.set_observables(observables)
    slow = solver.slowest_time(theta)
    fast = fastest_time(drift, list(diffusion.values()), states, values, points[:, :3000])
    if not 0 < slow / fast < 1000:
        raise Unsuitable("The time scales are too far apart for a short run.")
    initial = {state: {"mean": rounded(np.mean(points[i]), 2), "std": rounded(np.std(points[i]) / 4, 1)} for i, state in enumerate(states)} if positive else {}
    return Problem("planar", make.__name__, seed, states, parameters, drift, diffusion, observables, solver, TimeScales(slow, fast), initial=initial, dimension=2)
