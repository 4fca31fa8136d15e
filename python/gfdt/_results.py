"""Results of computations. Attributes have the names of the keys of the JSON that the command writes."""

from __future__ import annotations

import math
from typing import Any, Dict, List, Optional

import numpy as np

from ._document import Result, Rows, array_of, known_name, position, with_error

_ENTRIES = ("jacobian", "jacobian_error", "sampling_error", "score_error")
_STATISTICS = ("statistics", "statistics_error", "plain_statistics", "plain_statistics_error", "standard_deviation")


class Simulation(Result):
    """Averages of the observables with error bars: `observables`, `statistics`, `statistics_error`,
    `standard_deviation`, `autocorrelation_time`, `effective_samples`, `statistics_covariance`; and `states`,
    (members, times, components), and `time` where they were asked for. `plain_statistics` and
    `plain_statistics_error` are the averages without control variate."""

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
        return float(self.statistics[position(self.observables, observable)])

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

    def _table(self) -> Rows:
        rows = [["observable", "mean(std error)", "std", "autocorrelation time"]]
        for m, name in enumerate(self.observables):
            rows.append([name, with_error(self.statistics[m], self.statistics_error[m]), f"{self.standard_deviation[m]:.4g}", f"{self.autocorrelation_time[m]:.3g}"])
        return rows


class Jacobian(Result):
    """Derivatives of the statistics with respect to the parameters: `observables`, `parameters`, `jacobian` (rows
    are observables), `jacobian_error`, `sampling_error` (the part of it that is sampling noise), `score_error`,
    `statistics`, `statistics_error`, `statistics_covariance`, `plain_statistics`, `plain_statistics_error`, `method`
    and `remark` (one per column), `window`.
    `result["variance", "alpha"]` is one entry."""

    _file = "jacobian.json"

    observables: List[str]
    parameters: List[str]
    method: List[str]
    remark: List[str]
    jacobian: np.ndarray
    jacobian_error: np.ndarray
    sampling_error: np.ndarray
    score_error: np.ndarray
    statistics: np.ndarray
    statistics_error: np.ndarray
    plain_statistics: np.ndarray
    plain_statistics_error: np.ndarray
    statistics_covariance: np.ndarray

    def __getitem__(self, entry: Any) -> float:
        observable, parameter = entry
        return float(self.jacobian[position(self.observables, observable), position(self.parameters, parameter)])

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        return np.array(self.jacobian, dtype=dtype) if copy else np.asarray(self.jacobian, dtype=dtype)

    def _labelled(self) -> Any:
        variables: Dict[str, Any] = {name: (("observable", "parameter"), self._native.array(name)) for name in _ENTRIES}
        variables.update({name: ("observable", self._native.array(name)) for name in _STATISTICS})
        return variables, {"observable": self.observables, "parameter": self.parameters}

    def _title(self) -> str:
        return f"Jacobian by {self._known()['name']}: {self._known()['status']}"

    def _table(self) -> Rows:
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
        return array_of(known) if name in self._arrays or name.removesuffix("_error") in self._arrays else known

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

    def _table(self) -> Rows:
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
        """Whether the parameters are at the minimum and noise explains the mismatch, or it is below the tolerance.

        False with the status 'simulation-noise': the standard errors hold, but another seed moves the answer.
        """
        return bool(self._known()["converged"])

    def __getitem__(self, parameter: str) -> float:
        return float(self.parameters[known_name(self.parameters, parameter)])

    @property
    def trace(self) -> np.ndarray:
        """The parameters of every iteration: (iterations, parameters)."""
        return array_of([list(iteration["parameters"].values()) for iteration in self.iterations])

    def _labelled(self) -> Any:
        names = list(self.parameters)
        targets = self.targets
        variables: Dict[str, Any] = {
            "parameters": ("parameter", array_of(list(self.parameters.values()))),
            "parameters_error": ("parameter", array_of([self.parameters_error.get(name) for name in names])),
            "statistics": ("observable", self._native.array("statistics")),
            "statistics_error": ("observable", self._native.array("statistics_error")),
            "targets": ("observable", array_of(targets["value"])),
            "trace": (("iteration", "parameter"), self.trace),
            "mismatch": ("iteration", array_of([iteration["mismatch"] for iteration in self.iterations])),
        }
        if "parameters_covariance" in self._native.names:
            variables["parameters_covariance"] = (("parameter", "parameter_"), self._native.array("parameters_covariance"))
        return variables, {"parameter": names, "parameter_": names, "observable": targets["observables"]}

    def _kept(self) -> str:
        return f'{{"comparison": [{self._native.document}]}}'

    def _title(self) -> str:
        return f"Calibration: {self._known()['status']}. {self._known()['explanation']}"

    def _table(self) -> Rows:
        first = self.iterations[0]["parameters"] if self.iterations else {}
        rows = [["parameter", "guess", "answer(std error)"]]
        for name, value in self.parameters.items():
            error = self.parameters_error.get(name)
            answer = with_error(value, error)
            rows.append([name, f"{first.get(name, math.nan):.6g}", answer])
        return rows
