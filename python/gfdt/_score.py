"""A score that was fitted, or read from a file."""

from __future__ import annotations

import json
from typing import Any, Dict, Optional, Sequence

import numpy as np

from . import _gfdt
from ._document import Result, Rows, array_of, with_error
from ._problem import Problem


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
        """The method of the fit."""
        return self._score.method

    @property
    def description(self) -> str:
        """A description in one line."""
        return self._score.description

    def save(self, file: Any) -> None:
        """Saves it in a file, for `gfdt.read_score` and `gfdt jacobian --score`."""
        with open(file, "w", encoding="utf-8") as out:
            out.write(self._score.text())

    def _labelled(self) -> Any:
        checks = self.certificate["checks"]
        return {"value": ("check", array_of([c["value"] for c in checks]))}, {"check": [c["check"] for c in checks]}

    def _title(self) -> str:
        return f"Score by {self.method}: {self._known()['status']}. {self.description}"

    def _table(self) -> Rows:
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
