"""Commands on a GPU and on the host, compared. Tests are called as TEST.py GFDT ROOT [FOLDER of an emulated GPU's libraries]."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GFDT, ROOT = sys.argv[1], Path(sys.argv[2])
EMULATED = sys.argv[3] if len(sys.argv) > 3 else None
SKIPPED = 77
SCRATCH = tempfile.TemporaryDirectory()
SOURCES = Path(SCRATCH.name) / "sources"  # device code that the emulated GPU has compiled
SOURCES.mkdir()

PROBE = """
[model]
state = ["x"]
[model.drift]
x = "-x"
[model.diffusion]
x = "1"
[simulation]
dt = 0.1
length = 10.0
"""


def gfdt(*arguments, **more):
    environment = dict(os.environ, XDG_CACHE_HOME=SCRATCH.name, TMPDIR=SCRATCH.name, **more)
    if EMULATED:
        environment.update(LD_LIBRARY_PATH=EMULATED, GFDT_EMULATED_SOURCES=str(SOURCES))
    return subprocess.run([GFDT, *map(str, arguments)], capture_output=True, text=True, env=environment)


def compiled(words):
    """Whether code with these words was made, where that can be seen."""
    return not EMULATED or any(words in code.read_text() for code in SOURCES.iterdir())


def simulate(file, *arguments, **more):
    done = gfdt("simulate", file, "--json", "-", "--quiet", "--no-control-variate", *arguments, **more)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


def trajectories(file, *arguments):
    """The states of a run on the host and of the same on the device, a list of rows each."""
    paths = []
    for device in ("cpu", "cuda"):
        out = Path(SCRATCH.name) / f"{device}.csv"
        done = gfdt("simulate", file, "--quiet", "--no-control-variate", "--trajectory", out, "--device", device, *arguments)
        assert done.returncode in (0, 1), done.stderr  # 1: the runs are too short for reliable averages
        rows = [line for line in out.read_text().splitlines() if line[:1].isdigit()]
        paths.append([[float(number) for number in row.split(",")] for row in rows])
    return paths


class Comparison(unittest.TestCase):
    def assert_agree(self, one, other, tolerance):
        """Both runs have the same random numbers: means differ by rounding alone, and so do their errors."""
        for key in ("statistics", "statistics_error", "standard_deviation", "autocorrelation_time"):
            self.assertEqual((len(one[key]), len(other[key])), (len(other["observables"]),) * 2, key)
            for value, expected, scale in zip(one[key], other[key], other["standard_deviation"]):
                self.assertLess(abs(value - expected), tolerance * (abs(expected) + scale), key)

    def assert_same_paths(self, paths, tolerance):
        self.assertEqual(len(paths[0]), len(paths[1]))
        self.assertGreater(len(paths[0]), 0)
        self.assertLess(max(abs(a - b) for one, other in zip(*paths) for a, b in zip(one, other)), tolerance)


def main():
    if not EMULATED:
        file = Path(SCRATCH.name) / "probe.toml"
        file.write_text(PROBE)
        probe = gfdt("simulate", file, "--device", "cuda", "--quiet")
        if probe.returncode == 2 and ("no NVIDIA driver" in probe.stderr or "no GPU" in probe.stderr or "no compiler for GPUs" in probe.stderr):
            print("skipped:", probe.stderr.strip())
            sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0]])
