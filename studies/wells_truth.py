"""The Jacobian of the ring of wells by central differences with common random numbers, 6.4 million time units a run.

usage: wells_truth.py GFDT > studies/truth_wells.json
"""

import json
import sys

from jacobians import STUDIES, run

OPTIONS = ["--method", "finite-difference", "--set", "simulation.members=3200", "--set", "simulation.length=2000"]
SEED = 1001

result = run(sys.argv[1], STUDIES / "wells.toml", SEED, *OPTIONS)
keys = ("parameters", "observables", "step", "simulated_time", "jacobian", "jacobian_error", "statistics", "statistics_error")
print(json.dumps({
    "experiment": "wells", "command": " ".join(["gfdt jacobian studies/wells.toml", *OPTIONS, "--seed", str(SEED)]),
    "method": "central differences with common random numbers; standard errors hold a bound of the bias of the step",
    **{key: result[key] for key in keys},
}, indent=1))
