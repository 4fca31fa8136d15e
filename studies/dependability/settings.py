"""Random settings of the simulation: from hopelessly short runs to generous ones, with a bounded cost.

The time step is small against the fastest relaxation time, so that its bias does not decide an outcome, except in a few problems that are
marked as sloppy.
"""

import numpy as np

from problem import Unsuitable, rounded

SUITABLE = {"euler-maruyama": 0.02, "weak2": 0.05}   # dt over the fastest relaxation time
DEFAULT_DT, DEFAULT_MEMBERS, DEFAULT_LENGTH = 0.01, 100, 1000
WORK = 5.0e7                                         # member steps times (state variables + 2), at most
WORK_OF_PARAMETERS = 0.15                            # further work per parameter, for perturbed runs
SHORTEST, LONGEST = 1.5, 3000.0                      # length of a member, in slowest relaxation times


def choose_members(random):
    return DEFAULT_MEMBERS if random.random() < 0.7 else int(np.exp(random.uniform(np.log(16), np.log(400))))


def choose_step(random, scheme, fast, notes):
    """The default where it suits the model, else a number as a person would write it."""
    ratio = SUITABLE[scheme] * random.uniform(0.3, 1.0)
    if random.random() < 0.12:
        ratio = SUITABLE[scheme] * random.uniform(2, 4)
        notes["sloppy_dt"] = True
    elif DEFAULT_DT <= SUITABLE[scheme] * fast and DEFAULT_DT > 0.05 * SUITABLE[scheme] * fast and random.random() < 0.7:
        return DEFAULT_DT
    return rounded(ratio * fast, 1)


def choose_settings(random, problem, work=WORK, shortest=SHORTEST, longest=LONGEST):
    """Fills `simulation` and `notes`."""
    notes, simulation = problem.notes, {}
    scheme = str(random.choice(["euler-maruyama", "weak2"], p=[0.6, 0.4]))
    members = choose_members(random)
    dt = choose_step(random, scheme, problem.times.fast, notes)
    per_step = members * (problem.dimension + 2) * (1 + WORK_OF_PARAMETERS * len(problem.columns()))
    affordable = work / per_step * dt / problem.times.slow
    if affordable < 2 * shortest:
        members = 32
        affordable *= per_step / (members * (problem.dimension + 2) * (1 + WORK_OF_PARAMETERS * len(problem.columns())))
    if affordable < 2 * shortest:
        raise Unsuitable("A run of useful length would cost too much.")
    ratio = np.exp(random.uniform(np.log(shortest), np.log(min(longest, affordable))))
    length = rounded(max(ratio * problem.times.slow, 200 * dt), 2)
    simulation["length"] = int(length) if length == int(length) else length
    if dt != DEFAULT_DT:
        simulation["dt"] = dt
    if members != DEFAULT_MEMBERS:
        simulation["members"] = members
    if scheme != "euler-maruyama" or random.random() < 0.2:
        simulation["scheme"] = scheme
    if random.random() < 0.4:
        simulation["cadence"] = int(random.choice([2, 5, 10]))
    problem.simulation = simulation
    notes.update(length_over_slow=rounded(length / problem.times.slow), dt_over_fast=rounded(dt / problem.times.fast), scheme=scheme,
                 members=members, slow=rounded(problem.times.slow), fast=rounded(problem.times.fast))


def choose_free(random, problem):
    """All parameters, or now and then some of them."""
    names = problem.names
    if len(names) > 2 and random.random() < 0.3:
        count = int(random.integers(1, len(names)))
        chosen = set(random.choice(names, count, replace=False))
        problem.free = [name for name in names if name in chosen]
