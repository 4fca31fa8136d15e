"""Every command ends, with its default output, at any number of ranks.
Run as: ranks_output_test.py GFDT PROJECT_FOLDER MPIEXEC RANKS_APART, the last being the program of ranks_apart.cpp"""

import sys
import time

import ranks
from calibrate_cases import LINEAR, TARGETS
from ranks_command_test import TRANSIENT

PROBLEM = LINEAR.replace("length = 100.0", "length = 20.0") + "iterations = 2\n" + TARGETS


class DefaultOutput(ranks.Ranks):
    """Commands write the files that one process writes, and end with its exit status."""

    def outcome(self, count, commands):
        """Exit statuses of the commands, one after the other in one folder, and what is there in the end."""
        folder = self.folder / f"by-{count}"
        folder.mkdir()
        statuses = []
        for command in commands:
            run = self.run_gfdt if count == 1 else lambda *arguments, folder: self.run_ranks(count, *arguments, folder=folder, timeout=200)
            done = run(*command, folder=folder)
            self.assertNotIn("diverged", done.stderr)
            statuses.append(done.returncode)
        return statuses, sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())

    def assert_same(self, *commands, writes=()):
        alone = self.outcome(1, commands)
        for count in (2, 3):
            self.assertEqual(self.outcome(count, commands), alone, f"{count} ranks")
        for name in writes:
            self.assertIn(name, alone[1])
        return alone[0]

    def setUp(self):
        super().setUp()
        self.problem = self.file("linear.toml", PROBLEM)

    def test_simulate(self):
        self.assert_same(("simulate", self.problem, "--out", "results", "--trajectory", "states.csv"),
                         ("simulate", self.problem, "--json", "result.json"), writes=["results/states.csv", "result.json"])

    def test_check(self):
        self.assert_same(("check", self.problem, "--json", "check.json"), writes=["check.json"])

    def test_jacobian(self):
        self.assert_same(("jacobian", self.problem), ("jacobian", self.problem, "--out", "chosen", "--compare", "exact,likelihood-ratio"),
                         writes=["linear-jacobian/report.html", "chosen/report.html"])

    def test_score(self):
        self.assert_same(("score", self.problem, "--save", "score.json"), writes=["score.json"])

    def test_response(self):
        transient = self.file("transient.toml", TRANSIENT)
        self.assert_same(("response", self.problem, "--parameter", "mu", "--until", "2", "--out", "response"),
                         ("response", transient, "--transient", "--parameter", "f", "--json", "response.json"),
                         writes=["response/report.html", "response.json"])

    def test_calibrate(self):
        """Also where the run is there already, is resumed, and is replaced; and the page of it, made anew."""
        run = ("calibrate", self.problem, "--out", "run")
        self.assert_same(run, run, (*run, "--resume"), ("report", "run"), (*run, "--overwrite"),
                         writes=["run/report.html", "run/result.json"])

    def test_calibrate_with_several_methods(self):
        self.assert_same(("calibrate", self.problem, "--compare", "auto,ensemble-kalman"), writes=["linear-run/comparison.json"])

    def test_a_calibration_that_fails(self):
        far = self.file("far.toml", PROBLEM.replace("m = { value = 0.5, std = 0.01 }", "tail = { value = 1.5, std = 0.01 }"))
        unstable = self.file("unstable.toml", PROBLEM.replace("-alpha*(x - mu)", "alpha*(x - mu)^3"))
        self.assertEqual(self.assert_same(("calibrate", far), ("calibrate", unstable)), [2, 1])

    def test_reproduce(self):
        short = ("--set", "simulation.length=20", "--set", "simulation.members=200")
        self.assert_same(("reproduce", "ou", *short), ("reproduce", "scalar", "--calibrate", *short, "--set", "calibration.iterations=1"),
                         writes=["ou-reproduce/report.html"])

    def test_what_needs_no_run(self):
        self.assert_same(("models",), ("reference",), ("man",), ("--version",), ("init", "new"), ("calibrate", "nowhere.toml"), ("nonsense",),
                         writes=["new.toml"])


class Apart(ranks.Ranks):
    def test_a_rank_that_waits_for_one_that_has_ended_says_so(self):
        """No command may do it; a program that does stands for an error in one."""
        start = time.monotonic()
        done = self.run_launched([*self.launcher("-n", "3"), sys.argv[4]], timeout=60)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.said_once(done, "rank 0 waits for the others at 'an exchange of its own', and rank ")
        self.assertLess(time.monotonic() - start, 30)


if __name__ == "__main__":
    ranks.main()
