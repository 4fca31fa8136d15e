"""A progress line for a computation."""

from __future__ import annotations

import sys
from typing import Any, Callable, Optional

Listener = Callable[[str, float], None]


class _Line:
    def __init__(self) -> None:
        self.shown = 0

    def __call__(self, stage: str, fraction: float) -> None:
        full = round(30 * min(max(fraction, 0.0), 1.0))
        text = f"{stage} [{'#' * full}{' ' * (30 - full)}] {100 * fraction:3.0f} %"
        sys.stderr.write("\r" + text.ljust(self.shown))
        sys.stderr.flush()
        self.shown = len(text)

    def clear(self) -> None:
        if self.shown:
            sys.stderr.write("\r" + " " * self.shown + "\r")
            sys.stderr.flush()


def listener(progress: Any) -> Optional[Listener]:
    """None for False, a line for True, and a function as it is."""
    return _Line() if progress is True else progress or None


def clear(listening: Any) -> None:
    """Removes the line from the screen."""
    if isinstance(listening, _Line):
        listening.clear()
