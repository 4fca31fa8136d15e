"""How often 95 % intervals of Jacobian entries hold the exact value: the scalar model at T = 10^5, many seeds.

usage: jacobian_coverage.py GFDT [SEEDS] > studies/jacobian_coverage.json
"""

import json
import math
import subprocess
import sys

METHODS = ["exact", "kgmm", "finite-difference"]


def run(*arguments):
    output = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout
    return json.loads(output)


def student_t(degrees):
    """The t with P(|T| <= t) = 0.95, by its expansion in 1/degrees."""
    z = 1.959963984540054
    return z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)


def main():
    gfdt, seeds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 40
    truth = run(gfdt, "reproduce", "scalar", "--no-report", "--compare", "exact", "--json", "-", "--quiet")["truth"]["jacobian"]
    entries = [(m, j) for m in range(len(truth)) for j in range(len(truth[0]))]
    held = {name: {entry: 0 for entry in entries} for name in METHODS}
    errors = {name: [] for name in METHODS}
    for seed in range(1, seeds + 1):
        document = run(gfdt, "reproduce", "scalar", "--no-report", "--compare", ",".join(METHODS), "--seed", str(seed), "--json", "-",
                       "--quiet")
        for result in document["ours"]:
            width = student_t(result["degrees_of_freedom"])
            scale = result["standard_deviation"]
            for m, j in entries:
                off = abs(result["jacobian"][m][j] - truth[m][j])
                held[result["name"]][m, j] += off <= width * result["jacobian_error"][m][j]
            errors[result["name"]].append([
                math.sqrt(sum(((result["jacobian"][m][j] - truth[m][j]) / scale[m]) ** 2 for m in range(len(truth))) /
                          sum((truth[m][j] / scale[m]) ** 2 for m in range(len(truth))))
                for j in range(len(truth[0]))])
    print(json.dumps({
        "command": "jacobian_coverage.py gfdt " + str(seeds),
        "experiment": "scalar",
        "seeds": seeds,
        "truth": truth,
        "methods": [{
            "name": name,
            "share_held": sum(held[name].values()) / (seeds * len(entries)),
            "held_by_entry": [[held[name][m, j] / seeds for j in range(len(truth[0]))] for m in range(len(truth))],
            "median_column_error": [sorted(column)[len(column) // 2] for column in zip(*errors[name])],
        } for name in METHODS],
    }, indent=1))


main()
