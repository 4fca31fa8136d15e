"""Common base of all results: the document of a computation, its arrays and its table."""

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

Rows = List[List[str]]


def with_error(value: Any, error: Any) -> str:
    """A number with the standard error of its last digits in parentheses: 0.502(12)."""
    return _gfdt.with_error(math.nan if value is None else value, math.inf if error is None else error)


def array_of(values: Any) -> np.ndarray:
    """Lists of numbers as a read-only array, with NaN for missing values; ragged lists are padded with NaN."""
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
        """Whether the numbers can be used; if not, `problems` gives the reasons."""
        return self._native.usable

    @property
    def problems(self) -> List[str]:
        """Messages of the checks that did not pass, one or two sentences each; may be empty."""
        return [f"{f['check']}: {f['verdict']} {f['advice']}".strip() for f in self._known().get("findings", []) if not f["passed"]]

    def _warned(self) -> Any:
        """Returns the result, after a warning if its numbers cannot be used."""
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

    def _table(self) -> Rows:
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


def position(names: Sequence[str], name: str) -> int:
    """The index of a name in a list."""
    known_name(names, name)
    return list(names).index(name)


def known_name(names: Any, name: str) -> str:
    """The name, or a KeyError that lists the known names."""
    if name not in names:
        raise KeyError(f"There is no '{name}' among {', '.join(names)}.")
    return name
