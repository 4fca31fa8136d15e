"""Patch network and U-Net on the Lorenz-96 closure, about the same time of training: validation loss and certificate.

    python3 studies/lorenz96_scores.py build/gfdt [seeds] [cpu|cuda]

writes studies/lorenz96_scores.json, and leaves what is there of other devices. Both together tell whether training with the products of a
GPU, whose operands are rounded to eleven bits, makes certificates worse. The loss is that of predicting −z/σ, whose square is 1/σ² = 400
for a network that knows nothing.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent


def score(program, method, seed, device):
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "score.json"
        command = [program, "score", str(HERE.parent / "experiments" / "lorenz96.toml"), "--method", method, "--quiet"]
        command += ["--seed", str(seed), "--device", device, "--set", "score.validation=0.05", "--json", str(result)]
        subprocess.run(command, check=False, stderr=subprocess.DEVNULL)
        found = json.loads(result.read_text())
    return {
        "method": method,
        "seed": seed,
        "device": found["provenance"].get("device") or "cpu",
        "network": found["description"],
        "training_seconds": round(found["training"]["wall_seconds"], 1),
        "validation_loss": [round(loss, 3) for loss in found["training"]["validation_loss"]],
        "correction": found["correction"],
        "certificate": {
            check["check"]: {key: check[key] for key in ("value", "standard_error", "verdict")}
            for check in found["certificate"]["checks"]
        },
        "certificate_seconds": round(found["certificate"]["wall_seconds"], 1),
        "drift_responses": found["certificate"]["verdict"],
        "noise_responses": found["certificate"]["noise_responses"],
    }


def main():
    program = sys.argv[1]
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    device = sys.argv[3] if len(sys.argv) > 3 else "cpu"
    stored = HERE / "lorenz96_scores.json"
    others = json.loads(stored.read_text())["results"] if stored.exists() else []
    results = []
    for seed in range(1, seeds + 1):
        for method in ("patch", "unet"):
            results.append(score(program, method, seed, device))
            print(json.dumps(results[-1]), flush=True)
    results = [one for one in others if one["device"] != results[0]["device"]] + results
    results.sort(key=lambda one: (one["method"], one["seed"], one["device"]))
    stored.write_text(json.dumps({"command": "make study, make study-device", "results": results}, indent=1) + "\n")


main()
