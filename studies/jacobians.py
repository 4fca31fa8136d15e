"""What studies of Jacobians share: runs, truths, and how errors are measured."""

import json
import subprocess
from pathlib import Path

import numpy as np

STUDIES = Path(__file__).resolve().parent
EXPERIMENTS = STUDIES.parent / "experiments"
FIRST_SEED = 2  # the truth of Lorenz-96 has 1


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
    truth = json.loads((STUDIES / f"truth_{name}.json").read_text())
    return tuple(np.array(truth[key]) for key in ("jacobian", "jacobian_error", "statistics", "statistics_error"))


def network_truth():
    """Of the linear network, by Lyapunov's equation A C + C A^T + D = 0 and its derivatives."""
    values = {}
    for line in (STUDIES / "network.toml").read_text().split("[model.parameters]")[1].split("[model.drift]")[0].splitlines():
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


def column_errors(difference, truth, scale):
    return np.linalg.norm(difference / scale[:, None], axis=0) / np.linalg.norm(truth / scale[:, None], axis=0)
