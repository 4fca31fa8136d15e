"""A synthetic calibration with many parameters, as its documents would be."""

import math
import random


def large_calibration(parameters=80, targets=60, provenance=None):
    """Two evaluations; the errors grow with the index of the parameter, neighbours are correlated, and eight of the
    parameters are not separately identifiable."""
    noise = random.Random(7)
    names, statistics = [f"k{i}" for i in range(parameters)], [f"c{i}" for i in range(targets)]
    guess = [1 + 0.01 * i for i in range(parameters)]
    error = [0.001 * 1.1 ** (i / 2) for i in range(parameters)]
    answer = [value + noise.gauss(0, 4) * sigma for value, sigma in zip(guess, error)]
    correlation = [[(-0.9) ** abs(i - j) for j in range(parameters)] for i in range(parameters)]
    value = [math.sin(m) for m in range(targets)]
    model = [v + noise.gauss(0, 0.02) for v in value]
    start = [v + noise.gauss(0, 0.5) for v in value]

    def evaluation(at, found, spent):
        return {"parameters": dict(zip(names, at)), "statistics": found, "statistics_error": [0.005] * targets,
                "residual": [f - v for f, v in zip(found, value)], "deviations": [(f - v) / 0.02 for f, v in zip(found, value)],
                "jacobian": [[math.cos(m * j) for j in range(parameters)] for m in range(targets)],
                "jacobian_error": [[0.05] * parameters] * targets, "method": ["control-variate"] * parameters, "length": 100,
                "spent": spent, "accepted": True, "mismatch": 1, "chi_square": 2, "simulated_time": 100, "wall_seconds": 0.5,
                "remarks": [], "warnings": []}

    last = evaluation(answer, model, 200)
    weak = {"direction": {name: float(i < 8) for i, name in enumerate(names)}, "relative_error": None,
            "words": ", ".join(names[:7]) + " and k7 are not separately identifiable from these statistics: changes in the ratio "
                     + " : ".join(["+1"] * 8) + " have no effect."}
    return {"status": "within-noise", "converged": True, "explanation": "The parameters are at the minimum.", "name": "auto",
            "iterations": [evaluation(guess, start, 100), last], "parameters": last["parameters"],
            "targets": {"observables": statistics, "value": value, "source": "given", "remarks": [],
                        "covariance": [[0.0004 * (m == n) for n in range(targets)] for m in range(targets)]},
            "parameters_error": dict(zip(names, error)), "parameters_correlation": correlation,
            "parameters_covariance": [[correlation[i][j] * error[i] * error[j] for j in range(parameters)] for i in range(parameters)],
            "singular_values": [100 / (i + 1) for i in range(parameters)], "weak_directions": [weak],
            "statistics": model, "statistics_error": last["statistics_error"], "deviations": last["deviations"],
            "chi_square": 41, "chi_square_tail": 0.9, "chi_square_parts": [d * d for d in last["deviations"]],
            "goodness_of_fit": {"chi_square": 41, "degrees_of_freedom": 0, "fitted": targets, "p_value": 1, "level": 0.001},
            "mismatch_covariance": [[0.0004 * (m == n) for n in range(targets)] for m in range(targets)],
            "simulated_time": 200, "wall_seconds": 1, "provenance": provenance}
