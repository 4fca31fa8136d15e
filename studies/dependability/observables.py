"""Random observables of scalar coordinates.

A coordinate is a name that stands in formulas, with quantiles of its stationary distribution, from which thresholds are drawn.
"""

import re
from dataclasses import dataclass

import numpy as np

from problem import Observable, rounded


@dataclass
class Coordinate:
    name: str
    quantile: object          # probability -> value
    highest: int = 4          # largest power whose variance is finite and moderate
    grid: float = 0.0         # thresholds are multiples of this, where it is not zero
    fixed: float | None = None  # the only threshold, where formulas may break at one value only
    label: str = ""           # in names of observables; the name when left out

    @property
    def short(self):
        return plain(self.label or self.name)

    def threshold(self, random, low=0.02, high=0.98):
        if self.fixed is not None:
            return self.fixed
        value = float(self.quantile(random.uniform(low, high)))
        if self.grid:
            return rounded(round(value / self.grid) * self.grid, 6)
        return rounded(value)

    def spread(self):
        return float(self.quantile(0.84) - self.quantile(0.16)) / 2


def offset(name, value):
    """x - 0.3, x + 0.3, or x."""
    return name if value == 0 else f"({name} {'-' if value > 0 else '+'} {abs(value)!r})"


def power(random, c):
    n = int(random.integers(1, c.highest + 1))
    return "moment", Observable(c.name if n == 1 else f"{c.name}^{n}")


def centred(random, c):
    return "spread", Observable(f"{offset(c.name, c.threshold(random, 0.3, 0.7))}^2" if c.highest >= 2 else c.name)


def above(random, c):
    t = c.threshold(random) if random.random() < 0.8 else c.threshold(random, 0.98, 0.999)
    return "above", Observable(f"{c.name} > {t!r}", {c.name: [t]})


def below(random, c):
    t = c.threshold(random)
    return "below", Observable(f"{c.name} <= {t!r}", {c.name: [t]})


def between(random, c):
    a, b = sorted((c.threshold(random), c.threshold(random)))
    text = f"{a!r} < {c.name} < {b!r}" if random.random() < 0.5 else f"{c.name} > {a!r} and {c.name} < {b!r}"
    return ("between", Observable(text, {c.name: [a, b]})) if b > a else above(random, c)


def outside(random, c):
    a, b = c.threshold(random, 0.02, 0.3), c.threshold(random, 0.7, 0.98)
    return ("outside", Observable(f"{c.name} < {a!r} or {c.name} > {b!r}", {c.name: [a, b]})) if b > a else above(random, c)


def distance(random, c):
    t = c.threshold(random, 0.2, 0.8)
    return "distance", Observable(f"abs{offset(c.name, t) if t else '(' + c.name + ')'}", {c.name: [t]})


def excess(random, c):
    t = c.threshold(random, 0.3, 0.95)
    return "excess", Observable(f"max({offset(c.name, t)}, 0)", {c.name: [t]})


def bounded(random, c):
    s = rounded(random.uniform(0.5, 1.5) / max(c.spread(), 1e-12), 2)
    shift = offset(c.name, c.threshold(random, 0.3, 0.7))
    return ("bump", Observable(f"exp(-({s!r}*{shift})^2)")) if random.random() < 0.5 else ("level", Observable(f"tanh({s!r}*{shift})"))


SINGLE = [(power, 4), (centred, 1), (above, 3), (below, 1), (between, 1), (outside, 1), (distance, 1), (excess, 1), (bounded, 1)]


def product(random, c, d):
    if c.highest >= 4 and d.highest >= 4 and random.random() < 0.3:
        return "fourth", Observable(f"{c.name}^2*{d.name}^2")
    return "product", Observable(f"{c.name}*{d.name}")


def both(random, c, d):
    a, b = c.threshold(random, 0.1, 0.9), d.threshold(random, 0.1, 0.9)
    word = random.choice(["and", "or"])
    signs = random.choice(["<", ">"], 2)
    return f"{'both' if word == 'and' else 'either'}", Observable(f"{c.name} {signs[0]} {a!r} {word} {d.name} {signs[1]} {b!r}",
                                                                {c.name: [a], d.name: [b]})


def masked(random, c, d):
    a = c.threshold(random, 0.2, 0.9)
    return "masked", Observable(f"({c.name} > {a!r})*{d.name}", {c.name: [a]})


def smooth_pair(random, c, d):
    s = rounded(0.5 / max(c.spread(), d.spread(), 1e-12), 2)
    return "wave", Observable(f"cos({s!r}*({c.name} - {d.name}))")


PAIR = [(product, 3), (both, 3), (masked, 1), (smooth_pair, 1)]


def with_parameter(random, c, parameter):
    """An observable whose formula holds a parameter: its own derivative adds to S."""
    forms = [f"{parameter}*{c.name}", f"{c.name} + {parameter}", f"({c.name} - {parameter})^2" if c.highest >= 2 else f"{parameter}*{c.name}",
             f"{parameter}*cos({rounded(1 / max(c.spread(), 1e-12), 2)!r}*{c.name})"]
    return "scaled", Observable(str(random.choice(forms)))


def choose(random, table):
    weights = np.array([weight for _, weight in table], dtype=float)
    return table[random.choice(len(table), p=weights / weights.sum())][0]


def random_observables(random, coordinates, count, parameters=(), pairs=True):
    """`count` different observables, by name. Now and then one holds a parameter."""
    result, formulas = {}, set()
    for _ in range(20 * count):
        if len(result) == count:
            break
        c = coordinates[random.integers(len(coordinates))]
        if parameters and random.random() < 0.06:
            name, observable = with_parameter(random, c, str(random.choice(list(parameters))))
        elif pairs and len(coordinates) > 1 and random.random() < 0.4:
            d = coordinates[random.integers(len(coordinates))]
            if d is c:
                continue
            name, observable = choose(random, PAIR)(random, c, d)
            name = f"{name}_{c.short}_{d.short}"
        else:
            name, observable = choose(random, SINGLE)(random, c)
            name = f"{name}_{c.short}"
        if observable.formula not in formulas:
            formulas.add(observable.formula)
            result[unused(name, result)] = observable
    return result


def plain(name):
    return "".join(character for character in name if character.isalnum())


def unused(name, taken):
    if name not in taken:
        return name
    return next(f"{name}_{i}" for i in range(2, 1000) if f"{name}_{i}" not in taken)


def substituted(observables, texts, form="{}"):
    """The observables with coordinates replaced by formulas of the state, as gfdt reads them."""
    pattern = re.compile(r"\b(" + "|".join(map(re.escape, texts)) + r")\b")
    return {name: Observable(form.format(pattern.sub(lambda match: texts[match.group()], o.formula)), o.breaks)
            for name, o in observables.items()}
