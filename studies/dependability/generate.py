"""Problems of the Jacobian study: reproducible from (family, seed)."""

import zlib

import numpy as np

import families.gibbs
import families.lattice
import families.linear
import families.one_dimensional
import families.planar
import families.units
from exact.answer import exact_answer
from problem import Unsuitable
from settings import choose_free, choose_settings

FAMILIES = {"one-dimensional": families.one_dimensional.generate, "linear": families.linear.generate,
            "gibbs": families.gibbs.generate, "lattice": families.lattice.generate, "planar": families.planar.generate,
            "units": families.units.generate}


def random_of(family, seed, attempt):
    return np.random.default_rng([zlib.crc32(family.encode()), seed, attempt])


def jacobian_problem(family, seed):
    """A problem and its exact answer. Draws again until a model is suitable."""
    for attempt in range(200):
        random = random_of(family, seed, attempt)
        try:
            with np.errstate(all="ignore"):
                problem = FAMILIES[family](random, seed)
                choose_free(random, problem)
                choose_settings(random, problem)
                return problem, exact_answer(problem.solver, problem.theta(), problem.columns())
        except Unsuitable as reason:
            last = reason
    raise RuntimeError(f"No suitable problem for {family} {seed}: {last}")
