"""Runs our benchmark and its peers in turn on one machine and prints the ratios that are promised.

    python3 benchmarks/compare.py simulation build-bench/benchmark_simulation [rounds]
    python3 benchmarks/compare.py networks build-bench/benchmark_networks [rounds]

The machine may be noisy: a ratio is taken between the medians of interleaved rounds, and the spread of the rounds is shown.
"""

import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent

# the peer's script, arguments of our program, and: figure, reference, what the ratio must reach (None: shown only)
SUITES = {
    "simulation": (
        "numba_peers.py",
        [str(HERE.parent / "experiments")],
        [
            ("lorenz96-rk4", "numba-lorenz96-rk4", 20.0),
            ("lorenz96-rk4-every-step", "numba-lorenz96-rk4", None),
            ("lorenz96-rk4", "normals", None),
            ("lorenz96-euler", "normals", 0.5),
            ("triad-euler", "numba-triad-euler", 10.0),
            ("triad-weak2", "numba-triad-euler", None),
            ("lorenz96-rk4-interpreter", "lorenz96-rk4", 0.25),
            ("triad-euler-interpreter", "triad-euler", 0.25),
        ],
    ),
    "networks": (
        "torch_peers.py",
        [],
        [
            ("mlp-steps", "torch-mlp-steps", 30.0),
            ("unet-samples", "torch-unet-samples", 3.0),
            ("patch-samples", "torch-patch-samples", 5.0),
            ("mlp-flops", "peak-flops", None),
            ("unet-flops", "peak-flops", None),
            ("patch-flops", "peak-flops", None),
        ],
    ),
}


def figures(command):
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {line.split()[0]: float(line.split()[1]) for line in output.splitlines() if line}


def main():
    peer, arguments, ratios = SUITES[sys.argv[1]]
    program = sys.argv[2]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    seen = {}
    for _ in range(rounds):
        for command in ([program, *arguments], [sys.executable, str(HERE / peer)]):
            for name, value in figures(command).items():
                seen.setdefault(name, []).append(value)
    print(f"{'figure':<28}{'median':>12}{'lowest':>12}{'highest':>12}")
    for name, values in seen.items():
        print(f"{name:<28}{statistics.median(values):>12.3e}{min(values):>12.3e}{max(values):>12.3e}")
    print()
    missed = False
    for name, reference, wanted in ratios:
        rounds_of = [a / b for a, b in zip(seen[name], seen[reference])]
        ratio = statistics.median(seen[name]) / statistics.median(seen[reference])
        verdict = "" if wanted is None else f"  wanted {wanted:g}: {'reached' if ratio >= wanted else 'MISSED'}"
        missed |= wanted is not None and ratio < wanted
        print(f"{name} / {reference}: {ratio:.2f}  (rounds {min(rounds_of):.2f} to {max(rounds_of):.2f}){verdict}")
    sys.exit(missed)


main()
