"""`gfdt response` as a user meets it. Run as: response_command_test.py GFDT PROJECT_FOLDER"""

import json
import math
import sys
import unittest

from gfdt_command import Command

SCALAR = """
[model]
state = ["x"]
[model.parameters]
F0 = 0.6
a = -0.0222
b = -0.2
c = 0.0494
sigma = { value = 0.7071, lower = 0.0 }
idle = 1.0
[model.drift]
x = "F0 + a*x + b*x^2 - c*x^3"
[model.diffusion]
x = "sigma"
[observables]
m = "x"
second = "x^2"
cold = "x <= 0"
[simulation]
dt = 0.02
members = 128
length = 400.0
seed = 4
"""

SEASONAL = """
[model]
state = ["x"]
period = 2.5
[model.parameters]
alpha = 0.8
c = 1.2
beta = 0.7
[model.drift]
x = "-alpha*x + c*cos(2*pi*t/2.5)"
[model.diffusion]
x = "beta"
[model.initial]
x = { mean = 1.5, std = 0.6 }
[observables]
m = "x"
square = "x^2"
[simulation]
dt = 0.01
members = 4000
length = 7.5
scheme = "weak2"
seed = 2
"""

SERIES = "time,value\n0,0\n2,0.1\n5,0.05\n6,-0.05\n12,0\n"


class Response(Command):
    def setUp(self):
        super().setUp()
        self.scalar = self.folder / "scalar.toml"
        self.scalar.write_text(SCALAR)
        self.series = self.folder / "series.csv"
        self.series.write_text(SERIES)

    def response(self, *arguments):
        return self.run_gfdt("response", *arguments)

    def response_json(self, *arguments, status=0):
        done = self.response(*arguments, "--json", "-", "--quiet")
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout)

    def assert_agrees(self, result):
        """At about 20 times and three observables that depend on each other, five standard errors: a false alarm in
        less than 1 % of seeds. Two percent are for the time step and the size of the change."""
        stride = len(result["time"]) // 20
        for m in range(3):
            largest = max(map(abs, result["response"][m]))
            for i in range(stride, len(result["time"]), stride):
                error = math.hypot(result["response_error"][m][i], result["check_error"][m][i])
                off = abs(result["response"][m][i] - result["check"][m][i])
                self.assertLess(off, 5 * error + 0.02 * largest, (result["observables"][m], result["time"][i]))
        findings = {finding["check"]: finding for finding in result["findings"]}
        self.assertTrue(findings["perturbed ensemble"]["passed"], findings)


class OneParameter(Response):
    def test_a_step_and_the_perturbed_ensemble_agree(self):
        result = self.response_json(self.scalar, "--parameter", "F0", "--size", "0.1", "--until", "12", "--check")
        self.assert_agrees(result)
        self.assertEqual(result["observables"], ["m", "second", "cold"])
        self.assertEqual(result["parameter"], "F0")
        self.assertEqual(set(result["forcing"]), {0.1})
        self.assertAlmostEqual(result["time"][-1], 12, delta=0.1)
        for i in range(len(result["time"])):
            self.assertAlmostEqual(result["response"][0][i], 0.1 * result["step_response"][0][i], delta=1e-9)
        # <x> moves by F0·t at first.
        self.assertAlmostEqual(result["kernel"][0][0], 1, delta=5 * result["kernel_error"][0][0] + 1e-6)
        self.assertGreater(result["response"][0][-1], 20 * result["response_error"][0][-1])
        for key in ("window", "seed", "wall_seconds", "provenance", "simulated_time", "score", "longest_lag"):
            self.assertIn(key, result)

    def test_a_series_and_the_perturbed_ensemble_agree(self):
        result = self.response_json(self.scalar, "--parameter", "sigma", "--forcing", self.series, "--check")
        self.assert_agrees(result)
        self.assertAlmostEqual(result["time"][-1], 12, delta=0.1)
        self.assertAlmostEqual(max(result["forcing"]), 0.1, delta=0.002)

    def test_a_table_shows_both(self):
        done = self.response(self.scalar, "--parameter", "c", "--size", "0.005", "--check", "--until", "5")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for word in ("δc", "δ<second>", "ensemble", "off by", "perturbed ensemble"):
            self.assertIn(word, done.stdout)
        self.assertLess(len(done.stdout.split("\n\n")[0].splitlines()), 30)

    def test_a_parameter_that_stands_nowhere_has_no_response(self):
        result = self.response_json(self.scalar, "--parameter", "idle")
        self.assertEqual({value for row in result["response"] + result["response_error"] for value in row}, {0})

    def test_a_recorded_trajectory_and_a_kept_score(self):
        run = ("--set", "simulation.length=200", "--set", "simulation.cadence=5")
        self.run_gfdt("simulate", self.scalar, *run, "--trajectory", "run.nc", "--quiet")
        self.run_gfdt("score", self.scalar, *run, "--method", "gaussian", "--save", "score.json", "--quiet")
        options = ("--parameter", "F0", "--until", "4")
        recorded = self.response_json(self.scalar, *options, "--trajectory", "run.nc", "--score", "gaussian")
        model = self.response_json(self.scalar, *options, *run, "--score", "score.json")
        self.assertEqual(recorded["score"], "gaussian")
        for there, here, error in zip(recorded["response"][0], model["response"][0], model["response_error"][0]):
            self.assertAlmostEqual(there, here, delta=0.2 * error + 1e-12)
        self.assert_bad_input(self.response(self.scalar, *options, "--trajectory", "run.nc", "--check"), "--trajectory")
        self.assert_bad_input(self.response(self.scalar, *options, "--score", "kgm"), "Did you mean 'kgmm'?")

    def test_a_fitted_score_gives_the_same_response(self):
        exact = self.response_json(self.scalar, "--parameter", "F0", "--until", "6")
        fitted = self.response_json(self.scalar, "--parameter", "F0", "--until", "6", "--score", "kgmm",
                                    "--set", "score.samples=20000")
        self.assertEqual(fitted["score"], "kgmm")
        off = fitted["response"][0][-1] - exact["response"][0][-1]
        self.assertLess(abs(off), 4 * math.hypot(fitted["response_error"][0][-1], exact["response_error"][0][-1]))


class AllParameters(Response):
    def test_kernels_and_step_responses_of_all(self):
        result = self.response_json(self.scalar)
        self.assertEqual(result["parameters"], ["F0", "a", "b", "c", "sigma", "idle"])
        times = len(result["time"])
        for key in ("kernel", "kernel_error", "step_response", "step_response_error"):
            self.assertEqual([len(row) for row in result[key]], [6, 6, 6])
            self.assertEqual({len(curve) for row in result[key] for curve in row}, {times})
        self.assertEqual(result["time"][0], 0)
        self.assertAlmostEqual(result["time"][-1], result["longest_lag"], delta=0.05 * result["longest_lag"])

    def test_results_do_not_depend_on_the_number_of_threads(self):
        one, two = (self.response_json(self.scalar, "--threads", n, "--until", "3") for n in (1, 2))
        self.assertEqual(one["kernel"], two["kernel"])
        self.assertEqual(one["step_response_error"], two["step_response_error"])


class InTime(Response):
    def setUp(self):
        super().setUp()
        self.seasonal = self.folder / "seasonal.toml"
        self.seasonal.write_text(SEASONAL)

    def test_a_model_that_depends_on_time(self):
        result = self.response_json(self.seasonal, "--parameter", "c", "--size", "0.2", "--until", "2.5", "--check")
        self.assertEqual(result["score"], "gaussian")
        self.assertAlmostEqual(result["time"][-1], 2.5)
        findings = {finding["check"]: finding for finding in result["findings"]}
        self.assertTrue(findings["perturbed ensemble"]["passed"], findings)
        # <x> obeys a linear equation: its response is that of dy = (−αy + δ cos ωt) dt. Five standard errors at 50 times.
        alpha, omega = 0.8, 2 * math.pi / 2.5
        for t, found, error in zip(result["time"], result["response"][0], result["response_error"][0]):
            expected = (alpha * math.cos(omega * t) + omega * math.sin(omega * t) - alpha * math.exp(-alpha * t))
            expected *= 0.2 / (alpha**2 + omega**2)
            self.assertLess(abs(found - expected), 5 * error + 0.001, t)
        self.assertEqual([len(row) for row in result["kernel"][0]], list(range(1, len(result["time"]) + 1)))
        self.assertAlmostEqual(result["mean"][0][0], 1.5, delta=5 * result["mean_error"][0][0])

    def test_a_transient_of_a_model_that_does_not(self):
        result = self.response_json(self.scalar, "--transient", "--until", "4", "--set", "simulation.members=4000",
                                    "--set", "model.initial.x={mean=3,std=0.5}", "--parameter", "F0", "--size", "0.1",
                                    "--check", "--score", "kgmm", "--set", "score.epochs=10")
        findings = {finding["check"]: finding for finding in result["findings"]}
        self.assertTrue(findings["perturbed ensemble"]["passed"], findings)
        self.assertAlmostEqual(result["mean"][0][0], 3, delta=0.05)
        self.assertGreater(result["response"][0][-1], 5 * result["response_error"][0][-1])

    def test_all_parameters(self):
        done = self.response(self.seasonal, "--until", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        for word in ("per alpha", "per beta", "<square>"):
            self.assertIn(word, done.stdout)

    def test_too_few_members(self):
        self.assert_bad_input(self.response(self.seasonal, "--set", "simulation.members=20"), "simulation.members")


class BadInput(Response):
    def test_an_unknown_parameter(self):
        self.assert_bad_input(self.response(self.scalar, "--parameter", "sigme"), "'sigme'", "Did you mean 'sigma'?")

    def test_a_change_without_a_parameter_or_of_two_kinds(self):
        self.assert_bad_input(self.response(self.scalar, "--size", "1"), "--parameter")
        self.assert_bad_input(
            self.response(self.scalar, "--parameter", "a", "--size", "1", "--forcing", self.series), "not both")
        self.assert_bad_input(self.response(self.scalar, "--parameter", "a", "--size", "0"), "other than 0")

    def test_a_time_beyond_the_run(self):
        self.assert_bad_input(self.response(self.scalar, "--until", "500"), "simulation.length at least 500")
        self.assert_bad_input(self.response(self.scalar, "--until", "-1"), "until -1")

    def test_forcing_files(self):
        for text, words in (("time,height\n0,1\n1,2\n", ("'time' and 'value'", "height")),
                            ("value\n1\n2\n", ("no column 'time'",)),
                            ("time,value\n0,1\n", ("one row",)),
                            ("time,value\n0,1\n1,nan\n", (":3:", "not a number")),
                            ("time,value\n0,1\n2,2\n1,3\n", ("does not come after",)),
                            ("time,value\n-1,1\n2,2\n", ("shift its times",)),
                            ("time,value\n0,1\n2000,2\n", ("simulation.length",))):
            self.series.write_text(text)
            self.assert_bad_input(self.response(self.scalar, "--parameter", "a", "--forcing", self.series), *words)
        missing = self.folder / "missing.csv"
        self.assert_bad_input(self.response(self.scalar, "--parameter", "a", "--forcing", missing), "cannot be opened")

    def test_a_model_without_observables(self):
        self.scalar.write_text(SCALAR.split("[observables]")[0])
        self.assert_bad_input(self.response(self.scalar), "[observables]")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
