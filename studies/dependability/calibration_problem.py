"""Problems of the calibration study: a model, targets from its exact statistics, and two guesses from different sides."""

import copy
import re
from dataclasses import dataclass

import numpy as np

from calibration import Objective
from exact.answer import exact_answer, parameter_scales
from exact.redundant import Redundant
from generate import FAMILIES, random_of
from problem import Parameter, Unsuitable, rounded
from settings import DEFAULT_DT, choose_settings

WORK = 4.0e6                       # of one full-length run, see settings.py
LARGEST = 1.2e4                    # steps per slowest relaxation time, times (state variables + 2): pilot runs cost that much
SHORTEST, LONGEST = 5.0, 2000.0    # length of a member, in slowest relaxation times
FARTHEST = 3.0                     # of the exact minimum from the truth, in sizes of the parameters
STD = (0.01, 0.12)                 # of targets, in standard deviations of the observables
PROBABILITIES = ("above", "below", "between", "outside", "both", "either")


@dataclass
class Calibration:
    problems: list                 # one per guess
    solver: object
    theta: np.ndarray              # all parameters, at the truth
    free: list                     # indices of the parameters to be found
    rows: list                     # indices of observables with targets
    value: np.ndarray
    std: np.ndarray
    priors: dict                   # index -> (mean, std)
    lower: np.ndarray              # of the free parameters
    upper: np.ndarray
    noisy: bool
    start: np.ndarray = None       # free parameters at the exact minimum for targets without simulation noise


def calibration_problem(family, seed):
    for attempt in range(300):
        random = random_of("calibrate " + family, seed, attempt)
        try:
            with np.errstate(all="ignore"):
                return draw(random, FAMILIES[family](random, seed))
        except Unsuitable as reason:
            last = reason
    raise RuntimeError(f"No suitable problem for {family} {seed}: {last}")


def draw(random, problem):
    if random.random() < 0.12:
        add_redundant(random, problem)
    names = problem.names
    count = min(len(names), int(random.choice([1, 2, 2, 3, 3, 4])))
    chosen = sorted(random.choice(len(names), count, replace=False))
    if "extra" in names and len(names) - 1 not in chosen:
        chosen[-1] = len(names) - 1
        chosen = sorted({*chosen, names.index(problem.notes["redundant"])})
    problem.free = [names[j] for j in chosen]
    choose_settings(random, problem, WORK, SHORTEST, LONGEST)
    if problem.times.slow / problem.simulation.get("dt", DEFAULT_DT) * (problem.dimension + 2) > LARGEST:
        raise Unsuitable("A calibration would cost too much.")
    theta = problem.theta()
    answer = exact_answer(problem.solver, theta, chosen)
    rows, value, std, noisy = draw_targets(random, problem, answer)
    whitened = answer.jacobian[rows] * parameter_scales(problem.solver, theta, 0.1)[chosen] / std[:, None]
    if np.linalg.svd(whitened, compute_uv=False)[0] < 5:
        raise Unsuitable("The targets determine nothing.")
    add_bounds(random, problem, chosen)
    priors = add_priors(random, problem, chosen, theta)
    problem.calibration["free"] = problem.free
    problem.notes.update(parameters=len(chosen), targets=len(rows), noisy=noisy, priors=len(priors))
    limits = [[getattr(problem.parameters[name], side) for name in problem.free] for side in ("lower", "upper")]
    lower = np.array([-np.inf if bound is None else bound for bound in limits[0]])
    upper = np.array([np.inf if bound is None else bound for bound in limits[1]])
    guesses = draw_guesses(random, problem, theta, chosen, lower, upper)
    problems = []
    for guess in guesses:
        one = copy.copy(problem)
        one.parameters = {name: copy.copy(parameter) for name, parameter in problem.parameters.items()}
        for j in chosen:
            one.parameters[names[j]].value = float(guess[j])
        problems.append(one)
    case = Calibration(problems, problem.solver, theta, chosen, rows, value, std, priors, lower, upper, noisy)
    minimum = Objective(case).minimum(theta[chosen])
    if minimum is None or len(minimum.directions) == 0:
        raise Unsuitable("The exact minimum cannot be found, or no direction is determined there.")
    if np.any(np.abs(minimum.parameters - theta[chosen]) > FARTHEST * parameter_scales(problem.solver, theta, 0.1)[chosen]):
        raise Unsuitable("The exact minimum is far away, or at infinity.")
    case.start = minimum.parameters
    return case


def add_redundant(random, problem):
    """Replaces a parameter by its product with a new one, in all formulas."""
    index = int(random.integers(len(problem.names)))
    name = problem.names[index]
    pattern = re.compile(rf"\b{name}\b")

    def replaced(entry):
        return {key: replaced(value) for key, value in entry.items()} if isinstance(entry, dict) else pattern.sub(f"({name}*extra)", entry)

    problem.drift, problem.diffusion, problem.formulas = map(replaced, (problem.drift, problem.diffusion, problem.formulas))
    for observable in problem.observables.values():
        observable.formula = pattern.sub(f"({name}*extra)", observable.formula)
    problem.parameters["extra"] = Parameter(1.0, 0.0)
    problem.solver = Redundant(problem.solver, index)
    problem.notes["redundant"] = name


def draw_targets(random, problem, answer):
    """More or fewer targets than parameters; exact values, or values with noise of the stated standard deviation."""
    usable = [i for i in range(len(problem.observables)) if answer.deviations[i] > 1e-6]
    if not usable:
        raise Unsuitable("No observable varies.")
    count = len(usable) if random.random() < 0.7 else int(random.integers(1, len(usable) + 1))
    rows = sorted(random.choice(usable, count, replace=False))
    std = np.array([rounded(answer.deviations[i] * np.exp(random.uniform(*np.log(STD))), 2) for i in rows])
    noisy = bool(random.random() < 0.6)
    value = answer.statistics[rows] + (std * random.normal(size=count) if noisy else 0.0)
    value = np.array([float(f"{v:.8g}") for v in value])
    names = list(problem.observables)
    if any(names[i].startswith(PROBABILITIES) and not 0 <= v <= 1 for i, v in zip(rows, value)):
        raise Unsuitable("A target is no probability.")
    problem.targets = {names[i]: {"value": float(v), "std": float(s)} for i, v, s in zip(rows, value, std)}
    return rows, value, std, noisy


def add_bounds(random, problem, chosen):
    for name in (problem.names[j] for j in chosen):
        parameter = problem.parameters[name]
        if random.random() < 0.15 and parameter.value > 0:
            parameter.upper = rounded(parameter.value * random.uniform(2.2, 5), 2)
            parameter.lower = 0.0 if random.random() < 0.7 else rounded(parameter.value * random.uniform(0.1, 0.4), 2)


def add_priors(random, problem, chosen, theta):
    priors = {}
    for j in chosen:
        if random.random() < 0.15:
            std = rounded(parameter_scales(problem.solver, theta, 0.1)[j] * random.uniform(0.05, 0.5), 2)
            priors[j] = (rounded(theta[j] + std * random.normal()), std)
    if priors:
        problem.calibration["priors"] = {problem.names[j]: {"mean": mean, "std": std} for j, (mean, std) in priors.items()}
    return priors


def draw_guesses(random, problem, theta, chosen, lower, upper):
    """Two guesses, each parameter up to a factor of two off, on opposite sides."""
    sides, scales = random.choice([-1.0, 1.0], len(chosen)), parameter_scales(problem.solver, 0 * theta, 0.1)
    guesses = []
    for sign in (1.0, -1.0):
        for _ in range(30):
            guess = theta.copy()
            for index, j in enumerate(chosen):
                share = sign * sides[index] * random.uniform(0.15, 1.0)
                moved = theta[j] * 2**share if abs(theta[j]) >= scales[j] else theta[j] + 3 * scales[j] * share
                guess[j] = rounded(moved)
                if not lower[index] < guess[j] < upper[index]:
                    guess[j] = rounded(0.7 * theta[j] + 0.3 * (lower[index] if moved <= lower[index] else upper[index]))
            if stationary(problem, guess):
                guesses.append(guess)
                break
        else:
            raise Unsuitable("No guess has a stationary distribution.")
    return guesses


def stationary(problem, theta):
    """Whether the exact statistics exist at these parameters and the model is not much slower there."""
    solver = problem.solver
    try:
        if hasattr(solver, "exists"):
            return solver.exists(theta)
        if hasattr(solver, "prepare"):
            solver.prepare(theta)
        finite = np.all(np.isfinite(solver.statistics(theta, 0))) and np.all(np.isfinite(solver.deviations(theta)))
        slow = solver.times(theta).slow if hasattr(solver, "times") else problem.times.slow
        return bool(finite) and slow < 10 * problem.times.slow
    except (Unsuitable, np.linalg.LinAlgError):
        return False
    finally:
        if hasattr(solver, "prepare"):
            solver.prepare(problem.theta())
