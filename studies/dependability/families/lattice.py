"""Rings with exact answers: Gaussian rings by Fourier transform, φ⁴ rings by a transfer matrix."""

import numpy as np
from scipy.stats import norm

from exact.rings import GaussianRing
from exact.transfer_matrix import TransferMatrix
from observables import Coordinate, Observable, random_observables, substituted
from problem import Parameter, Problem, TimeScales, Unsuitable, loguniform, rounded


def ring_size(random):
    return int(np.exp(random.uniform(np.log(4), np.log(48))))


def shown(observables, neighbour):
    """Means over sites of formulas of x and y; formulas of M as they are."""
    texts = {"x": "X[k]", "y": neighbour, "M": "mean(k, X[k])", "M2": "mean(k, X[k])^2"}
    single = {name: o for name, o in observables.items() if o.formula.find("M") >= 0}
    return {name: (substituted({name: o}, texts) if name in single else substituted({name: o}, texts, "mean(k, {})"))[name]
            for name, o in observables.items()}


def parameters_of(random, p, bounded):
    return {name: Parameter(rounded(value), 0.0 if name in bounded and random.random() < 0.7 else None) for name, value in p.items()}


def gaussian(random, seed):
    size = ring_size(random)
    p = {"F": random.uniform(-1, 1), "a": random.uniform(0.5, 1.5), "c": random.uniform(0.1, 1.0), "s": loguniform(random, 0.4, 1.2)}
    drift, noises = "F - a*X[k] + c*(X[k+1] - 2*X[k] + X[k-1])", {"w[k]": "s"}
    if random.random() < 0.4:
        p["u"], drift = random.uniform(-1, 1), drift + " + u*(X[k-1] - X[k+1])"
    if random.random() < 0.3:
        p["r"], noises["w[k+1]"] = random.uniform(-0.5, 0.5), "r"
    if random.random() < 0.3:
        p["g"], noises["common"] = random.uniform(0.1, 0.5), "g"
    parameters = parameters_of(random, p, {"a", "c", "s"})
    theta = np.array([parameter.value for parameter in parameters.values()])
    distance = int(random.choice([1, 2]))
    solver = GaussianRing(list(parameters), size, drift, noises, distance)
    mean, covariance = solver.gaussian(theta)
    law = lambda i: (lambda q: mean + np.sqrt(covariance[i, i]) * norm.ppf(q))
    labels = {"x": "", "y": "next", "M": "whole"}
    sites = [Coordinate(name, law("xyM".index(name)), label=labels[name] or "site") for name in "xy"]
    observables = random_observables(random, sites, int(random.integers(2, 6)), parameters)
    if random.random() < 0.4:
        observables.update(random_observables(random, [Coordinate("M", law(2), 2, label="whole")], 1))
    solver.set_observables(observables)
    diffusion = {"X": "s" if list(noises) == ["w[k]"] else noises}
    return Problem("lattice", "gaussian", seed, ["X[k]"], parameters, {"X": drift}, diffusion, shown(observables, f"X[k+{distance}]"), solver,
                   solver.times(theta), sites={"k": size}, dimension=size)


def quartic(random, seed):
    """dX = −G dt + q (G[k+1] − G[k−1]) dt + σ dW with G = ∂V/∂X: the second term leaves exp(−2V/σ²) unchanged."""
    size = ring_size(random)
    p = {"a": random.uniform(0.5, 1.5), "b": random.uniform(-0.8, 1.2), "c": random.uniform(0.1, 1.0), "sigma": loguniform(random, 0.6, 1.4)}
    gradient = "a*X[k]^3 - b*X[k] + c*(2*X[k] - X[k-1] - X[k+1])"
    site = "2*(a*x^4/4 - b*x^2/2)/sigma^2"
    if random.random() < 0.5:
        p["h"] = random.uniform(-0.4, 0.4)
        gradient, site = gradient + " - h", "2*(a*x^4/4 - b*x^2/2 - h*x)/sigma^2"
    formulas, drift = {}, f"-({gradient})"
    if random.random() < 0.3:
        p["q"] = random.uniform(-0.5, 0.5)
        formulas, drift = {"G[k]": gradient}, "-G[k] + q*(G[k+1] - G[k-1])"
    parameters = parameters_of(random, p, {"a", "c", "sigma"})
    theta = np.array([parameter.value for parameter in parameters.values()])
    solver = TransferMatrix(list(parameters), size, site, "c*(x - y)^2/sigma^2", theta)
    quantile = lambda probability: float(solver.quantiles(theta, [probability])[0])
    sites = [Coordinate("x", quantile, label="site"), Coordinate("y", quantile, label="next")]
    observables = random_observables(random, sites, int(random.integers(2, 6)), parameters)
    if random.random() < 0.3:
        observables["whole"] = Observable("M2")
    solver.set_observables(observables)
    values = dict(zip(parameters, theta))
    _, _, joint, whole = solver.pair(theta, 1)
    nodes = solver.pair(theta, 1)[0].ravel()
    one = joint.sum(axis=1)
    mean = np.sum(one * nodes)
    slow = 2 * size * max(whole - mean**2, 1e-12) / values["sigma"] ** 2
    curvature = 3 * values["a"] * np.sum(one * nodes**2) + abs(values["b"]) + 4 * values["c"]
    fast = 1 / (curvature * np.hypot(1, 2 * values.get("q", 0.0)))
    if slow / fast > 500:
        raise Unsuitable("The ring is too slow.")
    return Problem("lattice", "quartic", seed, ["X[k]"], parameters, {"X": drift}, {"X": "sigma"}, shown(observables, "X[k+1]"), solver,
                   TimeScales(max(slow, fast), fast), sites={"k": size}, dimension=size, formulas=formulas)


def generate(random, seed):
    return (gaussian if random.random() < 0.5 else quartic)(random, seed)
