"""Do the error bars of averages hold? Many seeds of the one-dimensional experiments against quadrature of their densities.

    python3 studies/statistics_study.py build/gfdt [seeds]        writes studies/statistics.json

A one-dimensional model dx = F dt + Σ dW has the density ρ ∝ exp(∫ 2F/D)/D with D = Σ².
"""

import json
import math
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
T_95 = 1.984  # Student's t for 99 degrees of freedom: 100 members


def quadrature(force, noise2, observables, low=-12.0, high=12.0, steps=200000):
    width = (high - low) / steps
    points = [low + width * i for i in range(steps + 1)]
    exponent, logs = 0.0, []
    for i, x in enumerate(points):
        if i > 0:
            middle = x - width / 2
            exponent += width * 2 * force(middle) / noise2(middle)
        logs.append(exponent - math.log(noise2(x)))
    top = max(logs)
    weights = [math.exp(value - top) for value in logs]
    total = sum(weights)
    return [sum(w * f(x) for w, x in zip(weights, points)) / total for f in observables]


EXPERIMENTS = {
    "ou": quadrature(lambda x: -x, lambda x: 1.0, [lambda x: x * x]),
    "quartic": quadrature(lambda x: x - x**3, lambda x: 2.0, [lambda x: x, lambda x: x * x, lambda x: float(x > 2)]),
    "scalar": quadrature(
        lambda x: 0.72 - 0.02664 * x - 0.2 * x * x - 0.0494 * x**3,
        lambda x: 0.84852**2,
        [lambda x: x, lambda x: x * x, lambda x: float(x <= 2.5)],
    ),
}


def main():
    program = sys.argv[1]
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    result = {"command": "python3 studies/statistics_study.py build/gfdt", "seeds": seeds, "experiments": {}}
    for name, exact in EXPERIMENTS.items():
        deviations = [[] for _ in exact]
        for seed in range(1, seeds + 1):
            file = HERE.parent / "experiments" / f"{name}.toml"
            command = [program, "simulate", str(file), "--seed", str(seed), "--json", "-", "--quiet"]
            run = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
            for i, value in enumerate(exact):
                deviations[i].append((run["statistics"][i] - value) / run["statistics_error"][i])
        rows = {}
        for observable, value, z in zip(run["observables"], exact, deviations):
            rows[observable] = {
                "exact": round(value, 6),
                "mean_deviation_in_its_own_errors": round(sum(z) / math.sqrt(seeds), 2),
                "coverage_of_95_percent": sum(abs(d) < T_95 for d in z) / seeds,
                "rms_deviation": round(math.sqrt(sum(d * d for d in z) / seeds), 3),
            }
            print(name, observable, rows[observable])
        result["experiments"][name] = rows
    (HERE / "statistics.json").write_text(json.dumps(result, indent=2) + "\n")


main()
