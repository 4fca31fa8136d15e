from typing import Any, Callable, List, Optional, Sequence, Tuple

import numpy as np

class Error(Exception): ...

class InputError(Error):
    message: str
    file: str
    line: int
    column: int

class Result:
    @property
    def document(self) -> str: ...
    @property
    def usable(self) -> bool: ...
    @property
    def kept_score(self) -> str: ...
    @property
    def names(self) -> List[str]: ...
    def array(self, name: str) -> np.ndarray: ...

class Problem:
    @staticmethod
    def read(file: str, set: Sequence[str]) -> Problem: ...
    @staticmethod
    def parse(text: str, name: str, set: Sequence[str], folder: str) -> Problem: ...
    @property
    def file(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def overrides(self) -> List[str]: ...
    @property
    def states(self) -> List[str]: ...
    @property
    def components(self) -> List[str]: ...
    @property
    def observables(self) -> List[str]: ...
    @property
    def parameters(self) -> dict[str, float]: ...
    @property
    def simulation(self) -> dict[str, Any]: ...

class Settings:
    def __init__(
        self,
        seed: Optional[int],
        threads: Optional[int],
        backend: str,
        progress: Optional[Callable[[str, float], Any]],
        command: str,
    ) -> None: ...

class Score:
    @property
    def method(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    @property
    def description(self) -> str: ...
    def evaluate(self, states: np.ndarray) -> np.ndarray: ...
    def jacobian(self, states: np.ndarray) -> np.ndarray: ...
    def text(self) -> str: ...

def version() -> str: ...
def with_error(value: float, error: float) -> str: ...
def simulate(
    problem: Problem,
    settings: Settings,
    states: bool,
    file: str,
    functions: Sequence[Tuple[str, Callable[[np.ndarray], Any]]],
) -> Result: ...
def score(problem: Problem, settings: Settings, method: str, start: Optional[Score]) -> Tuple[Result, Score]: ...
def read_score(file: str, problem: Problem) -> Score: ...
def jacobian(
    problem: Problem,
    settings: Settings,
    method: str,
    score: Any,
    parameters: Sequence[str],
    window: Optional[Tuple[float, float]],
    trajectory: Any,
    interval: float,
    save: str,
    functions: Sequence[Tuple[str, Callable[[np.ndarray], Any]]],
) -> Result: ...
def response(
    problem: Problem,
    settings: Settings,
    parameter: str,
    size: Optional[float],
    forcing: Optional[Tuple[Sequence[float], Sequence[float]]],
    until: Optional[float],
    score: Any,
    trajectory: str,
    transient: bool,
    check: bool,
    functions: Sequence[Tuple[str, Callable[[np.ndarray], Any]]],
) -> Result: ...
def calibrate(
    problem: Problem,
    settings: Settings,
    method: str,
    out: str,
    resume: bool,
    overwrite: bool,
    observer: Optional[Callable[[Result], Any]],
) -> Result: ...
def report(folder: str, output: str) -> str: ...
