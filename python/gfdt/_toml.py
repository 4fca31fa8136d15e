"""Writes the texts of problem files."""

from __future__ import annotations

import json
import math
import numbers
import re
from typing import Any, List, Mapping

from ._formulas import Formula
from ._gfdt import Error


def key(name: Any) -> str:
    """A name as it stands before `=`."""
    text = str(name)
    return text if re.fullmatch(r"[A-Za-z0-9_-]+", text) else json.dumps(text, ensure_ascii=False)


def value(item: Any) -> str:
    """A value as it stands behind `=`."""
    if isinstance(item, (str, Formula)):
        return json.dumps(str(item), ensure_ascii=False)
    if isinstance(item, bool) or type(item).__name__ in ("bool", "bool_"):
        return "true" if item else "false"
    if isinstance(item, numbers.Integral):
        return str(int(item))
    if isinstance(item, numbers.Real):
        number = float(item)
        if not math.isfinite(number):
            return "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"
        return repr(number)
    if isinstance(item, Mapping):
        return "{ " + ", ".join(f"{key(k)} = {value(v)}" for k, v in item.items()) + " }"
    if hasattr(item, "__fspath__"):
        return json.dumps(str(item), ensure_ascii=False)
    if hasattr(item, "__iter__"):
        return "[" + ", ".join(value(v) for v in item) + "]"
    raise Error(f"{item!r} is no value for a problem: use numbers, texts, lists and dicts.")


def table(name: str, entries: Mapping[Any, Any]) -> List[str]:
    """A section and its lines; nothing where it has none."""
    if not entries:
        return []
    return [f"[{name}]", *(f"{key(k)} = {value(v)}" for k, v in entries.items()), ""]


def overrides(changes: Any) -> List[str]:
    """Texts key=value, from a dict or as given."""
    if not changes:
        return []
    if isinstance(changes, Mapping):
        return [f"{k}={value(v)}" for k, v in changes.items()]
    return [str(change) for change in changes]
