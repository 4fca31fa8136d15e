"""How often 95 % intervals of Jacobian entries hold the truth: every method, every experiment, over seeds.

All but those of the scalar model, whose rare states take the paper's length, are shorter than elsewhere: the truth has to be known better than what is judged by it.
A method that has no entry for a parameter (likelihood ratios for single noises, say) is judged by those it has.

usage: coverage.py GFDT [SEEDS [EXPERIMENT ...]] > studies/coverage.json
"""

import json
import sys

import numpy as np

from jacobians import EXPERIMENTS, FIRST_SEED, STUDIES, column_errors, network_truth, run, scalar_truth, stored_truth, student_t

PLAIN = "--no-control-variate"
METHODS = {
    "auto": ["--method", "auto"],
    "control-variate": ["--method", "control-variate"],
    "likelihood-ratio": ["--method", "likelihood-ratio", PLAIN],
    "control-variate, likelihood-ratio": ["--method", "likelihood-ratio", "--control-variate"],
    "finite-difference": ["--method", "finite-difference", PLAIN],
    "exact score": ["--method", "gfdt", "--score", "exact", PLAIN],
    "control-variate, exact score": ["--method", "gfdt", "--score", "exact", "--control-variate"],
    "kgmm": ["--method", "gfdt", "--score", "kgmm", PLAIN],
    "control-variate, kgmm": ["--method", "gfdt", "--score", "kgmm", "--control-variate"],
}
SCORELESS = list(METHODS)[:5]
EXACT, FITTED = list(METHODS)[5:7], list(METHODS)[7:]


def held(result, truth):
    """Entries that there are, and those whose interval holds the truth."""
    value, error = (np.array(result[key], dtype=float) for key in ("jacobian", "jacobian_error"))
    matrix, matrix_error = truth[:2]
    width = student_t(result["degrees_of_freedom"])
    known = np.isfinite(value) & np.isfinite(error)
    inside = np.abs(value - matrix) <= width * np.hypot(error, matrix_error) + 1e-9 * np.abs(matrix)
    return known, known & inside


def coverage(gfdt, file, truth, seeds, options):
    known, inside, errors, ratio = 0, 0, [], []
    for seed in range(FIRST_SEED, FIRST_SEED + seeds):
        result = run(gfdt, file, seed, *options)
        there, holds = held(result, truth)
        known, inside = known + there, inside + holds
        value, error, scale = (np.array(result[key], dtype=float) for key in ("jacobian", "jacobian_error", "standard_deviation"))
        errors.append(column_errors(value - truth[0], truth[0], scale))
        ratio.append(column_errors(np.hypot(error, truth[1]), truth[0], scale))
    by_column = [float(i) / float(k) if k else None for i, k in zip(inside.sum(axis=0), known.sum(axis=0))]
    finite = lambda values: [None if np.isnan(v) else float(v) for v in values]
    return {"held": float(inside.sum() / known.sum()), "entries": int(known.sum()), "held_by_column": by_column,
            "column_error": finite(np.median(errors, axis=0)), "claimed_error": finite(np.median(ratio, axis=0))}


def main():
    gfdt, seeds, asked = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20, sys.argv[3:]
    experiments = {
        "scalar": (EXPERIMENTS / "scalar.toml", lambda: scalar_truth(gfdt), [], SCORELESS + EXACT + FITTED),
        "triad": (EXPERIMENTS / "triad.toml", lambda: stored_truth("triad"), ["--set", "simulation.length=300"], SCORELESS + FITTED),
        "network": (STUDIES / "network.toml", network_truth, ["--set", "simulation.length=200"], SCORELESS + EXACT),
        "wells": (STUDIES / "wells.toml", lambda: stored_truth("wells"), ["--set", "simulation.length=500"], SCORELESS),
        "lorenz96": (EXPERIMENTS / "lorenz96.toml", lambda: stored_truth("lorenz96"), ["--set", "simulation.length=200"], SCORELESS),
    }
    document = {"command": " ".join(["coverage.py gfdt", str(seeds), *asked]), "seeds": seeds, "experiments": {}}
    for name, (file, truth, options, methods) in experiments.items():
        if asked and name not in asked:
            continue
        known = truth()
        row = document["experiments"][name] = {"options": options}
        for method in methods:
            row[method] = coverage(gfdt, file, known, seeds, [*METHODS[method], *options])
            print(f"{name}: {method}: {100 * row[method]['held']:.1f} % of {row[method]['entries']}", file=sys.stderr, flush=True)
    print(json.dumps(document, indent=1))


main()
