"""How much faster ranks of MPI are than one, and what they tell each other.

    python3 benchmarks/ranks.py build/gfdt [rounds] [ranks]

Strong scaling: one and the same run, on 1 rank and on several of one thread each. Weak scaling: a run that is as many times as long in
members. A ratio is taken between runs that follow each other, and the best of the rounds is given, for the machine may be shared; the load is
shown. Times are those that the command itself measures, from the first step on: starting processes is not part of them.
Then the bytes that a rank sends, for runs of several lengths and for a calibration.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

GFDT = Path(sys.argv[1]).resolve()
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
RANKS = int(sys.argv[3]) if len(sys.argv) > 3 else 2
PROJECT = Path(__file__).resolve().parent.parent
WANTED = 0.95  # of as many times as fast as there are ranks, on as many cores

LAUNCHER = ["mpirun", *(["--allow-run-as-root"] if os.geteuid() == 0 else []), "--oversubscribe", "--bind-to", "none"]
TRAFFIC = re.compile(r"(\d+) exchanges, (\d+) bytes sent, (\d+) bytes received, ([\d.]+) s waited")


def run(ranks, folder, *arguments):
    """The result, and what rank 0 says of its traffic: exchanges, sent, received, waited."""
    place = Path(folder) / "result.json"
    done = subprocess.run([*LAUNCHER, "-n", str(ranks), GFDT, *map(str, arguments), "--threads", "1", "--quiet", "--json", place],
                          capture_output=True, text=True, cwd=folder, env={**os.environ, "GFDT_TRAFFIC": "1"})
    if done.returncode == 2:
        sys.exit(done.stderr)
    found = TRAFFIC.search(done.stderr)
    return json.loads(place.read_text()), [float(number) for number in found.groups()]


def seconds(ranks, folder, problem, members, length):
    result, _ = run(ranks, folder, "simulate", problem, "--no-control-variate", "--set", f"simulation.members={members}", "--set",
                    f"simulation.length={length}")
    return result["wall_seconds"]


def scaling(folder, name, members, length):
    problem = PROJECT / "experiments" / f"{name}.toml"
    seconds(1, folder, problem, members, length / 10)  # compiles
    strong, weak = [], []
    for _ in range(ROUNDS):
        one = seconds(1, folder, problem, members, length)
        strong.append(one / seconds(RANKS, folder, problem, members, length))
        weak.append(RANKS * one / seconds(RANKS, folder, problem, RANKS * members, length))
        print(f"  {name}: 1 rank {one:.2f} s; {RANKS} ranks {strong[-1]:.3f} times as fast (strong), {weak[-1]:.3f} (weak); "
              f"load {os.getloadavg()[0]:.1f}", flush=True)
    print(f"{name}: strong {max(strong):.3f}, weak {max(weak):.3f}, wanted {WANTED * RANKS:.2f}, best of {ROUNDS}")
    return max(strong) >= WANTED * RANKS


def traffic(folder):
    problem = PROJECT / "examples" / "climate.toml"
    for length in (100, 1000, 10000):
        _, (exchanges, sent, received, _) = run(RANKS, folder, "simulate", problem, "--no-control-variate", "--set",
                                                f"simulation.length={length}")
        print(f"simulate, length {length}: {exchanges:.0f} exchanges, {sent:.0f} bytes sent, {received:.0f} received")
    for name, command in (("climate", ["jacobian", PROJECT / "examples" / "climate.toml", "--no-report"]),
                          ("triad", ["jacobian", PROJECT / "experiments" / "triad.toml", "--no-report", "--set", "simulation.length=100"])):
        _, (exchanges, sent, received, waited) = run(RANKS, folder, *command)
        print(f"jacobian of {name}: {exchanges:.0f} exchanges, {sent:.0f} bytes sent, {received:.0f} received, {waited:.2f} s waited")
    result, (exchanges, sent, received, waited) = run(RANKS, folder, "calibrate", problem, "--no-report", "--out", "run", "--overwrite")
    iterations = len(result["iterations"])
    print(f"calibrate, {iterations} iterations: {exchanges / iterations:.0f} exchanges, {sent / iterations:.0f} bytes sent and "
          f"{received / iterations:.0f} received an iteration, {waited:.2f} s waited of {result['wall_seconds']:.2f}")


with tempfile.TemporaryDirectory() as place:
    reached = [scaling(place, "lorenz96", 128, 100), scaling(place, "triad", 128, 4000)]
    traffic(place)
sys.exit(0 if all(reached) else 1)
