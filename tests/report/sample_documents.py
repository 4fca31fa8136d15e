"""Small documents of runs, as the command would write them."""

import math

NASTY = "</script><b>&\"'"
PROVENANCE = {"version": "0.1.0", "date": "2026-01-02T03:04:05Z", "command_line": "gfdt jacobian sample.toml",
              "problem_file": "sample.toml", "problem_text": "[model]\n# <b>\n", "seed": 1}


def calibration(name, shift):
    """Four evaluations on the way to two targets."""
    path = [(1 - 0.3 * i + shift, 2 + 0.4 * i) for i in range(4)]
    iterations = [{"parameters": {"p": p, NASTY: q}, "statistics": [2 * p, q], "statistics_error": [0.02, 0.03],
                   "residual": [2 * p - 0.2, q - 3.2], "jacobian": [[2.0, 0.1], [0.0, 1.0]],
                   "jacobian_error": [[0.1, 0.05], [0.02, 0.1]], "method": ["gfdt", "gfdt"], "length": 100, "spent": 100 * (i + 1),
                   "accepted": True, "mismatch": 1, "chi_square": 2, "simulated_time": 100, "wall_seconds": 0.5}
                  for i, (p, q) in enumerate(path)]
    return {"status": "within-noise", "explanation": "Done.", "name": name, "iterations": iterations,
            "targets": {"observables": ["mean", NASTY], "value": [0.2, 3.2], "covariance": [[0.0001, 0], [0, 0.0004]],
                        "source": "a file", "remarks": []},
            "parameters": dict(zip(("p", NASTY), path[-1])), "parameters_error": {"p": 0.01, NASTY: 0.05},
            "parameters_covariance": [[1e-4, 1e-4], [1e-4, 25e-4]], "parameters_correlation": [[1, 0.2], [0.2, 1]],
            "singular_values": [10, 3], "weak_directions": [], "statistics": [2 * path[-1][0], path[-1][1]],
            "statistics_error": [0.02, 0.03], "chi_square": 0.5, "chi_square_tail": 0.8, "chi_square_parts": [0.2, 0.3],
            "deviations": [0.1, 0.2], "mismatch_covariance": [[0.0005, 0], [0, 0.0013]], "simulated_time": 400,
            "wall_seconds": 2, "provenance": PROVENANCE}


def predictive(series=1):
    x = [-3 + 0.25 * i for i in range(25)]
    density = [math.exp(-v * v / 2) / math.sqrt(2 * math.pi) for v in x]
    return {"draws": 40, "length": 900, "series": [{"name": "x", "column": "nino34", "density": {
        "x": x, "model": density, "model_low": [0.8 * d for d in density], "model_high": [1.2 * d for d in density],
        "guess": [0.1] * 25, "record": density[::-1]}}] * series}
