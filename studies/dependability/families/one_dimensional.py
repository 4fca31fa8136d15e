"""Models with one state, exact by quadrature."""

from dataclasses import dataclass, field

import numpy as np

from exact.quadrature import OneDimensional
from observables import Coordinate, random_observables
from problem import Parameter, Problem, Unsuitable, loguniform, rounded


@dataclass
class Sketch:
    parameters: dict
    drift: str
    noises: dict                      # one formula: {"": formula}
    domain: str = "line"
    centre: float = 0.0
    scale: float = 1.0
    highest: int = 4                  # largest power among the observables
    positive: set = field(default_factory=set)   # parameters with a lower bound of zero


def cubic(random):
    wells, c, s = random.uniform(-1.5, 1.5), loguniform(random, 0.2, 2), loguniform(random, 0.4, 1.5)
    p = {"F0": random.uniform(-0.5, 0.5), "a": wells, "b": random.uniform(-0.5, 0.5) * np.sqrt(c), "c": c, "sigma": s}
    return Sketch(p, "F0 + a*x + b*x^2 - c*x^3", {"": "sigma"}, scale=1.0, positive={"c", "sigma"})


def deep_wells(random):
    barrier, s = random.uniform(1.0, 5.0), loguniform(random, 0.3, 1.0)  # barrier in units of sigma^2/2
    c = barrier * s**2 / 2 * 4
    p = {"tilt": random.uniform(-0.15, 0.15) * c, "c": c, "sigma": s}
    return Sketch(p, "tilt + c*x - c*x^3", {"": "sigma"}, positive={"c", "sigma"})


def sextic(random):
    p = {"mu": random.uniform(0.5, 2), "nu": random.uniform(1, 3), "kappa": random.uniform(0.3, 1), "sigma": loguniform(random, 0.5, 1.2)}
    return Sketch(p, "-mu*x + nu*x^3 - kappa*x^5", {"": "sigma"}, highest=3, positive={"kappa", "sigma"})


def multiplicative(random):
    p = {"a": random.uniform(-1, 1), "c": loguniform(random, 0.3, 1.5), "s": loguniform(random, 0.4, 1.2), "r": random.uniform(0.1, 0.7)}
    noise = random.choice(["sqrt(s^2 + (r*x)^2)", "s*(1 + r*tanh(x))", "s + r*exp(-x^2)", "sqrt(s^2 + r*x^2)", "s*(1 + r*sin(x))"])
    return Sketch(p, random.choice(["a*x - c*x^3", "a - c*x^3", "a*x - c*x*abs(x)"]), {"": str(noise)}, positive={"c", "s"})


def two_noises(random):
    p = {"F0": random.uniform(-0.5, 0.5), "a": random.uniform(-1, 1), "c": loguniform(random, 0.3, 1.5), "s1": loguniform(random, 0.4, 1),
         "s2": random.uniform(0.1, 0.6)}
    return Sketch(p, "F0 + a*x - c*x^3", {"additive": "s1", "multiplicative": "s2*x"}, positive={"c", "s1", "s2"})


def saturating(random):
    p = {"a": random.uniform(0.5, 2), "g": random.uniform(0.2, 2.5), "k": random.uniform(0.5, 2), "h": random.uniform(-0.3, 0.3),
         "sigma": loguniform(random, 0.4, 1.2)}
    drift = random.choice(["h - a*x + g*tanh(k*x)", "h - a*x + g*x/(1 + k*x^2)", "h - a*x + g*sin(k*x)", "h - a*x - g*x/sqrt(1 + k*x^2)"])
    return Sketch(p, str(drift), {"": "sigma"}, positive={"a", "sigma"})


def student(random):
    """ρ ~ |x|^-(2a/r + 2)."""
    r, decay = random.uniform(0.2, 1.0), loguniform(random, 2.4, 9.0)
    p = {"a": decay * r, "m": random.uniform(-0.5, 0.5), "s": loguniform(random, 0.4, 1.5), "r": r}
    highest = max(k for k in (1, 2, 3, 4) if 2 * k < 2 * decay + 1 - 0.3)
    return Sketch(p, "-a*(x - m)", {"": "sqrt(s^2 + r*x^2)"}, highest=highest, positive={"a", "s", "r"})


def confined(random):
    """Rational drift with an algebraic tail, exponent 2a/sigma^2."""
    s, exponent = loguniform(random, 0.5, 1.5), random.uniform(5.5, 14)
    p = {"a": exponent * s**2 / 2, "h": random.uniform(-0.2, 0.2), "sigma": s}
    highest = max(k for k in (1, 2, 3, 4) if 2 * k < exponent - 1 - 0.3)
    return Sketch(p, "(h - a*x)/(1 + x^2)", {"": "sigma"}, highest=highest, positive={"a", "sigma"})


def square_root(random):
    k, m, shape = loguniform(random, 0.3, 3), loguniform(random, 0.3, 3), random.uniform(3, 15)
    p = {"k": k, "m": m, "s": np.sqrt(2 * k * m / shape)}
    return Sketch(p, "k*(m - x)", {"": "s*sqrt(x)"}, "half", scale=m, positive={"k", "m", "s"})


def growth(random):
    """Logistic growth with noise proportional to x: ρ is a gamma density of shape 2r/s^2 - 1."""
    r, shape = loguniform(random, 0.3, 2), random.uniform(2.5, 12)
    p = {"r": r, "K": loguniform(random, 0.5, 3), "s": np.sqrt(2 * r / (shape + 1))}
    return Sketch(p, "r*x*(1 - x/K)", {"": "s*x"}, "half", scale=p["K"], positive={"r", "K", "s"})


def gompertz(random):
    p = {"a": random.uniform(-0.3, 0.5), "b": loguniform(random, 0.4, 2), "s": random.uniform(0.2, 0.8)}
    return Sketch(p, "x*(a - b*log(x))", {"": "s*x"}, "half", scale=np.exp(p["a"] / p["b"]), highest=2, positive={"b", "s"})


def jacobi(random):
    k, m, least = loguniform(random, 0.3, 3), random.uniform(0.25, 0.75), random.uniform(3, 10)
    p = {"k": k, "m": m, "s": np.sqrt(2 * k * min(m, 1 - m) / least)}
    drift = "k*(m - x)"
    if random.random() < 0.5:
        p["h"], drift = random.uniform(-0.5, 0.5) * k, "k*(m - x) + h*x*(1 - x)"
    return Sketch(p, drift, {"": "s*sqrt(x*(1 - x))"}, "unit", positive={"k", "s"})


def gene(random):
    """Production by a Hill function and decay, each with a noise of its own."""
    n = int(random.choice([2, 4]))
    p = {"b0": random.uniform(0.2, 0.6), "b1": random.uniform(0.5, 2.5), "K": random.uniform(0.6, 1.4), "g": random.uniform(0.8, 1.3),
         "s": loguniform(random, 0.04, 0.15), "r": random.uniform(0.1, 0.3)}
    hill = f"b1*x^{n}/(K^{n} + x^{n})"
    return Sketch(p, f"b0 + {hill} - g*x", {"intrinsic": f"s*sqrt(b0 + {hill} + g*x)", "extrinsic": "r*x"}, "half",
                  positive={"b0", "b1", "K", "g", "s", "r"})


KINDS = [cubic, deep_wells, sextic, multiplicative, two_noises, saturating, student, confined, square_root, growth, gompertz, jacobi, gene]


def initial_law(solver, theta):
    low, mid, high = solver.quantiles(theta, [0.16, 0.5, 0.84])
    return {"x": {"mean": rounded(mid), "std": rounded((high - low) / 6, 2)}}


def generate(random, seed):
    make = KINDS[random.integers(len(KINDS))]
    sketch = make(random)
    rate = loguniform(random, 0.3, 3) if random.random() < 0.3 else 1.0
    parameters = {name: Parameter(rounded(value), 0.0 if name in sketch.positive and random.random() < 0.7 else None)
                  for name, value in sketch.parameters.items()}
    drift, noises = sketch.drift, dict(sketch.noises)
    if rate != 1.0:                                            # another unit of time: the parameter only rescales time
        parameters["rate"] = Parameter(rounded(rate), 0.0)
        drift, noises = f"rate*({drift})", {name: f"sqrt(rate)*{text}" if "+" not in text else f"sqrt(rate)*({text})" for name, text in noises.items()}
    theta = np.array([p.value for p in parameters.values()])
    solver = OneDimensional(list(parameters), drift, list(noises.values()), {}, sketch.domain, sketch.centre, sketch.scale, theta)
    if make is gene and solver.quantiles(theta, [1e-12])[0] < 0.05:
        raise Unsuitable("The state reaches zero, where the model has no boundary condition.")
    coordinate = Coordinate("x", lambda q: float(solver.quantiles(theta, [q])[0]), sketch.highest)
    observables = random_observables(random, [coordinate], int(random.integers(2, 6)), parameters)
    solver.set_observables(observables)
    times = solver.times(theta)
    if times.slow / times.fast > 3000:
        raise Unsuitable("The time scales are too far apart for a short run.")
    whole_line = sketch.domain == "line"
    initial = {} if whole_line and random.random() < 0.8 else initial_law(solver, theta)
    diffusion = {"x": noises[""] if "" in noises else noises}
    return Problem("one-dimensional", make.__name__, seed, ["x"], parameters, {"x": drift}, diffusion, observables, solver, times, initial=initial)
