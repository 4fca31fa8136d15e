"""Any number of ranks ends in the bits of one process. Run as: ranks_command_test.py GFDT PROJECT_FOLDER MPIEXEC"""

import json
import unittest

import ranks
from calibrate_cases import LEARNED, LINEAR, TARGETS, own_simulator

# Members of four blocks, and of three: there are shares for all ranks, and not the same.
LINEAR = LINEAR.replace("members = 64", "members = 200").replace("length = 100.0", "length = 40.0")
LEARNED = LEARNED.replace("members = 32", "members = 150").replace("length = 100.0", "length = 40.0")

# Half of the members start where the drift throws them out: they are run again.
UNSTABLE = """
[model]
state = ["x"]
parameters = { a = 1.0 }
drift = { x = "-a*x + 0.1*x^3" }
diffusion = { x = "0.5" }
initial = { x = { mean = 0.0, std = 2.5 } }
[observables]
m = "x"
v = "x^2"
[simulation]
dt = 0.01
members = 200
length = 4.0
burn_in = 1.0
seed = 2
"""

TRANSIENT = """
[model]
state = ["x"]
parameters = { a = 1.0, f = 0.2 }
drift = { x = "f - a*x^3" }
diffusion = { x = "0.5" }
initial = { x = { mean = 1.0, std = 0.3 } }
[observables]
m = "x"
[simulation]
dt = 0.02
members = 300
length = 1.0
seed = 4
"""


class SameBits(ranks.Ranks):
    def assert_same(self, *arguments, counts=ranks.COUNTS):
        """All of the JSON document but the cost."""
        alone = self.run_gfdt(*arguments, "--quiet", "--json", "alone.json")
        self.assertIn(alone.returncode, (0, 1), alone.stderr)
        expected = ranks.without_cost(json.loads((self.folder / "alone.json").read_text()))
        for count in counts:
            done = self.run_ranks(count, *arguments, "--quiet", "--threads", "1", "--json", "ranks.json")
            self.assertEqual(done.returncode, alone.returncode, done.stderr)
            found = json.loads((self.folder / "ranks.json").read_text())
            self.assertEqual(ranks.without_cost(found), expected, f"{count} ranks")
            self.assertEqual(found["provenance"].get("ranks", 1), count)
        return expected

    def test_simulate(self):
        self.assert_same("simulate", self.file("linear.toml", LINEAR))

    def test_members_that_are_run_again(self):
        found = self.assert_same("simulate", self.file("unstable.toml", UNSTABLE), "--no-control-variate", "--backend", "interpreter", counts=(3,))
        self.assertGreater(found["replaced_members"], 3)

    def test_single_precision(self):
        problem = self.file("linear.toml", LINEAR)
        self.assert_same("simulate", problem, "--set", "simulation.precision=float", counts=(3,))

    def test_jacobians(self):
        problem = self.file("linear.toml", LINEAR + TARGETS)
        self.assert_same("jacobian", problem, "--no-report", "--set", "simulation.length=20.0", "--compare",
                         "auto,exact,finite-difference,likelihood-ratio", counts=(2, 3))

    def test_a_cross_fit(self):
        found = self.assert_same("jacobian", self.file("learned.toml", LEARNED), "--no-report", "--score", "kgmm", counts=(2, 3))
        self.assertEqual(len(found["score"]["certificates"]), 2)

    def test_score(self):
        problem = self.file("learned.toml", LEARNED)
        self.assert_same("score", problem, "--set", "score.epochs=3", counts=(2,))

    def test_responses(self):
        problem = self.file("linear.toml", LINEAR)
        self.assert_same("response", problem, "--parameter", "mu", "--until", "2", "--check", counts=(3,))

    def test_transient_responses(self):
        problem = self.file("transient.toml", TRANSIENT)
        self.assert_same("response", problem, "--transient", "--parameter", "f", counts=(2,))

    def test_calibrate(self):
        problem = self.file("linear.toml", LINEAR + TARGETS)
        for method in ("auto", "likelihood-ratio", "finite-difference", "ensemble-kalman"):
            with self.subTest(method=method):
                self.assert_same("calibrate", problem, "--no-report", "--out", method, "--overwrite", "--method", method, "--set",
                                 "calibration.iterations=1", "--set", "simulation.length=20.0", counts=(3,))

    def test_calibrate_with_a_learned_score(self):
        problem = self.file("learned.toml", LEARNED)
        self.assert_same("calibrate", problem, "--no-report", "--out", "run", "--overwrite", "--set",
                         "calibration.iterations=1", "--method", "kgmm", counts=(2,))

    def test_calibrate_a_program(self):
        self.assert_same("calibrate", own_simulator(self.folder), "--no-report", "--out", "run", "--overwrite", "--method",
                         "ensemble-kalman", "--set", "calibration.iterations=1", "--set", "calibration.ensemble=5", counts=(2, 3))

    def test_a_trajectory_is_written_whole_and_read_again(self):
        problem = self.file("linear.toml", LINEAR)
        few = ("--set", "simulation.length=5.0", "--set", "simulation.members=20", "--quiet")
        self.assertIn(self.run_gfdt("simulate", problem, *few, "--trajectory", "alone.csv").returncode, (0, 1))
        self.assertIn(self.run_ranks(3, "simulate", problem, *few, "--trajectory", "ranks.csv").returncode, (0, 1))
        rows = [[line for line in (self.folder / name).read_text().splitlines() if not line.startswith("#")]
                for name in ("alone.csv", "ranks.csv")]
        self.assertGreater(len(rows[0]), 100)
        self.assertEqual(*rows)
        self.assert_same("jacobian", problem, "--no-report", "--trajectory", "alone.csv", "--score", "gaussian", counts=(2,))


if __name__ == "__main__":
    ranks.main()
