"""Problems: read from files and texts, or written down in Python."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterable, List, Mapping, Optional, Union

from . import _gfdt, _toml
from ._formulas import Formula, FormulaLike, Parameter, State, _joined, as_formula
from ._gfdt import Error

Changes = Union[Mapping[str, Any], Iterable[str], None]


class Problem:
    """A model, its observables and targets, and the simulation settings: the content of a problem file.

    `drift` and `diffusion` hold a formula for each state; a diffusion may be a dict of formulas by noise.
    Parameters are those that appear in the formulas, in the order in which they do, unless `parameters` lists
    them. `targets` are pairs (value, standard error), or what `[targets]` of a problem file may hold. What a
    problem file may say under [simulation], [score], [response] and [calibration] is given as a dict.

    >>> x, a, s = state("x"), parameter("a", 1.0, lower=0), parameter("s", 1.0)
    >>> problem = Problem(drift={x: -a*x}, diffusion={x: s}, observables={"variance": x**2})
    >>> problem.parameters
    {'a': 1.0, 's': 1.0}
    >>> print(problem.text.splitlines()[0])
    [model]
    """

    def __init__(
        self,
        drift: Mapping[Any, FormulaLike],
        diffusion: Optional[Mapping[Any, Any]] = None,
        observables: Optional[Mapping[str, FormulaLike]] = None,
        targets: Optional[Mapping[str, Any]] = None,
        *,
        parameters: Any = None,
        formulas: Optional[Mapping[str, FormulaLike]] = None,
        sites: Optional[Mapping[str, int]] = None,
        initial: Optional[Mapping[Any, Mapping[str, float]]] = None,
        period: Optional[float] = None,
        time: bool = False,
        simulation: Optional[Mapping[str, Any]] = None,
        score: Optional[Mapping[str, Any]] = None,
        response: Optional[Mapping[str, Any]] = None,
        calibration: Optional[Mapping[str, Any]] = None,
        set: Changes = None,
        name: str = "problem",
        folder: Union[str, os.PathLike] = "",
    ) -> None:
        moving = {k: as_formula(v) for k, v in drift.items()}
        noise = {k: _noise(v) for k, v in (diffusion or {}).items()}
        named = {k: as_formula(v) for k, v in (formulas or {}).items()}
        observed = {k: as_formula(v) for k, v in (observables or {}).items()}
        used = _joined(
            *(k for k in moving if isinstance(k, Formula)),
            *moving.values(),
            *(f for n in noise.values() for f in (n.values() if isinstance(n, dict) else [n])),
            *named.values(),
            *observed.values(),
        )
        start = {_field(k): dict(v) for k, v in (initial or {}).items()}
        for k in drift:
            law = {"mean": k.mean, "std": k.std} if isinstance(k, State) else {}
            if any(v is not None for v in law.values()):
                start.setdefault(_field(k), {w: v for w, v in law.items() if v is not None})
        unknown = [n for n, s in used.items() if isinstance(s, State) and n not in {str(k) for k in moving}]
        if unknown:
            raise Error(f"The state '{unknown[0]}' has no drift: every state has an entry in drift.")
        model: Dict[str, Any] = {"state": [str(k) for k in moving]}
        if period is not None:
            model["period"] = period
        if time:
            model["time"] = True
        lines = [
            *_toml.table("model", model),
            *_toml.table("model.sites", sites or {}),
            *_toml.table("model.parameters", _parameters(parameters, used)),
            *_toml.table("model.formulas", named),
            *_toml.table("model.drift", {_field(k): v for k, v in moving.items()}),
            *_toml.table("model.diffusion", {_field(k): v for k, v in noise.items()}),
            *_toml.table("model.initial", start),
            *_toml.table("observables", observed),
            *_toml.table("targets", {k: _target(v) for k, v in (targets or {}).items()}),
            *_toml.table("simulation", simulation or {}),
            *_toml.table("score", score or {}),
            *_toml.table("response", response or {}),
            *_toml.table("calibration", calibration or {}),
        ]
        self._folder = os.fspath(folder)
        self._native = _gfdt.Problem.parse("\n".join(lines), name, _toml.overrides(set), self._folder)

    @classmethod
    def _of(cls, native: _gfdt.Problem, folder: str) -> "Problem":
        problem = cls.__new__(cls)
        problem._native = native
        problem._folder = folder
        return problem

    def changed(self, set: Changes) -> "Problem":
        """The same with other entries: problem.changed({"a": 2.0, "simulation.length": 100}).

        What a calibration has found can be put in: problem.changed(calibration.parameters).

        >>> problem = loads('[model]\\nstate = ["x"]\\nparameters = { a = 1.0 }\\ndrift = { x = "-a*x" }')
        >>> problem.changed({"a": 2.0}).parameters
        {'a': 2.0}
        """
        changes = [*self._native.overrides, *_toml.overrides(set)]
        return Problem._of(_gfdt.Problem.parse(self.text, self.file, changes, self._folder), self._folder)

    @property
    def file(self) -> str:
        """The path of its file, or its name."""
        return self._native.file

    @property
    def text(self) -> str:
        """The problem as a problem file, without its `overrides`."""
        return self._native.text

    @property
    def overrides(self) -> List[str]:
        """What `set` and `changed` have changed of the text, as key=value."""
        return self._native.overrides

    @property
    def states(self) -> List[str]:
        """The state variables, fields with their indices."""
        return self._native.states

    @property
    def components(self) -> List[str]:
        """The state variables with all their sites, in the order of the columns of states."""
        return self._native.components

    @property
    def parameters(self) -> Dict[str, float]:
        """The parameters and their values."""
        return self._native.parameters

    @property
    def observables(self) -> List[str]:
        """Names of the observables."""
        return self._native.observables

    @property
    def simulation(self) -> Dict[str, Any]:
        """How the model is run."""
        return self._native.simulation

    def save(self, file: Union[str, os.PathLike]) -> None:
        """Writes the problem file. A problem with `overrides` cannot be written, since its text does not
        include them."""
        if self.overrides:
            raise Error(
                f"The text of the problem is without what was changed ({', '.join(self.overrides)}): write these values into the text, "
                "or keep problem.text and problem.overrides, which gfdt.loads(text, set=overrides) puts together again."
            )
        with open(file, "w", encoding="utf-8") as out:
            out.write(self.text)

    def __repr__(self) -> str:
        return f"<gfdt.Problem '{self.file}': states {', '.join(self.states)}; parameters {', '.join(self.parameters)}; observables {', '.join(self.observables)}>"


def read(file: Union[str, os.PathLike], set: Changes = None) -> Problem:
    """Reads a problem file; `set` changes entries of it, as --set does.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     name = os.path.join(folder, "ou.toml")
    ...     Problem(drift={"x": "-x"}, diffusion={"x": 1}).save(name)
    ...     read(name, set={"simulation.length": 100}).simulation["length"]
    100.0
    """
    return Problem._of(_gfdt.Problem.read(os.fspath(file), _toml.overrides(set)), os.path.dirname(os.fspath(file)))


def loads(text: str, set: Changes = None, name: str = "problem", folder: Union[str, os.PathLike] = "") -> Problem:
    """Reads the text of a problem file. Errors call it `name`; other files are looked for in `folder`.

    >>> loads('''[model]
    ... state = ["x"]
    ... drift = { x = "-x" }
    ... diffusion = { x = 1 }''').states
    ['x']
    """
    return Problem._of(_gfdt.Problem.parse(text, name, _toml.overrides(set), os.fspath(folder)), os.fspath(folder))


def as_problem(problem: Any) -> Problem:
    """A problem, or the file of one."""
    if isinstance(problem, Problem):
        return problem
    if isinstance(problem, (str, os.PathLike)):
        return read(problem)
    raise Error(f"{problem!r} is no problem: give a gfdt.Problem, or the name of a problem file.")


def _field(state: Any) -> str:
    """The name of a field without its indices, as it stands in tables."""
    return str(state).split("[")[0].strip()


def _noise(item: Any) -> Any:
    if isinstance(item, Mapping):
        return {str(k): as_formula(v) for k, v in item.items()}
    return as_formula(item)


def _target(item: Any) -> Any:
    pair = isinstance(item, tuple) and len(item) == 2
    return {"value": float(item[0]), "std": float(item[1])} if pair else item


def _parameters(given: Any, used: Mapping[str, Formula]) -> Dict[str, Any]:
    found: Dict[str, Any] = {}
    if isinstance(given, Mapping):
        found.update(given)
    else:
        for parameter in given or []:
            found[str(parameter)] = _bounded(parameter)
    for name, symbol in used.items():
        if isinstance(symbol, Parameter):
            found.setdefault(name, _bounded(symbol))
    return found


def _bounded(parameter: Parameter) -> Any:
    bounds = {k: v for k, v in (("lower", parameter.lower), ("upper", parameter.upper)) if v is not None}
    return {"value": float(parameter.value), **bounds} if bounds else float(parameter.value)
