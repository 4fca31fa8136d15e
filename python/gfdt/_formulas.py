"""Formulas written with Python's operators. They print as formulas of a problem file."""

from __future__ import annotations

import math
import numbers
from typing import Any, Callable, Dict, Optional, Union

from ._gfdt import Error

# Operator precedence.
_OR, _AND, _NOT, _COMPARE, _ADD, _MULTIPLY, _NEGATE, _POWER, _ATOM = range(1, 10)

FormulaLike = Union["Formula", str, float]


class Formula:
    """A formula of states and parameters. `str()` gives it as a problem file has it.

    >>> x, a = state("x"), parameter("a", 2.0)
    >>> print(-a*x + tanh(x)**2)
    -a*x + tanh(x)^2
    >>> print((x > 1.5) & (a < 3))
    x > 1.5 and a < 3
    """

    __slots__ = ("text", "level", "symbols")
    __array_priority__ = 1000

    def __init__(self, text: str, level: int = _OR, symbols: Optional[Dict[str, "Formula"]] = None) -> None:
        self.text = text
        self.level = level
        self.symbols: Dict[str, Formula] = symbols or {}

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<formula {self.text}>"

    def __bool__(self) -> bool:
        raise Error(
            f"'{self.text}' is a formula and neither true nor false: write (1 < x) & (x < 2) for 1 < x < 2, and & | ~ for and, or, not."
        )

    def __add__(self, other: FormulaLike) -> "Formula":
        return _binary(self, " + ", other, _ADD)

    def __radd__(self, other: FormulaLike) -> "Formula":
        return _binary(other, " + ", self, _ADD)

    def __sub__(self, other: FormulaLike) -> "Formula":
        return _binary(self, " - ", other, _ADD)

    def __rsub__(self, other: FormulaLike) -> "Formula":
        return _binary(other, " - ", self, _ADD)

    def __mul__(self, other: FormulaLike) -> "Formula":
        return _binary(self, "*", other, _MULTIPLY)

    def __rmul__(self, other: FormulaLike) -> "Formula":
        return _binary(other, "*", self, _MULTIPLY)

    def __truediv__(self, other: FormulaLike) -> "Formula":
        return _binary(self, "/", other, _MULTIPLY)

    def __rtruediv__(self, other: FormulaLike) -> "Formula":
        return _binary(other, "/", self, _MULTIPLY)

    def __pow__(self, other: FormulaLike) -> "Formula":
        return _binary(self, "^", other, _POWER)

    def __rpow__(self, other: FormulaLike) -> "Formula":
        return _binary(other, "^", self, _POWER)

    def __neg__(self) -> "Formula":
        return Formula("-" + _inside(self, _MULTIPLY), _NEGATE if self.level > _MULTIPLY else _MULTIPLY, self.symbols)

    def __pos__(self) -> "Formula":
        return self

    def __abs__(self) -> "Formula":
        return _call("abs", self)

    def __lt__(self, other: FormulaLike) -> "Formula":
        return _binary(self, " < ", other, _COMPARE)

    def __le__(self, other: FormulaLike) -> "Formula":
        return _binary(self, " <= ", other, _COMPARE)

    def __gt__(self, other: FormulaLike) -> "Formula":
        return _binary(self, " > ", other, _COMPARE)

    def __ge__(self, other: FormulaLike) -> "Formula":
        return _binary(self, " >= ", other, _COMPARE)

    def __and__(self, other: FormulaLike) -> "Formula":
        return _binary(self, " and ", other, _AND)

    def __or__(self, other: FormulaLike) -> "Formula":
        return _binary(self, " or ", other, _OR)

    def __invert__(self) -> "Formula":
        return Formula(f"not ({self.text})", _NOT, self.symbols)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """np.tanh(x) is tanh(x), and np.float64(2)*x is 2*x."""
        make = _UFUNCS.get(ufunc.__name__)
        if method != "__call__" or options or make is None or not all(isinstance(i, (Formula, numbers.Real)) for i in inputs):
            return NotImplemented
        return make(*inputs)


class State(Formula):
    """A state variable; `X[k]` is a field over the sites `k`."""

    __slots__ = ("mean", "std")

    def __init__(self, name: str, mean: Optional[float] = None, std: Optional[float] = None) -> None:
        super().__init__(name, _ATOM)
        self.symbols = {name: self}
        self.mean = mean
        self.std = std


class Parameter(Formula):
    """A parameter with its value and its bounds."""

    __slots__ = ("value", "lower", "upper")

    def __init__(self, name: str, value: float, lower: Optional[float] = None, upper: Optional[float] = None) -> None:
        super().__init__(name, _ATOM)
        self.symbols = {name: self}
        self.value = value
        self.lower = lower
        self.upper = upper


def state(name: str, mean: Optional[float] = None, std: Optional[float] = None) -> State:
    """A state variable. Initial values are normal with this mean (0) and standard deviation (1).

    >>> x = state("x")
    >>> print(3*x**2)
    3*x^2
    """
    return State(name, mean, std)


def parameter(name: str, value: float, lower: Optional[float] = None, upper: Optional[float] = None) -> Parameter:
    """A parameter, its value, and the bounds that a calibration keeps to.

    >>> sigma = parameter("sigma", 0.3, lower=0)
    >>> print(2*sigma)
    2*sigma
    """
    return Parameter(name, value, lower, upper)


def formula(text: str) -> Formula:
    """A formula in the syntax of a problem file, for use in expressions: formula("mean(k, X[k])") - 1.

    >>> print(formula("X[k-1]") * 2)
    X[k-1]*2
    """
    return Formula(text, _ATOM if text.isidentifier() or text.endswith("]") and text.count("[") == 1 else 0)


def equal(a: FormulaLike, b: FormulaLike) -> Formula:
    """1 where a equals b, else 0. (`==` compares formulas as objects.)

    >>> print(equal(sign(state("x")), 1))
    sign(x) == 1
    """
    return _binary(a, " == ", b, _COMPARE)


def as_formula(value: FormulaLike) -> Formula:
    """A number, a text or a formula as a formula."""
    if isinstance(value, Formula):
        return value
    if isinstance(value, str):
        return Formula(value, 0)
    if isinstance(value, numbers.Real) and not isinstance(value, bool) and type(value).__name__ != "bool_":
        number = float(value)
        if not math.isfinite(number):
            raise Error(f"{number} is no number for a formula.")
        text = str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)
        return Formula(text, _NEGATE if text.startswith("-") else _ATOM)
    raise Error(f"{value!r} is no formula: use numbers, texts, and what gfdt.state and gfdt.parameter give; equal(a, b) compares.")


def _inside(formula: Formula, level: int, right: bool = False) -> str:
    """The text, in parentheses where the surroundings bind tighter."""
    return f"({formula.text})" if formula.level < level or (right and formula.text.startswith("-")) else formula.text


def _joined(*formulas: Formula) -> Dict[str, Formula]:
    symbols: Dict[str, Formula] = {}
    for formula in formulas:
        for name, symbol in formula.symbols.items():
            if symbols.setdefault(name, symbol) is not symbol:
                raise Error(f"There are two different things called '{name}': make each state and parameter once and use it everywhere.")
    return symbols


def _binary(a: FormulaLike, sign: str, b: FormulaLike, level: int) -> Formula:
    left, right = as_formula(a), as_formula(b)
    # a - b - c and a/b/c group to the left; powers and comparisons get parentheses.
    tight = level in (_POWER, _COMPARE)
    first = _inside(left, level + 1 if tight else level)
    second = _inside(right, level if sign in (" + ", " and ", " or ") else level + 1, right=True)
    return Formula(first + sign + second, level, _joined(left, right))


def _call(name: str, *arguments: FormulaLike) -> Formula:
    formulas = [as_formula(argument) for argument in arguments]
    return Formula(f"{name}({', '.join(formula.text for formula in formulas)})", _ATOM, _joined(*formulas))


def _function(name: str, meaning: str) -> Callable[[FormulaLike], Formula]:
    def function(x: FormulaLike) -> Formula:
        return _call(name, x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{meaning}\n\n    >>> print({name}(state(\"x\")))\n    {name}(x)\n    "
    return function


exp = _function("exp", "The exponential of a formula.")
log = _function("log", "The natural logarithm of a formula.")
sqrt = _function("sqrt", "The square root of a formula.")
sin = _function("sin", "The sine of a formula.")
cos = _function("cos", "The cosine of a formula.")
tan = _function("tan", "The tangent of a formula.")
sinh = _function("sinh", "The hyperbolic sine of a formula.")
cosh = _function("cosh", "The hyperbolic cosine of a formula.")
tanh = _function("tanh", "The hyperbolic tangent of a formula.")
atan = _function("atan", "The inverse tangent of a formula.")
erf = _function("erf", "The error function of a formula.")
sign = _function("sign", "-1, 0 or 1: the sign of a formula.")


def minimum(a: FormulaLike, b: FormulaLike) -> Formula:
    """The smaller of two formulas.

    >>> print(minimum(state("x"), 1))
    min(x, 1)
    """
    return _call("min", a, b)


def maximum(a: FormulaLike, b: FormulaLike) -> Formula:
    """The larger of two formulas.

    >>> print(maximum(state("x"), 1))
    max(x, 1)
    """
    return _call("max", a, b)


_UFUNCS: Dict[str, Callable[..., Formula]] = {
    "exp": exp, "log": log, "sqrt": sqrt, "sin": sin, "cos": cos, "tan": tan, "sinh": sinh, "cosh": cosh, "tanh": tanh,
    "arctan": atan, "absolute": lambda x: _call("abs", x), "sign": sign, "minimum": minimum, "maximum": maximum,
    "add": lambda a, b: as_formula(a) + b, "subtract": lambda a, b: as_formula(a) - b,
    "multiply": lambda a, b: as_formula(a) * b, "divide": lambda a, b: as_formula(a) / b,
    "power": lambda a, b: as_formula(a) ** b, "negative": lambda x: -x, "square": lambda x: x**2,
    "less": lambda a, b: as_formula(a) < b, "less_equal": lambda a, b: as_formula(a) <= b,
    "greater": lambda a, b: as_formula(a) > b, "greater_equal": lambda a, b: as_formula(a) >= b,
}  # fmt: skip
