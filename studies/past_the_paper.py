"""Jacobians past the paper: errors of columns and statistics, coverage of 95 % intervals, and the cost against finite differences, over seeds.

usage: past_the_paper.py GFDT [SEEDS [EXPERIMENT ...]] > studies/past_the_paper.json
"""

import json
import math
import statistics
import sys

import numpy as np

from jacobians import EXPERIMENTS, FIRST_SEED, STUDIES, column_errors, network_truth, run, scalar_truth, stored_truth, student_t


def spread(values):
    """Median and the middle 90 %."""
    ordered = np.sort(np.array(values), axis=0)
    return [np.quantile(ordered, q, axis=0).tolist() for q in (0.5, 0.05, 0.95)]


def study(gfdt, file, truth, seeds, options, comparison):
    matrix, matrix_error, mean, mean_error = truth
    errors, gains, held, held_means, entries, means, times, walls, methods = [], [], 0, 0, 0, 0, [], [], None
    for seed in range(FIRST_SEED, FIRST_SEED + seeds):
        result = run(gfdt, file, seed, *options)
        value, error, scale = (np.array(result[key]) for key in ("jacobian", "jacobian_error", "standard_deviation"))
        errors.append(column_errors(value - matrix, matrix, scale))
        width = student_t(result["degrees_of_freedom"])
        held += int(np.sum(np.abs(value - matrix) <= width * np.hypot(error, matrix_error) + 1e-9 * np.abs(matrix)))
        entries += value.size
        statistic, statistic_error = np.array(result["statistics"]), np.array(result["statistics_error"])
        held_means += int(np.sum(np.abs(statistic - mean) <= width * np.hypot(statistic_error, mean_error) + 1e-9 * np.abs(mean)))
        means += statistic.size
        gains.append(np.array(result["plain_statistics_error"]) / statistic_error)
        times.append(result["simulated_time"])
        walls.append(result["wall_seconds"])
        methods = methods or result["method"]
    document = {
        "parameters": result["parameters"], "observables": result["observables"], "options": options, "methods": methods, "seeds": seeds,
        "column_error": dict(zip(("median", "low", "high"), spread(errors))),
        "truth_column_error": column_errors(matrix_error, matrix, scale).tolist(),
        "gain_of_statistics": dict(zip(("median", "low", "high"), spread(gains))),
        "held": held / entries, "held_statistics": held_means / means,
        "simulated_time": statistics.median(times), "wall_seconds": statistics.median(walls),
    }
    if comparison:
        others = [run(gfdt, file, seed, "--method", "finite-difference", "--no-control-variate", *options) for seed in range(FIRST_SEED, FIRST_SEED + comparison)]
        theirs = np.median([column_errors(np.array(o["jacobian"]) - matrix, matrix, scale) for o in others], axis=0)
        ours = np.median(errors, axis=0)
        # Errors fall as one over the root of the time: what finite differences would take for our error.
        ratio = math.exp(np.mean(np.log(theirs**2 / np.maximum(ours, 1e-6)**2)))
        document["finite_difference"] = {
            "column_error": theirs.tolist(), "simulated_time": statistics.median(o["simulated_time"] for o in others),
            "wall_seconds": statistics.median(o["wall_seconds"] for o in others),
        }
        document["cost_ratio"] = {key: ratio * document["finite_difference"][key] / document[key] for key in ("simulated_time", "wall_seconds")}
    return document


def main():
    gfdt, seeds, asked = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20, sys.argv[3:]
    drift = ["alpha0", "alpha1", "alpha2", "alpha3"]
    lorenz = stored_truth("lorenz96")
    lorenz_drift = (lorenz[0][:, :4], lorenz[1][:, :4], lorenz[2], lorenz[3])
    lorenz_noise = (lorenz[0][:, 4:], lorenz[1][:, 4:], lorenz[2], lorenz[3])
    document = {"command": " ".join(["past_the_paper.py gfdt", str(seeds), *asked]), "experiments": {}}
    for name, file, truth, options, number, comparison in [
        ("scalar", EXPERIMENTS / "scalar.toml", scalar_truth(gfdt), [], seeds, 3),
        ("triad", EXPERIMENTS / "triad.toml", stored_truth("triad"), [], seeds, 3),
        ("network", STUDIES / "network.toml", network_truth(), [], seeds, 1),
        ("lorenz96, drift", EXPERIMENTS / "lorenz96.toml", lorenz_drift,
         ["--method", "likelihood-ratio", "--parameters", ",".join(drift)], seeds, 0),
        ("lorenz96, sigma", EXPERIMENTS / "lorenz96.toml", lorenz_noise, ["--method", "finite-difference", "--parameters", "sigma"], seeds, 0),
        ("lorenz96", EXPERIMENTS / "lorenz96.toml", lorenz, [], seeds // 2, 0),
        ("wells", STUDIES / "wells.toml", stored_truth("wells"),
         ["--set", "simulation.length=2000", "--set", "response.accuracy=0.025"], seeds // 4, 1),
    ]:
        if asked and name not in asked:
            continue
        print(name, file=sys.stderr, flush=True)
        document["experiments"][name] = study(gfdt, file, truth, number, options, comparison)
    print(json.dumps(document, indent=1))


main()
