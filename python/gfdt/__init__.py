"""Calibration of stochastic models by the generalized fluctuation-dissipation theorem.

>>> import gfdt
>>> x = gfdt.state("x")
>>> a, s = gfdt.parameter("a", 1.0, lower=0), gfdt.parameter("s", 1.0, lower=0)
>>> problem = gfdt.Problem(drift={x: -a*x}, diffusion={x: s}, observables={"variance": x**2},
...                        simulation={"dt": 0.02, "members": 16, "length": 400})
>>> S = gfdt.jacobian(problem)
>>> S.jacobian.shape
(1, 2)
"""

from ._document import Result
from ._formulas import (
    Formula,
    Parameter,
    State,
    atan,
    cos,
    cosh,
    equal,
    erf,
    exp,
    formula,
    log,
    maximum,
    minimum,
    parameter,
    sign,
    sin,
    sinh,
    sqrt,
    state,
    tan,
    tanh,
)
from ._gfdt import Error, InputError, version
from ._problem import Problem, loads, read
from ._results import Calibration, Jacobian, Response, Simulation
from ._score import Score
from ._tasks import calibrate, jacobian, read_score, report, response, score, simulate

__version__ = version()

__all__ = [
    "Calibration", "Error", "Formula", "InputError", "Jacobian", "Parameter", "Problem", "Response", "Result", "Score",
    "Simulation", "State", "atan", "calibrate", "cos", "cosh", "equal", "erf", "exp", "formula", "jacobian", "loads",
    "log", "maximum", "minimum", "parameter", "read", "read_score", "report", "response", "score", "sign", "simulate", "sin",
    "sinh", "sqrt", "state", "tan", "tanh", "version",
]  # fmt: skip
