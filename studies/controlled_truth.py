"""The Jacobian of the triad by central differences of statistics that control variates make nearly free of noise, with Richardson's rule.

<A + L u> is <A> for every u, and the differences know nothing of leading terms, remainders or lags: a truth that is independent of what is judged by it.

usage: controlled_truth.py GFDT [SEEDS] > studies/truth_triad.json
"""

import json
import subprocess
import sys

import numpy as np

from jacobians import EXPERIMENTS, column_errors

FILE = EXPERIMENTS / "triad.toml"
PARAMETERS = {"d_u": 0.24, "omega": 0.32, "d_tau": 2.2, "sigma1": 0.36, "sigma2": 0.27, "sigma3": 1.575}
STEP = 0.15  # of a parameter's value; half of it is the other
FIRST_SEED = 1001


def statistics_at(gfdt, seed, name=None, value=None):
    change = ["--set", f"model.parameters.{name}={value!r}"] if name else []
    output = subprocess.run([gfdt, "simulate", str(FILE), "--seed", str(seed), "--quiet", "--json", "-", *change], check=True,
                            capture_output=True, text=True).stdout
    result = json.loads(output)
    return result["observables"], np.array(result["statistics"]), np.array(result["standard_deviation"]), result["simulated_time"]


def main():
    gfdt, seeds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 40
    means, deviations, jacobians = [], [], []
    for seed in range(FIRST_SEED, FIRST_SEED + seeds):
        names, mean, deviation, time = statistics_at(gfdt, seed)
        means.append(mean)
        deviations.append(deviation)
        columns = []
        for name, value in PARAMETERS.items():
            slope = {}
            for step in (STEP * value, STEP * value / 2):
                above, below = (statistics_at(gfdt, seed, name, value + side * step)[1] for side in (1, -1))
                slope[step] = (above - below) / (2 * step)
            wide, narrow = slope.values()
            columns.append((4 * narrow - wide) / 3)
        jacobians.append(np.array(columns).T)
    summary = lambda values: (np.mean(values, axis=0).tolist(), (np.std(values, axis=0, ddof=1) / np.sqrt(seeds)).tolist())
    jacobian, jacobian_error = summary(jacobians)
    statistic, statistic_error = summary(means)
    scale = np.mean(deviations, axis=0)
    print(json.dumps({
        "experiment": "triad", "command": f"controlled_truth.py gfdt {seeds}", "problem_file": "experiments/triad.toml",
        "method": f"central differences of controlled statistics, steps of {STEP} and {STEP / 2} of each parameter, S = (4 S(h/2) - S(h))/3; "
                  "standard errors from the spread over seeds",
        "seeds": seeds, "length": 1000.0, "simulated_time": seeds * (1 + 4 * len(PARAMETERS)) * time, "parameters": list(PARAMETERS), "values": list(PARAMETERS.values()), "observables": names, "jacobian": jacobian, "jacobian_error": jacobian_error,
        "statistics": statistic, "statistics_error": statistic_error, "standard_deviations": scale.tolist(),
        "relative_to": "column norms of the Jacobian, rows scaled by standard_deviations",
        "column_error": column_errors(np.array(jacobian_error), np.array(jacobian), scale).tolist(),
    }, indent=1))


main()
