"""Simulated time that calibrations of the triad take to the noise of targets and simulation, by method, over seeds.

usage: calibration_cost.py GFDT [SEEDS] > studies/calibration_cost.json
"""

import json
import statistics
import subprocess
import sys

METHODS = ["kgmm", "gaussian", "finite-difference", "ensemble-kalman"]


def main():
    gfdt, seeds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    runs = []
    for seed in range(1, seeds + 1):
        command = [gfdt, "reproduce", "triad", "--calibrate", "--no-report", "--compare", ",".join(METHODS), "--seed", str(seed)]
        document = json.loads(subprocess.run([*command, "--json", "-", "--quiet"], check=True, capture_output=True,
                                             text=True).stdout)
        truth = document["truth"]
        for one in document["calibrations"]:
            error = {name: one["parameters_error"][name] for name in truth}
            runs.append({
                "seed": seed,
                "method": one["name"],
                "status": one["status"],
                "steps": len(one["iterations"]) - 1,
                "mismatch": one["mismatch"],
                "time_to_noise": one["time_to_noise"],
                "simulated_time": one["simulated_time"],
                "wall_seconds": one["wall_seconds"],
                "region_holds_truth": one.get("region_holds_truth"),
                "parameters": one["parameters"],
                "deviations": {name: (one["parameters"][name] - truth[name]) / error[name] if error[name] else None
                               for name in truth},
                "relative_errors": {name: one["parameters"][name] / truth[name] - 1 for name in truth},
            })
        print(f"seed {seed} done", file=sys.stderr)
    summary = {}
    for method in METHODS:
        own = [run for run in runs if run["method"] == method]
        reached = [run["time_to_noise"] for run in own if run["time_to_noise"] is not None]
        summary[method] = {
            "reached_the_noise": len(reached),
            "median_time_to_noise": statistics.median(reached) if reached else None,
            "median_simulated_time": statistics.median(run["simulated_time"] for run in own),
            "median_steps": statistics.median(run["steps"] for run in own),
            "region_holds_truth": sum(bool(run["region_holds_truth"]) for run in own),
        }
    print(json.dumps({"experiment": "triad", "seeds": seeds, "summary": summary, "runs": runs}, indent=1))


main()
