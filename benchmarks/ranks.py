"""How much faster ranks of MPI are than one, and what they tell each other.

    python3 benchmarks/ranks.py build/gfdt [rounds] [ranks]

Strong scaling: one and the same run, on 1 rank and on several of one thread each; as many threads of one process stand beside it. Weak
scaling: as many times the members on as many ranks. Rounds are interleaved. The machine may be shared: the ratio that counts is that of the
shortest times, which no neighbour can make better than it is; ratios of pairs that followed each other and the load are shown too. Times are
those that the command measures of its run: starting processes is not part of them.
Then the bytes that a rank sends, for runs of several lengths and for a calibration.
"""

import json
import os
import re
import statistics
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


def run(ranks, folder, *arguments, threads=1):
    """The result, and what rank 0 says of its traffic: exchanges, sent, received, waited."""
    place = Path(folder) / "result.json"
    done = subprocess.run([*LAUNCHER, "-n", str(ranks), GFDT, *map(str, arguments), "--threads", str(threads), "--quiet", "--json", place],
                          capture_output=True, text=True, cwd=folder, env={**os.environ, "GFDT_TRAFFIC": "1"})
    if done.returncode == 2:
        sys.exit(done.stderr)
    found = TRAFFIC.search(done.stderr)
    return json.loads(place.read_text()), [float(number) for number in found.groups()]


def seconds(ranks, threads, folder, problem, members, length):
    result, _ = run(ranks, folder, "simulate", problem, "--no-control-variate", "--set", f"simulation.members={members}", "--set",
                    f"simulation.length={length}", threads=threads)
    return result["wall_seconds"] - result.get("compile_seconds", 0)


def scaling(folder, name, members, length):
    problem = PROJECT / "experiments" / f"{name}.toml"
    seconds(1, 1, folder, problem, members, length / 10)  # compiles
    kinds = {"one": (1, 1, members), "ranks": (RANKS, 1, members), "threads": (1, RANKS, members), "more": (RANKS, 1, RANKS * members)}
    times = {kind: [] for kind in kinds}
    for _ in range(ROUNDS):
        for kind, (ranks, threads, count) in kinds.items():
            times[kind].append(seconds(ranks, threads, folder, problem, count, length))
        one, several, threads, more = (times[kind][-1] for kind in kinds)
        print(f"  {name}: {one:.2f} s; {RANKS} ranks {one / several:.3f} times as fast, {RANKS} threads {one / threads:.3f}; "
              f"{RANKS} times the members {RANKS * one / more:.3f}; load {os.getloadavg()[0]:.1f}", flush=True)
    shortest = {kind: min(times[kind]) for kind in kinds}
    pairs = [one / several for one, several in zip(times["one"], times["ranks"])]
    strong, weak = shortest["one"] / shortest["ranks"], RANKS * shortest["one"] / shortest["more"]
    print(f"{name}: shortest times of {ROUNDS} rounds: strong {strong:.3f}, weak {weak:.3f} (threads {shortest['one'] / shortest['threads']:.3f}), "
          f"wanted {WANTED * RANKS:.2f}; interleaved pairs: best {max(pairs):.3f}, median {statistics.median(pairs):.3f}")
    return strong >= WANTED * RANKS


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
    reached = [scaling(place, "lorenz96", 128, 1000), scaling(place, "triad", 128, 4000)]
    traffic(place)
sys.exit(0 if all(reached) else 1)
