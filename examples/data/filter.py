#!/usr/bin/env python3
"""Adds low-pass filtered copies of a column to a table of months.

    python3 filter.py nino34.csv nino34 3 12 > nino34_filtered.csv

A copy with memory T (in rows, here months) is the solution of

    d slow/dt = (x - slow)/T

with x taken as straight from one row to the next, which is solved exactly: what a model computes that carries the same
equation as one more state. By stationarity <x slow> = <slow^2>, which is the integral of exp(-t/T) C(t) dt/T over the
lags t > 0 of the autocovariance C of x: the averages of the copy know of time scales though they are averages at one
time.

The copy starts at the mean of x. After three memories 5 % of that start is left; rows before are left empty, which
readers take as missing.
"""

import csv
import math
import sys


def filtered(values, memory):
    """The copy at the rows of `values`; None in the first three memories."""
    decay = math.exp(-1 / memory)
    # Weights of the two ends of a straight piece: the integral of exp(-(1 - s)/T) x(s) ds/T over it.
    late = 1 - memory * (1 - decay)
    early = memory * (1 - decay) - decay
    slow = sum(values) / len(values)
    copy = [slow]
    for before, now in zip(values, values[1:]):
        slow = decay * slow + early * before + late * now
        copy.append(slow)
    return [None if row < 3 * memory else value for row, value in enumerate(copy)]


def main():
    if len(sys.argv) < 4:
        sys.exit("usage: filter.py TABLE COLUMN MEMORY [MEMORY ...] > NEW_TABLE")
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    column = sys.argv[2]
    values = [float(row[column]) for row in rows]
    copies = {f"{column}_{memory}": filtered(values, float(memory)) for memory in sys.argv[3:]}
    print(",".join([*rows[0], *copies]))
    for number, row in enumerate(rows):
        texts = ["" if copy[number] is None else f"{copy[number]:.4f}" for copy in copies.values()]
        print(",".join([*row.values(), *texts]))


if __name__ == "__main__":
    main()
