"""What `gfdt jacobian` makes of trajectories and of bad input. Run as: jacobian_input_test.py GFDT PROJECT_FOLDER"""

import json
import math
import os
import signal
import subprocess
import sys
import time
import unittest

from gfdt_command import CACHE, GFDT
from jacobian_cases import DRIFT_ONLY, LINEAR, QUICK, SCALAR, Jacobian


class Trajectories(Jacobian):
    def record(self, name, *arguments):
        done = self.run_gfdt("simulate", self.scalar, "--trajectory", name, "--quiet", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / name

    def assert_same(self, a, b):
        for one, other in zip(a["jacobian"] + a["jacobian_error"], b["jacobian"] + b["jacobian_error"]):
            for entry, same in zip(one, other):
                self.assertLess(abs(entry - same), 1e-6 * (abs(entry) + 1e-3))

    def test_recorded_states_give_the_jacobian_of_the_run(self):
        for file, score in (("x.nc", "kgmm"), ("x.csv", "gaussian")):
            run = self.result(self.scalar, *QUICK, "--score", score)
            self.record(file)
            self.assert_same(self.result(self.scalar, *QUICK, "--score", score, "--trajectory", file), run)

    def test_terms_without_parameters_can_be_left_out_of_the_drift(self):
        part = self.file("part.toml", DRIFT_ONLY)
        self.record("x.nc")
        whole = self.result(self.scalar, "--score", "gaussian", "--trajectory", "x.nc", "--window", "8,12")
        result = self.result(part, "--score", "gaussian", "--trajectory", "x.nc", "--window", "8,12")
        for column, of_whole in ((0, 0), (1, 3)):
            self.assertAlmostEqual(result["jacobian"][0][column], whole["jacobian"][1][of_whole], places=6)

    def test_the_formulas_are_not_taken_for_the_dynamics(self):
        self.record("x.nc")
        result = self.result(self.scalar, *QUICK, "--trajectory", "x.nc")
        self.assertEqual(result["method"][0], "gfdt (kgmm)")
        self.assertEqual(result["statistics"], result["plain_statistics"])
        self.assertIn("another program", self.finding(result, "control variate")["verdict"])
        self.assert_bad_input(self.jacobian(self.scalar, "--trajectory", "x.nc", "--score", "exact"), "no exact score")
        self.assert_bad_input(self.jacobian(self.scalar, "--trajectory", "x.nc", "--method", "finite-difference"),
                              "other parameters")
        self.assert_bad_input(self.jacobian(self.scalar, "--trajectory", "x.nc", "--method", "likelihood-ratio"),
                              "the noise that drove a run")

    def test_one_long_member_is_cut_into_segments(self):
        self.record("one.nc", "--set", "simulation.members=1", "--set", "simulation.length=8000")
        one = self.result(self.scalar, "--score", "gaussian", "--trajectory", "one.nc")
        self.assertGreater(one["degrees_of_freedom"], 14)
        self.assertTrue(all(error > 0 for row in one["jacobian_error"] for error in row))

    def test_trajectories_that_cannot_be_used(self):
        lines = self.record("x.csv", "--set", "simulation.members=2").read_text().splitlines(keepends=True)
        rows = [line for line in lines if not line.startswith("#")]

        def refused(name, changed, *words):
            self.file(name, "".join(changed))
            self.assert_bad_input(self.jacobian(self.scalar, "--score", "gaussian", "--trajectory", name), *words)

        half = len(rows) // 3
        refused("nan.csv", rows[:half] + [rows[half].rsplit(",", 1)[0] + ",nan\n"] + rows[half + 1:], "not a number")
        refused("gap.csv", rows[:half] + rows[half + 1:], "not evenly spaced")
        refused("name.csv", ["member,time,y\n"] + rows[1:], "no variable 'x'", "It has y")
        refused("short.csv", ["time,x\n"] + [f"{0.02 * i:.2f},{math.sin(i):.6f}\n" for i in range(50)], "50 times", "100")
        self.assert_bad_input(self.jacobian(self.scalar, "--trajectory", "absent.nc"), "absent.nc")


class BadInput(Jacobian):
    def test_methods(self):
        self.assert_bad_input(self.jacobian(self.scalar, "--method", "fgdt"), "fgdt", "gfdt")
        self.assert_bad_input(self.jacobian(self.scalar, "--score", "kgm"), "Did you mean 'kgmm'?")
        self.assert_bad_input(self.jacobian(self.scalar, "--compare", "exact,magic"), "magic")
        self.assert_bad_input(self.jacobian(self.scalar, "--compare", "exact,exact"), "twice")
        self.assert_bad_input(self.jacobian(self.scalar, "--compare", "exact", "--score", "kgmm"), "leave out")
        self.assert_bad_input(self.jacobian(self.scalar, "--score", "finite-difference"), "--method finite-difference")
        self.assert_bad_input(self.jacobian(self.scalar, "--score", "kgmm", "--method", "finite-difference"), "no score")
        self.assert_bad_input(self.jacobian(self.scalar, "--set", "response.method=gfd"), "gfdt")

    def test_parameters(self):
        self.assert_bad_input(self.jacobian(self.scalar, "--parameters", "F"), "Did you mean 'F0'?")
        self.assert_bad_input(self.jacobian(self.scalar, "--parameters", "F0,a,F0"), "'F0' twice")

    def test_windows(self):
        for window in ("5,2", "-1,4", "nan,4", "1,inf"):
            self.assert_bad_input(self.jacobian(self.scalar, f"--window={window}"), "window")
        self.assert_bad_input(self.jacobian(self.scalar, "--window", "5"), "2")
        # Found out before the run, which would last for hours.
        self.assert_bad_input(self.jacobian(self.scalar, "--window", "1,8e8", "--set", "simulation.length=1e9"),
                              "at least 1.6e+09")

    def test_nothing_to_differentiate(self):
        self.scalar.write_text(SCALAR.replace('second = "x^2"\nm = "x"\ncold = "x <= 0"\n', ""))
        self.assert_bad_input(self.jacobian(self.scalar), "nothing to differentiate")

    def test_a_model_that_depends_on_time_is_refused(self):
        seasonal = self.file("seasonal.toml", LINEAR.replace('["x"]', '["x"]\nperiod = 2.0')
                             .replace('"-alpha*x"', '"-alpha*x + cos(pi*t)"'))
        self.assert_bad_input(self.jacobian(seasonal, "--score", "gaussian"), "depends on time")


class NumbersThatDoNotWorkOut(Jacobian):
    def test_correlations_that_do_not_decay(self):
        self.scalar.write_text(SCALAR.replace('"F0 + a*x + b*x^2 - c*x^3"', '"x - x^3"').replace("0.7071", "0.4")
                               .replace("members = 128", "members = 64"))
        done = self.jacobian(self.scalar, "--method", "gfdt", "--parameters", "sigma", "--quiet")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("do not decay", done.stderr)
        self.assertRegex(done.stderr, r"Members should be at least \d")

    def test_a_walk_that_has_no_law(self):
        self.linear.write_text(LINEAR.replace("alpha = 1.0", "alpha = 0.0"))
        done = self.jacobian(self.linear, "--quiet")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "stationarity|mixing")

    def test_runs_that_are_too_short(self):
        for method in ("gfdt", "auto"):
            short = self.result(self.scalar, "--method", method, "--set", "simulation.members=1", "--set", "simulation.length=2",
                                status=1)
            self.assertEqual(short["status"], "failed")
        done = self.jacobian(self.scalar, "--score", "kgmm", "--set", "simulation.members=1", "--set", "simulation.length=20")
        self.assert_bad_input(done, "samples are too few")
        single = self.result(self.scalar, "--set", "simulation.members=1", "--set", "simulation.length=20", "--window", "5,10",
                             status=1)
        self.assertIsNone(single["jacobian_error"][0][0])
        self.assertIn("simulation.length", self.finding(single, "mixing")["advice"])

    def test_one_member_has_error_bars_from_its_segments(self):
        for method in ("gfdt", "auto"):
            one = self.result(self.linear, "--method", method, "--set", "simulation.members=1", "--set", "simulation.length=8000")
            # With 32 segments at the least of 8 degrees of freedom a false alarm is rarer than 1 in 10³.
            self.assert_close(one, 0, 0, -0.5, standard_errors=5)

    def test_members_that_blow_up(self):
        done = self.jacobian(self.scalar, "--set", "model.drift.x=F0 + x^3", "--quiet", "--json", "-")
        self.assertEqual(done.returncode, 1)
        self.assertIn("blew up", done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual((result["status"], len(result["jacobian"])), ("failed", len(result["observables"])))

    def interrupt(self, *arguments):
        process = subprocess.Popen([GFDT, "jacobian", *map(str, arguments)], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env={**os.environ, "GFDT_CACHE": CACHE})
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=20)
        return process.returncode, output, errors

    def test_an_interrupted_run_says_so_and_writes_nothing(self):
        self.result(self.scalar)  # code is compiled and kept
        for method in ("kgmm", "finite-difference", "auto"):
            status, output, errors = self.interrupt(self.scalar, "--set", "simulation.length=1e7", "--compare", method,
                                                    "--out", "results", "--json", "result.json")
            self.assertEqual(status, 1, errors)
            self.assertEqual(output, "")
            self.assertIn("stopped before its end", errors)
            self.assertEqual(list((self.folder / "results").iterdir()), [])
            self.assertFalse((self.folder / "result.json").exists())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose"])
