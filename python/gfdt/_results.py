"""What computations give. Attributes are called like the keys of the JSON that the command writes."""

from __future__ import annotations

import html
import json
import math
import os
import tempfile
import warnings
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Union

import numpy as np

from . import _gfdt
from ._gfdt import Error
from ._problem import Problem

_Rows = List[List[str]]
_STATISTICS = ("statistics", "statistics_error", "plain_statistics", "plain_statistics_error", "standard_deviation")


def with_error(value: Any, error: Any) -> str:
    """A number with the standard error of its last digits in parentheses: 0.502(12)."""
    return _gfdt.with_error(math.nan if value is None else value, math.inf if error is None else error)


def _array(values: Any) -> np.ndarray:
    """Lists of numbers as a read-only array, NaN where there is none; ragged lists are filled up with NaN."""
    array = _filled(values)
    array.flags.writeable = False
    return array


def _filled(values: Any) -> np.ndarray:
    if not isinstance(values, list):
        return np.array(math.nan if values is None else float(values))
    parts = [_filled(value) for value in values]
    if not parts:
        return np.empty(0)
    shape = tuple(max(sizes) for sizes in zip(*(part.shape for part in parts)))
    array = np.full((len(parts), *shape), math.nan)
    for i, part in enumerate(parts):
        array[(i, *(slice(size) for size in part.shape))] = part
    return array


class Result:
    """The document of a computation, with its arrays.

    Arrays are read-only views of memory that the computation has filled. `to_dict()` gives the object that the
    command writes with --json.
    """

    status: str
    _file = ""  # that the command keeps it in

    def __init__(self, native: _gfdt.Result, problem: Problem) -> None:
        self._native = native
        self._document: Optional[Dict[str, Any]] = None
        self.problem = problem

    def to_dict(self) -> Dict[str, Any]:
        """The object that the command writes with --json."""
        return json.loads(self._native.document)

    def _known(self) -> Dict[str, Any]:
        if self._document is None:
            self._document = self.to_dict()
        return self._document

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._native.names:
            return self._native.array(name)
        if name in self._known():
            return self._known()[name]
        raise AttributeError(f"This {type(self).__name__.lower()} has no '{name}'; it has {', '.join(sorted(self.__dir__()))}.")

    def __dir__(self) -> List[str]:
        own = [name for name in object.__dir__(self) if not name.startswith("_")]
        return sorted({*own, *self._native.names, *self._known()})

    @property
    def usable(self) -> bool:
        """Whether the numbers can be used; if not, `problems` says why."""
        return self._native.usable

    @property
    def problems(self) -> List[str]:
        """What checks have found, a sentence or two each; empty when nothing."""
        return [f"{f['check']}: {f['verdict']} {f['advice']}".strip() for f in self._known().get("findings", []) if not f["passed"]]

    def _warned(self) -> Any:
        """Itself, after a warning where its numbers cannot be used."""
        if not self.usable:
            warnings.warn(" ".join([self._title(), *self.problems]), RuntimeWarning, stacklevel=3)
        return self

    def report(self, file: Union[str, os.PathLike]) -> Path:
        """Writes one page of figures and tables, that opens offline. Returns where it is."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / self._file).write_text(self._kept(), encoding="utf-8")
            return Path(_gfdt.report(folder, os.fspath(file)))

    def _kept(self) -> str:
        """The text of `_file`."""
        return self._native.document

    def to_xarray(self) -> Any:
        """The arrays as an xarray.Dataset with named dimensions."""
        try:
            import xarray
        except ImportError:
            raise Error("to_xarray needs the package xarray: pip install xarray.") from None
        variables, coordinates = self._labelled()
        attributes = {k: v for k, v in self._known().items() if isinstance(v, (str, int, float))}
        return xarray.Dataset(variables, coordinates, attributes)

    def _labelled(self) -> Any:
        raise NotImplementedError

    def _title(self) -> str:
        return f"{type(self).__name__}: {self._known()['status']}"

    def _table(self) -> _Rows:
        """Rows of text, the heading first."""
        raise NotImplementedError

    def __repr__(self) -> str:
        rows = self._table()
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        lines = ["  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]) for row in rows]
        return "\n".join([self._title(), *(line.rstrip() for line in lines), *("! " + text for text in self.problems)])

    def _repr_html_(self) -> str:
        heading, *rows = self._table()
        head = "".join(f"<th>{html.escape(cell)}</th>" for cell in heading)
        body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        remarks = "".join(f"<p>✗ {html.escape(text)}</p>" for text in self.problems)
        return f"<p><b>{html.escape(self._title())}</b></p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{remarks}"


class Simulation(Result):
    """Averages of the observables with error bars: `observables`, `statistics`, `statistics_error`,
    `standard_deviation`, `autocorrelation_time`, `effective_samples`, `statistics_covariance`; and `states`,
    (members, times, components), and `time` where they were asked for. `plain_statistics` and
    `plain_statistics_error` are the averages as they were before a control variate took noise off them."""

    _file = "simulate.json"

    observables: List[str]
    statistics: np.ndarray
    statistics_error: np.ndarray
    plain_statistics: np.ndarray
    plain_statistics_error: np.ndarray
    standard_deviation: np.ndarray
    autocorrelation_time: np.ndarray
    effective_samples: np.ndarray
    statistics_covariance: np.ndarray
    states: np.ndarray

    def __getitem__(self, observable: str) -> float:
        return float(self.statistics[_position(self.observables, observable)])

    @property
    def time(self) -> np.ndarray:
        """Times of the states, from the end of the burn-in."""
        run = self.problem.simulation
        return np.arange(1, self.states.shape[1] + 1) * run["dt"] * run["cadence"]

    def _labelled(self) -> Any:
        names = [*_STATISTICS, "autocorrelation_time", "effective_samples"]
        variables: Dict[str, Any] = {name: ("observable", self._native.array(name)) for name in names}
        coordinates: Dict[str, Any] = {"observable": self.observables}
        if "states" in self._native.names:
            variables["states"] = (("member", "time", "component"), self.states)
            coordinates.update(time=self.time, component=self.problem.components)
        return variables, coordinates

    def _table(self) -> _Rows:
        rows = [["observable", "mean(std error)", "std", "autocorrelation time"]]
        for m, name in enumerate(self.observables):
            rows.append([name, with_error(self.statistics[m], self.statistics_error[m]), f"{self.standard_deviation[m]:.4g}", f"{self.autocorrelation_time[m]:.3g}"])
        return rows


class Jacobian(Result):
    """Derivatives of the statistics by the parameters: `observables`, `parameters`, `jacobian` (rows are
    observables), `jacobian_error`, `score_error`, `statistics`, `statistics_error`, `statistics_covariance`,
    `plain_statistics`, `plain_statistics_error`, `method` and `remark` (one a column), `window`.
    `result["variance", "alpha"]` is one entry."""

    _file = "jacobian.json"

    observables: List[str]
    parameters: List[str]
    method: List[str]
    remark: List[str]
    jacobian: np.ndarray
    jacobian_error: np.ndarray
    score_error: np.ndarray
    statistics: np.ndarray
    statistics_error: np.ndarray
    plain_statistics: np.ndarray
    plain_statistics_error: np.ndarray
    statistics_covariance: np.ndarray

    def __getitem__(self, entry: Any) -> float:
        observable, parameter = entry
        return float(self.jacobian[_position(self.observables, observable), _position(self.parameters, parameter)])

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        return np.array(self.jacobian, dtype=dtype) if copy else np.asarray(self.jacobian, dtype=dtype)

    def _labelled(self) -> Any:
        variables: Dict[str, Any] = {name: (("observable", "parameter"), self._native.array(name)) for name in ("jacobian", "jacobian_error", "score_error")}
        variables.update({name: ("observable", self._native.array(name)) for name in _STATISTICS})
        return variables, {"observable": self.observables, "parameter": self.parameters}

    def _title(self) -> str:
        return f"Jacobian by {self._known()['name']}: {self._known()['status']}"

    def _table(self) -> _Rows:
        rows = [["", "mean", *(f"per {name}" for name in self.parameters)]]
        for m, name in enumerate(self.observables):
            entries = zip(self.jacobian[m], self.jacobian_error[m])
            rows.append([f"<{name}>", with_error(self.statistics[m], self.statistics_error[m]), *(with_error(v, e) for v, e in entries)])
        return rows


class Response(Result):
    """Responses of the statistics in time: `observables`, `time`; of one `parameter` the `forcing`, `response`,
    `kernel` and `step_response`, (observables, times); of all `parameters` `kernel` and `step_response`,
    (observables, parameters, times). Each has its error, `response_error`; `check` is a perturbed ensemble."""

    _file = "response.json"

    observables: List[str]
    parameter: str
    parameters: List[str]
    time: np.ndarray
    forcing: np.ndarray
    response: np.ndarray
    response_error: np.ndarray
    kernel: np.ndarray
    kernel_error: np.ndarray
    step_response: np.ndarray
    step_response_error: np.ndarray

    _arrays = ("time", "forcing", "response", "kernel", "step_response", "check", "mean")

    def __getattr__(self, name: str) -> Any:
        known = super().__getattr__(name)
        return _array(known) if name in self._arrays or name.removesuffix("_error") in self._arrays else known

    def _labelled(self) -> Any:
        axes = {1: ("time",), 2: ("observable", "time"), 3: ("observable", "parameter", "time")}
        transient = "mean" in self._known()
        if transient and "parameter" in self._known():
            axes[3] = ("observable", "time", "earlier")
        variables: Dict[str, Any] = {}
        for name in self._known():
            if name != "time" and name.removesuffix("_error") in self._arrays:
                values = getattr(self, name)
                variables[name] = (axes[values.ndim], values)
        coordinates: Dict[str, Any] = {"observable": self.observables, "time": self.time}
        if "parameters" in self._known():
            coordinates["parameter"] = self.parameters
        return variables, coordinates

    def _table(self) -> _Rows:
        known = self._known()
        if "time" not in known:
            return [["observable"], *([name] for name in self.observables)]
        if "parameter" in known:
            step = max(1, len(known["time"]) // 20)
            rows = [["time", f"δ{known['parameter']}", *(f"δ<{name}>" for name in self.observables)]]
            for i in range(0, len(known["time"]), step):
                cells = (with_error(self.response[m, i], self.response_error[m, i]) for m in range(len(self.observables)))
                rows.append([f"{self.time[i]:.4g}", f"{self.forcing[i]:.4g}", *cells])
            return rows
        rows = [["step response", *(f"per {name}" for name in self.parameters)]]
        for m, name in enumerate(self.observables):
            last = zip(self.step_response[m, :, -1], self.step_response_error[m, :, -1])
            rows.append([f"<{name}>", *(with_error(v, e) for v, e in last)])
        return rows


class Calibration(Result):
    """Parameters whose long-run statistics are those of the targets: `status`, `explanation`, `parameters` and
    `parameters_error` (dicts), `parameters_covariance`, `statistics`, `targets`, `mismatch`, `iterations`."""

    _file = "comparison.json"  # a result.json belongs to the folder of a run

    explanation: str
    parameters: Dict[str, float]
    parameters_error: Dict[str, Optional[float]]
    parameters_covariance: np.ndarray
    statistics: np.ndarray
    statistics_error: np.ndarray
    targets: Dict[str, Any]
    mismatch: float
    iterations: List[Dict[str, Any]]

    @property
    def converged(self) -> bool:
        """Whether what is left of the mismatch is within its noise, or the tolerance."""
        return bool(self._known()["converged"])

    def __getitem__(self, parameter: str) -> float:
        return float(self.parameters[_known_name(self.parameters, parameter)])

    @property
    def trace(self) -> np.ndarray:
        """The parameters of every iteration: (iterations, parameters)."""
        return _array([list(iteration["parameters"].values()) for iteration in self.iterations])

    def _labelled(self) -> Any:
        names = list(self.parameters)
        targets = self.targets
        variables: Dict[str, Any] = {
            "parameters": ("parameter", _array(list(self.parameters.values()))),
            "parameters_error": ("parameter", _array([self.parameters_error.get(name) for name in names])),
            "statistics": ("observable", self._native.array("statistics")),
            "statistics_error": ("observable", self._native.array("statistics_error")),
            "targets": ("observable", _array(targets["value"])),
            "trace": (("iteration", "parameter"), self.trace),
            "mismatch": ("iteration", _array([iteration["mismatch"] for iteration in self.iterations])),
        }
        if "parameters_covariance" in self._native.names:
            variables["parameters_covariance"] = (("parameter", "parameter_"), self._native.array("parameters_covariance"))
        return variables, {"parameter": names, "parameter_": names, "observable": targets["observables"]}

    def _kept(self) -> str:
        return f'{{"comparison": [{self._native.document}]}}'

    def _title(self) -> str:
        return f"Calibration: {self._known()['status']}. {self._known()['explanation']}"

    def _table(self) -> _Rows:
        first = self.iterations[0]["parameters"] if self.iterations else {}
        rows = [["parameter", "guess", "answer(std error)"]]
        for name, value in self.parameters.items():
            error = self.parameters_error.get(name)
            answer = with_error(value, error)
            rows.append([name, f"{first.get(name, math.nan):.6g}", answer])
        return rows


class Score(Result):
    """The gradient of the logarithm of the invariant density, fitted and certified. Call it with states
    (n, components) to get its values there: `status`, `method`, `certificate`, `description`."""

    _file = "score.json"

    certificate: Dict[str, Any]

    def __init__(self, native: Optional[_gfdt.Result], score: _gfdt.Score, problem: Problem) -> None:
        super().__init__(native or _NoDocument(score), problem)  # type: ignore[arg-type]
        self._score = score

    def __call__(self, states: Any) -> np.ndarray:
        """s at states (n, components), or at one state. Arrays of doubles are read where they lie."""
        states = np.asarray(states)
        return self._score.evaluate(states[np.newaxis])[0] if states.ndim == 1 else self._score.evaluate(states)

    def derivative(self, states: Any) -> np.ndarray:
        """The Jacobian ∇s at states (n, components): (n, components, components)."""
        states = np.asarray(states)
        return self._score.jacobian(states[np.newaxis])[0] if states.ndim == 1 else self._score.jacobian(states)

    @property
    def method(self) -> str:
        """How it was come by."""
        return self._score.method

    @property
    def description(self) -> str:
        """What it is, in a line."""
        return self._score.description

    def save(self, file: Any) -> None:
        """Keeps it in a file, for `gfdt.read_score` and `gfdt jacobian --score`."""
        with open(file, "w", encoding="utf-8") as out:
            out.write(self._score.text())

    def _labelled(self) -> Any:
        checks = self.certificate["checks"]
        return {"value": ("check", _array([c["value"] for c in checks]))}, {"check": [c["check"] for c in checks]}

    def _title(self) -> str:
        return f"Score by {self.method}: {self._known()['status']}. {self.description}"

    def _table(self) -> _Rows:
        rows = [["check", "off by", "tolerance", "verdict"]]
        for check in (self._known().get("certificate") or {}).get("checks", []):
            rows.append([check["check"], with_error(check["value"], check["standard_error"]), f"{check['tolerance']:g}", check["verdict"]])
        return rows


class _NoDocument:
    """Stands for the result of a score that was read from a file."""

    names: Sequence[str] = ()

    def __init__(self, score: _gfdt.Score) -> None:
        kept = json.loads(score.text())
        certificate = kept.get("certificate")
        status = certificate.get("verdict", "unknown") if isinstance(certificate, dict) else "unknown"
        self.usable = status != "failed"
        self.document = json.dumps({"status": status, "method": score.method, "certificate": certificate})


def _position(names: Sequence[str], name: str) -> int:
    _known_name(names, name)
    return list(names).index(name)


def _known_name(names: Any, name: str) -> str:
    if name not in names:
        raise KeyError(f"There is no '{name}' among {', '.join(names)}.")
    return name
