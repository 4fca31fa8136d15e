"""Jacobians past the paper: errors of columns and statistics, coverage of 95 % intervals, and the cost against finite differences, over seeds.

usage: past_the_paper.py GFDT [SEEDS] > studies/past_the_paper.json
"""

import json
import math
import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
EXPERIMENTS = HERE.parent / "experiments"


def run(gfdt, file, seed, *options):
    output = subprocess.run([gfdt, "jacobian", str(file), "--seed", str(seed), "--no-report", "--quiet", "--json", "-", *options],
                            check=True, capture_output=True, text=True).stdout
    return json.loads(output)


def student_t(degrees):
    """The t with P(|T| <= t) = 0.95, by its expansion in 1/degrees."""
    z = 1.959963984540054
    return z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)


def scalar_truth(gfdt):
    output = subprocess.run([gfdt, "reproduce", "scalar", "--no-report", "--compare", "exact", "--json", "-", "--quiet"], check=True,
                            capture_output=True, text=True).stdout
    truth = json.loads(output)["truth"]
    matrix = np.array(truth["jacobian"])
    return matrix, 0 * matrix, np.array(truth["statistics"]), np.zeros(len(matrix))


def stored_truth(name):
    truth = json.loads((HERE / f"truth_{name}.json").read_text())
    return tuple(np.array(truth[key]) for key in ("jacobian", "jacobian_error", "statistics", "statistics_error"))


def network_truth():
    """Of the linear network, by Lyapunov's equation A C + C A^T + D = 0 and its derivatives."""
    values = {}
    for line in (HERE / "network.toml").read_text().split("[model.parameters]")[1].split("[model.drift]")[0].splitlines():
        if "=" in line:
            name, value = line.split("=", 1)
            values[name.strip()] = float(value.split("value =")[1].split(",")[0] if "{" in value else value)
    n = len(values) // 3
    a = np.zeros((n, n))
    for i in range(n):
        a[i, i] = -values[f"a{i}"]
        a[i, (i + 1) % n] = values[f"k{i}"]
    operator = np.kron(a, np.eye(n)) + np.kron(np.eye(n), a)
    solve = lambda right: np.linalg.solve(operator, -right.reshape(-1)).reshape(n, n)
    covariance = solve(np.diag([values[f"s{i}"] ** 2 for i in range(n)]))
    observed = lambda c: np.concatenate([np.diag(c), [c[i, (i + 1) % n] for i in range(n)]])
    columns = []
    for name in values:
        i, change, noise = int(name[1:]), np.zeros((n, n)), np.zeros((n, n))
        if name[0] == "a":
            change[i, i] = -1
        elif name[0] == "k":
            change[i, (i + 1) % n] = 1
        else:
            noise[i, i] = 2 * values[name]
        columns.append(observed(solve(change @ covariance + covariance @ change.T + noise)))
    matrix = np.array(columns).T
    return matrix, 0 * matrix, observed(covariance), np.zeros(2 * n)


def wells_truth(gfdt):
    """A run eight times as long: leading terms and remainders by likelihood ratios, an identity for every control variate."""
    result = run(gfdt, HERE / "wells.toml", 1001, "--method", "likelihood-ratio", "--control-variate", "--set", "simulation.members=800",
                 "--set", "simulation.length=2000")
    return tuple(np.array(result[key]) for key in ("jacobian", "jacobian_error", "statistics", "statistics_error"))


def column_errors(difference, truth, scale):
    return np.linalg.norm(difference / scale[:, None], axis=0) / np.linalg.norm(truth / scale[:, None], axis=0)


def spread(values):
    """Median and the middle 90 %."""
    ordered = np.sort(np.array(values), axis=0)
    return [np.quantile(ordered, q, axis=0).tolist() for q in (0.5, 0.05, 0.95)]


def study(gfdt, file, truth, seeds, options, comparison):
    matrix, matrix_error, mean, mean_error = truth
    errors, gains, held, held_means, entries, means, times, walls, methods = [], [], 0, 0, 0, 0, [], [], None
    for seed in range(1, seeds + 1):
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
        others = [run(gfdt, file, seed, "--method", "finite-difference", "--no-control-variate", *options) for seed in range(1, comparison + 1)]
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
    gfdt, seeds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
    drift = ["alpha0", "alpha1", "alpha2", "alpha3"]
    lorenz = stored_truth("lorenz96")
    lorenz_drift = (lorenz[0][:, :4], lorenz[1][:, :4], lorenz[2], lorenz[3])
    lorenz_noise = (lorenz[0][:, 4:], lorenz[1][:, 4:], lorenz[2], lorenz[3])
    document = {"command": f"past_the_paper.py gfdt {seeds}", "experiments": {}}
    for name, file, truth, options, comparison in [
        ("scalar", EXPERIMENTS / "scalar.toml", scalar_truth(gfdt), [], 3),
        ("triad", EXPERIMENTS / "triad.toml", stored_truth("triad"), [], 3),
        ("network", HERE / "network.toml", network_truth(), [], 1),
        ("wells", HERE / "wells.toml", wells_truth(gfdt), ["--set", "simulation.length=2000"], 1),
        ("lorenz96, drift", EXPERIMENTS / "lorenz96.toml", lorenz_drift,
         ["--method", "likelihood-ratio", "--parameters", ",".join(drift)], 0),
        ("lorenz96, sigma", EXPERIMENTS / "lorenz96.toml", lorenz_noise, ["--method", "finite-difference", "--parameters", "sigma", "--set", "response.steps.sigma=0.1"], 0),
    ]:
        print(name, file=sys.stderr)
        document["experiments"][name] = study(gfdt, file, truth, seeds, options, comparison)
    print(json.dumps(document, indent=1))


main()
