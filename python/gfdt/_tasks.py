"""The computations, one function each. All of them release the interpreter, and Ctrl-C stops them."""

from __future__ import annotations

import os
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _gfdt, _progress
from ._gfdt import Error
from ._problem import Problem, as_problem, read
from ._results import Calibration, Jacobian, Response, Simulation
from ._score import Score

ProblemLike = Union[Problem, str, os.PathLike]
Functions = Optional[Mapping[str, Callable[[Any], Any]]]
ScoreLike = Union[str, os.PathLike, Score, Callable[[Any], Any], None]
Progress = Union[bool, Callable[[str, float], None]]


@contextmanager
def _settings(command: str, seed: Optional[int], threads: Optional[int], backend: str, progress: Progress) -> Iterator[_gfdt.Settings]:
    if seed is not None and not 0 <= seed < 2**64:
        raise Error(f"'{seed}' is not a whole number from 0 to 2^64 - 1.")
    listening = _progress.listener(progress)
    try:
        yield _gfdt.Settings(seed, threads, backend, listening, f"Python: gfdt.{command}")
    finally:
        _progress.clear(listening)


def _functions(observables: Functions, problem: Problem) -> List[Tuple[str, Callable[[Any], Any]]]:
    functions = list((observables or {}).items())
    for name, function in functions:
        if not callable(function):
            raise Error(f"The observable '{name}' must be a function here; formulas stand in the problem.")
        if name in problem.observables:
            raise Error(f"The problem has an observable '{name}' already.")
    return functions


def _given(score: Any, derivative: Any) -> Any:
    """A score as the library takes it: nothing, a name, a Score, or a pair of functions."""
    if isinstance(score, Score):
        return score._score
    if callable(score):
        return (score, derivative)
    if derivative is not None:
        raise Error("A derivative belongs to a score that is given as a function.")
    return os.fspath(score) if isinstance(score, os.PathLike) else score


def _check_place(file: Union[str, os.PathLike]) -> None:
    """Before a computation: that its file can be written where it is to be."""
    folder = os.path.dirname(os.path.abspath(file))
    if not os.path.isdir(folder):
        raise Error(f"There is no folder '{folder}' for '{os.fspath(file)}': make it first.")
    if os.path.isdir(file):
        raise Error(f"'{os.fspath(file)}' is a folder: give the name of a file.")
    if not os.access(file if os.path.exists(file) else folder, os.W_OK):
        raise Error(f"'{os.fspath(file)}' cannot be written: its place is read-only for you.")


def simulate(
    problem: ProblemLike,
    *,
    trajectory: Union[bool, str, os.PathLike] = False,
    observables: Functions = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    backend: str = "auto",
    progress: Progress = False,
) -> Simulation:
    """Runs the model: averages of the observables with error bars.

    `trajectory=True` keeps the states, `result.states`, (members, times, components); the name of a file, .nc or
    .csv, writes them there. `observables` are functions of states (n, components) that give n numbers each;
    their averages stand behind those of the problem's own. A control variate reduces the variance of
    averages if possible (not with `response={"control_variate": False}` in the problem); `result.plain_statistics` are those without.

    >>> x = state("x")
    >>> problem = Problem(drift={x: -x}, diffusion={x: 1}, observables={"variance": x**2},
    ...                   simulation={"dt": 0.02, "members": 16, "length": 200})
    >>> result = simulate(problem, observables={"tail": lambda states: abs(states[:, 0]) > 1})
    >>> result.observables
    ['variance', 'tail']
    >>> bool(abs(result["variance"] - 0.5) < 5 * result.statistics_error[0])
    True
    """
    problem = as_problem(problem)
    keep = trajectory is True
    file = os.fspath(trajectory) if not isinstance(trajectory, bool) else ""
    functions = _functions(observables, problem)
    with _settings("simulate", seed, threads, backend, progress) as settings:
        found = _gfdt.simulate(problem._native, settings, keep, file, functions)
    return Simulation(found, problem)._warned()


def score(
    problem: ProblemLike,
    method: str = "",
    *,
    start: Optional[Score] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    backend: str = "auto",
    progress: Progress = False,
) -> Score:
    """Fits the score of the model's invariant density and certifies it on a second run.

    >>> x = state("x")
    >>> problem = Problem(drift={x: -x}, diffusion={x: 1},
    ...                   simulation={"dt": 0.02, "members": 16, "length": 400})
    >>> s = score(problem, "gaussian")
    >>> s([[0.0], [1.0]]).shape
    (2, 1)
    """
    problem = as_problem(problem)
    with _settings("score", seed, threads, backend, progress) as settings:
        found, field = _gfdt.score(problem._native, settings, method, start._score if start else None)
    return Score(found, field, problem)._warned()


def read_score(file: Union[str, os.PathLike], problem: ProblemLike) -> Score:
    """Reads a score file; it must be of this model and its parameters."""
    problem = as_problem(problem)
    return Score(None, _gfdt.read_score(os.fspath(file), problem._native), problem)._warned()


def jacobian(
    problem: ProblemLike,
    method: str = "",
    *,
    score: ScoreLike = None,
    derivative: Optional[Callable[[Any, Any], Any]] = None,
    parameters: Sequence[str] = (),
    window: Optional[Tuple[float, float]] = None,
    trajectory: Any = None,
    interval: Optional[float] = None,
    save: Union[str, os.PathLike, None] = None,
    observables: Functions = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    backend: str = "auto",
    progress: Progress = False,
) -> Jacobian:
    """Derivatives of all statistics with respect to the parameters, with error bars, from one run.

    `method` is auto (each column by what suits it; `result.method` and `result.remark` describe the choice), gfdt,
    control-variate, likelihood-ratio or finite-difference; that of the problem when left out. A score asks for
    gfdt. `score` is a method of scores, a score file, what `gfdt.score` gave, or
    a function of states (n, components) that gives the score there; parameters of the noise need its
    `derivative` as well, a function of states and directions. `trajectory` holds the states of another program
    instead of a run: a file, or an array (members, times, components) with the `interval` between times.
    `save` keeps the fitted score in a file. `observables` are functions of states (n, components) that give n
    numbers each; their rows stand behind those of the problem's own.

    >>> x, a = state("x"), parameter("a", 1.0)
    >>> problem = Problem(drift={x: -a*x}, diffusion={x: 1}, observables={"variance": x**2},
    ...                   simulation={"dt": 0.02, "members": 16, "length": 400})
    >>> S = jacobian(problem)
    >>> bool(abs(S["variance", "a"] + 0.5) < 0.1)
    True
    """
    problem = as_problem(problem)
    given = _given(score, derivative)
    recorded: Any = os.fspath(trajectory) if isinstance(trajectory, os.PathLike) else trajectory
    if trajectory is not None and not isinstance(recorded, str) and interval is None:
        raise Error("An array of states needs the interval between its times.")
    if save:
        _check_place(save)
    with _settings("jacobian", seed, threads, backend, progress) as settings:
        found = _gfdt.jacobian(
            problem._native, settings, method, given, [str(name) for name in parameters], window, recorded,
            interval or 0.0, os.fspath(save or ""), _functions(observables, problem),
        )  # fmt: skip
    if save:
        if not found.kept_score:
            raise Error("No score was fitted that could be kept.")
        with open(save, "w", encoding="utf-8") as out:
            out.write(found.kept_score)
    return Jacobian(found, problem)._warned()


def response(
    problem: ProblemLike,
    parameter: Any = "",
    *,
    size: Optional[float] = None,
    forcing: Any = None,
    until: Optional[float] = None,
    score: ScoreLike = "",
    derivative: Optional[Callable[[Any, Any], Any]] = None,
    trajectory: Union[str, os.PathLike] = "",
    transient: bool = False,
    check: bool = False,
    observables: Functions = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    backend: str = "auto",
    progress: Progress = False,
) -> Response:
    """Responses of the statistics in time: kernels of all parameters, or the answer to a change of one.

    The change is a step of `size` (1) at time 0, or `forcing`, a pair (times, values). `check` runs it as well.
    `score` and its `derivative`, and `observables` are as for `gfdt.jacobian`.

    >>> x, a = state("x"), parameter("a", 1.0)
    >>> problem = Problem(drift={x: -a*x}, diffusion={x: 1}, observables={"variance": x**2},
    ...                   simulation={"dt": 0.02, "members": 16, "length": 400})
    >>> result = response(problem, "a", size=0.1, until=2)
    >>> result.response.shape == (1, len(result.time))
    True
    """
    problem = as_problem(problem)
    series = None
    if forcing is not None:
        times, values = forcing
        series = ([float(t) for t in times], [float(v) for v in values])
    with _settings("response", seed, threads, backend, progress) as settings:
        found = _gfdt.response(
            problem._native, settings, str(parameter), size, series, until, _given(score or "", derivative),
            os.fspath(trajectory), transient, check, _functions(observables, problem),
        )  # fmt: skip
    return Response(found, problem)._warned()


def calibrate(
    problem: ProblemLike,
    method: str = "",
    *,
    out: Union[str, os.PathLike, None] = None,
    resume: bool = False,
    overwrite: bool = False,
    observer: Optional[Callable[[Calibration], Any]] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    backend: str = "auto",
    progress: Progress = False,
) -> Calibration:
    """Finds the parameters whose long-run statistics are those of the targets.

    `out` is a folder that keeps everything, with a page of it, `report.html`; `resume=True` resumes the run in it
    with a bit-identical result; `overwrite=True` deletes that run and starts again.
    `observer` is called after every iteration with the calibration so far.

    >>> x, a = state("x"), parameter("a", 1.0, lower=0)
    >>> problem = Problem(drift={x: -a*x}, diffusion={x: 1}, observables={"variance": x**2},
    ...                   targets={"variance": (0.4, 0.01)}, simulation={"dt": 0.02, "members": 16, "length": 200})
    >>> answer = calibrate(problem)
    >>> bool(abs(answer["a"] - 1.25) < 5 * answer.parameters_error["a"])
    True
    """
    problem = as_problem(problem)
    watching = None if observer is None else lambda found: observer(Calibration(found, problem))
    with _settings("calibrate", seed, threads, backend, progress) as settings:
        found = _gfdt.calibrate(problem._native, settings, method, os.fspath(out or ""), resume, overwrite, watching)
    if out:
        try:
            report(out)
        except Exception as error:  # the answer itself is not to be lost
            warnings.warn(f"There is no report page. {error}", RuntimeWarning, stacklevel=2)
    return Calibration(found, problem)._warned()


def report(folder: Union[str, os.PathLike], output: Union[str, os.PathLike, None] = None) -> Path:
    """Makes one page of figures and tables, that opens offline, from the folder of a run; `report.html` in the folder
    unless `output` says where else. Returns where it is. The `report` of a result does the same without a folder.
    """
    return Path(_gfdt.report(os.fspath(folder), os.fspath(output or "")))
