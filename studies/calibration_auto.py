"""Simulated time that calibrations of the triad take with the default method: until the mismatch that calibrations with a learned score end
with (studies/calibration_cost.json), and to their own noise.

usage: calibration_auto.py GFDT [SEEDS] > studies/calibration_auto.json
"""

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main():
    gfdt, seeds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    learned = json.loads((HERE / "calibration_cost.json").read_text())
    level = statistics.median(run["mismatch"] for run in learned["runs"] if run["method"] == "kgmm")
    truth = {"d_u": 0.2, "omega": 0.4, "d_tau": 2.0, "sigma1": 0.3, "sigma2": 0.3, "sigma3": 1.5}
    runs = []
    for seed in range(1, seeds + 1):
        command = [gfdt, "calibrate", str(HERE.parent / "experiments" / "triad.toml"), "--no-report", "--seed", str(seed), "--json", "-", "--quiet"]
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([*command, "--out", folder + "/run"], capture_output=True, text=True)
        result = json.loads(done.stdout)
        spent, to_level = 0, None
        for step in result["iterations"]:
            spent += step["simulated_time"]
            if to_level is None and step["mismatch"] <= level:
                to_level = spent
        runs.append({
            "seed": seed, "status": result["status"], "steps": len(result["iterations"]) - 1, "mismatch": result["mismatch"],
            "time_to_level": to_level, "simulated_time": result["simulated_time"], "wall_seconds": result["wall_seconds"],
            "deviations": {name: (result["parameters"][name] - truth[name]) / result["parameters_error"][name] for name in truth},
            "relative_errors": {name: result["parameters"][name] / truth[name] - 1 for name in truth},
        })
        print(f"seed {seed} done", file=sys.stderr)
    reached = [run["time_to_level"] for run in runs if run["time_to_level"]]
    deviations = [abs(value) for run in runs for value in run["deviations"].values()]
    print(json.dumps({
        "experiment": "triad", "command": f"calibration_auto.py gfdt {seeds}", "seeds": seeds, "level": level,
        "learned_score_time": learned["summary"]["kgmm"]["median_time_to_noise"],
        "median_time_to_level": statistics.median(reached) if reached else None,
        "median_simulated_time": statistics.median(run["simulated_time"] for run in runs),
        "converged": sum(run["status"] == "within-noise" for run in runs),
        "parameters_within_two_errors": sum(value <= 2 for value in deviations) / len(deviations), "runs": runs,
    }, indent=1))


main()
