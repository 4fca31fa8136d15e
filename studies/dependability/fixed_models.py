"""Fixed models with exact answers, which the study `repeated` runs with many seeds.

They differ in character from the random families: noise that is conserved, states that touch the end of their range, wells with state-dependent
noise, algebraic tails, noise on one state of a feedback loop, rings of many sites.
"""

from functools import cache

import numpy as np

from exact.answer import exact_answer
from exact.gaussian import Linear
from exact.gibbs import Gibbs
from exact.quadrature import OneDimensional
from exact.rings import GaussianRing
from problem import Observable, Parameter, Problem


def above(state, threshold):
    return Observable(f"{state} > {threshold!r}", {state: [threshold]})


def formulas(**texts):
    return {name: Observable(text) for name, text in texts.items()}


def problem_of(kind, parameters, drift, diffusion, observables, solver, simulation, states=None, **others):
    """`solver` takes the observables as they are, unless others are shown in the problem file."""
    solver.set_observables(observables)
    shown = others.pop("shown", observables)
    return Problem("fixed", kind, 0, states or list(drift), {name: Parameter(value) for name, value in parameters.items()}, drift, diffusion, shown, solver,
                   simulation=simulation, **others)


def one_state(kind, parameters, drift, noises, observables, simulation, exact=None, **others):
    """`noises`: name -> formula, or one formula. `exact`: drift and noises for the solver, where those of the problem file use named formulas."""
    own = list(noises.values()) if isinstance(noises, dict) else [noises]
    place = {key: others.pop(key) for key in ("domain", "centre", "scale") if key in others}
    solver = OneDimensional(list(parameters), *(exact or (drift, own)), {}, theta=np.array(list(parameters.values())), **place)
    return problem_of(kind, parameters, {"x": drift}, {"x": noises}, observables, solver, simulation, **others)


def bistable():
    """Production that activates itself, and decay, each with a noise of its own. Of the density at zero, 1e-11 of its maximum is left."""
    production = "(p1 + p2*x^4/(x^4 + 11.9^4))"
    return one_state("bistable", {"p1": 5.0, "p2": 15.0, "s": 0.4}, "b - x", {"production": "s*sqrt(b)", "decay": "s*sqrt(x)"},
                     {**formulas(mean="x", square="x^2"), "upper": above("x", 10.6)}, {"length": 1000},
                     (f"{production} - x", [f"s*sqrt{production}", "s*sqrt(max(x, 0))"]), centre=10.0, scale=3.0,
                     formulas={"b": production[1:-1]}, initial={"x": {"mean": 10.0, "std": 2.0}})


def schloegl():
    """Schlögl's cubic reaction with the noise of all four reactions."""
    noise = "s*sqrt(k0 + k1*x + k2*x^2 + k3*x^3)"
    return one_state("schloegl", {"k0": 6.2, "k1": 11.0, "k2": 6.0, "k3": 1.0, "s": 0.08}, "k0 - k1*x + k2*x^2 - k3*x^3", noise,
                     {**formulas(mean="x", square="x^2"), "upper": above("x", 2.0)}, {"length": 500}, centre=2.0,
                     initial={"x": {"mean": 2.0, "std": 0.3}})


def square_root():
    """Cox, Ingersoll and Ross: a gamma density of shape 2km/s²."""
    return one_state("square-root", {"k": 1.0, "m": 1.0, "s": 0.8}, "k*(m - x)", "s*sqrt(max(x, 0))",
                     {**formulas(mean="x", square="x^2"), "high": above("x", 1.5)}, {"length": 1000}, domain="half",
                     initial={"x": {"mean": 1.0, "std": 0.1}})


def wright_fisher():
    """Mutation and drift of a gene's frequency: a beta density with exponents 2uN − 1 and 2vN − 1."""
    return one_state("wright-fisher", {"u": 1.0, "v": 0.8, "N": 3.0}, "u*(1 - x) - v*x", "sqrt(x*(1 - x)/N)",
                     {**formulas(mean="x", heterozygosity="2*x*(1 - x)"), "common": above("x", 0.8)}, {"length": 1000}, domain="unit",
                     initial={"x": {"mean": 0.5, "std": 0.05}})


def heavy_tail():
    """Growth and noise in proportion to the state: an inverse gamma density, whose tail falls as x^−(2 + 2a/s²) = x^−6.5."""
    return one_state("heavy-tail", {"m": 1.0, "a": 1.0, "s": 0.667}, "m - a*x", "s*x",
                     {**formulas(mean="x", square="x^2", inverse="1/x"), "high": above("x", 2.0)}, {"length": 1000}, domain="half",
                     initial={"x": {"mean": 1.0, "std": 0.1}})


def underdamped():
    parameters = {"a": 1.0, "b": 1.5, "gamma": 0.6, "T": 0.4}
    solver = Gibbs(list(parameters), ["x", "v"], "(a*x^4/4 - b*x^2/2 + v^2/2)/T", np.array(list(parameters.values())))
    tests = {**formulas(square="x^2", kinetic="v^2", fourth="x^4"), "right": above("x", 0.8)}
    return problem_of("underdamped", parameters, {"x": "v", "v": "b*x - a*x^3 - gamma*v"}, {"v": "sqrt(2*gamma*T)"}, tests, solver, {"length": 1000})


def rotated():
    """A quartic potential whose gradient is rotated: w leaves the density unchanged."""
    parameters = {"a": 1.0, "b": 0.6, "c": 0.5, "w": 1.0, "s": 0.9}
    slope = {"x": "(a*x^3 + c*y)", "y": "(b*y^3 + c*x)"}
    solver = Gibbs(list(parameters), ["x", "y"], "2*(a*x^4/4 + b*y^4/4 + c*x*y)/s^2", np.array(list(parameters.values())))
    tests = {**formulas(xx="x^2", yy="y^2", xy="x*y"), "both": Observable("x > 0.4 and y < 0", {"x": [0.4], "y": [0.0]})}
    return problem_of("rotated", parameters, {"x": f"-{slope['x']} + w*{slope['y']}", "y": f"-{slope['y']} - w*{slope['x']}"}, {"x": "s", "y": "s"}, tests,
                      solver, {"length": 500})


def chain():
    """A loop of three states, of which one has noise."""
    parameters = {"a": 1.0, "f": 0.8, "k": 0.8, "s": 0.7}
    drift, diffusion = {"x": "-a*x - f*z", "y": "k*(x - y)", "z": "k*(y - z)"}, {"x": "s"}
    solver = Linear(list(parameters), list(drift), drift, diffusion, dict(zip("xyz", np.eye(3))))
    return problem_of("chain", parameters, drift, diffusion, {**formulas(xx="x^2", zz="z^2", xz="x*z"), "high": above("z", 0.3)}, solver, {"length": 500})


def linear_ring(kind, size, noises, simulation):
    parameters = {"a": 1.0, "nu": 0.5, "s": 0.8}
    drift = "-a*u[k] + nu*(u[k+1] - 2*u[k] + u[k-1])"
    tests = {**formulas(variance="x^2", neighbours="x*y", fourth="x^4"), "high": above("x", 0.6)}
    shown = formulas(variance="mean(k, u[k]^2)", neighbours="mean(k, u[k]*u[k+1])", fourth="mean(k, u[k]^4)", high="mean(k, u[k] > 0.6)")
    solver = GaussianRing(list(parameters), size, drift, noises, 1)
    return problem_of(kind, parameters, {"u": drift}, {"u": noises}, tests, solver, simulation, ["u[k]"], shown=shown, sites={"k": size}, dimension=size)


def conserved_ring():
    """The noise is the divergence of noises on bonds: the sum over all sites has none, and decays."""
    return linear_ring("conserved-ring", 16, {"w[k]": "s", "w[k-1]": "-s"}, {"length": 200})


def ring():
    return linear_ring("ring", 64, {"w[k]": "s"}, {"dt": 0.02, "length": 40})


MODELS = {"bistable": bistable, "schloegl": schloegl, "square-root": square_root, "wright-fisher": wright_fisher, "heavy-tail": heavy_tail,
          "underdamped": underdamped, "rotated": rotated, "chain": chain, "conserved-ring": conserved_ring, "ring": ring}


@cache
def fixed_problem(name):
    """A model and its exact answer."""
    with np.errstate(all="ignore"):
        problem = MODELS[name]()
        return problem, exact_answer(problem.solver, problem.theta(), problem.columns())
