"""`gfdt jacobian` as a user meets it. Run as: jacobian_command_test.py GFDT PROJECT_FOLDER"""

import json
import math
import os
import signal
import subprocess
import sys
import time
import unittest

from gfdt_command import GFDT, Command

SCALAR = """
[model]
state = ["x"]
[model.parameters]
F0 = 0.6
a = -0.0222
b = -0.2
c = 0.0494
sigma = { value = 0.7071, lower = 0.0 }
[model.drift]
x = "F0 + a*x + b*x^2 - c*x^3"
[model.diffusion]
x = "sigma"
[observables]
second = "x^2"
m = "x"
cold = "x <= 0"
[simulation]
dt = 0.02
members = 128
length = 100.0
seed = 4
"""

LINEAR = """
[model]
state = ["x"]
[model.parameters]
alpha = 1.0
beta = 1.0
idle = 3.0
level = 0.5
[model.drift]
x = "-alpha*x"
[model.diffusion]
x = "beta"
[observables]
v = "x^2"
[simulation]
dt = 0.02
members = 64
length = 60.0
scheme = "weak2"
seed = 2
"""

DRIFT_ONLY = """
[model]
state = ["x"]
[model.parameters]
F0 = 0.6
c = 0.0494
[model.drift]
x = "F0 - c*x^3"
[observables]
m = "x"
"""

SHARED_NOISE = """
[model]
state = ["X[k]"]
[model.sites]
k = 6
[model.parameters]
a = 1.0
s = 0.5
r = 1.0
[model.drift]
X = "-a*X[k]"
[model.diffusion]
X = { w = "s", "v[k]" = "r" }
[observables]
V = "mean(k, X[k]^2)"
[simulation]
dt = 0.02
members = 64
length = 60.0
"""

# A fit that is quick and good enough to tell numbers apart.
QUICK = ("--set", "score.samples=20000", "--set", "score.epochs=10", "--set", "score.hidden=[16]")
KEYS = ["observables", "parameters", "statistics", "statistics_error", "jacobian", "jacobian_error", "method", "window",
        "simulated_time", "wall_seconds", "seed"]


class Jacobian(Command):
    def setUp(self):
        super().setUp()
        self.scalar = self.file("scalar.toml", SCALAR)
        self.linear = self.file("linear.toml", LINEAR)

    def file(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def jacobian(self, *arguments):
        return self.run_gfdt("jacobian", *arguments)

    def result(self, *arguments, status=0):
        done = self.jacobian(*arguments, "--json", "-", "--quiet")
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def numbers(self, result):
        return result["jacobian"], result["jacobian_error"]

    def finding(self, result, check):
        found = [finding for finding in result["findings"] if finding["check"] == check]
        self.assertEqual(len(found), 1, [finding["check"] for finding in result["findings"]])
        return found[0]

    def assert_close(self, result, row, column, exact, standard_errors=4.5, bias=0.0):
        """A false alarm in 1 of 10⁴ with more than 40 degrees of freedom; seeds are fixed."""
        value, error = result["jacobian"][row][column], result["jacobian_error"][row][column]
        self.assertGreater(error, 0)
        self.assertLess(abs(value - exact), standard_errors * error + bias)


class Results(Jacobian):
    def test_the_json_has_the_promised_keys_and_shapes_in_the_order_of_the_file(self):
        result = self.result(self.scalar)
        for key in KEYS:
            self.assertIn(key, result)
        self.assertEqual(result["observables"], ["second", "m", "cold"])
        self.assertEqual(result["parameters"], ["F0", "a", "b", "c", "sigma"])
        self.assertEqual((len(result["statistics"]), len(result["statistics_error"])), (3, 3))
        for matrix in self.numbers(result):
            self.assertEqual([len(row) for row in matrix], [5, 5, 5])
            self.assertTrue(all(math.isfinite(entry) for row in matrix for entry in row))
        self.assertEqual(result["method"], ["gfdt (exact)"] * 5)
        self.assertEqual((result["seed"], result["status"]), (4, "done"))
        self.assertGreater(result["window"][1], result["window"][0])
        # The run of 110 a member with its burn-in, and its replay.
        self.assertAlmostEqual(result["simulated_time"], 2 * 128 * 110)

    def test_entries_are_right_within_their_error_bars(self):
        # <x²> = β²/2α; α and β multiply x and 1: weak2 is unbiased to second order in dt.
        result = self.result(self.linear)
        self.assert_close(result, 0, 0, -0.5)
        self.assert_close(result, 0, 1, 1.0)
        self.assertLess(result["jacobian_error"][0][0], 0.1)

    def test_several_methods_stand_in_one_table(self):
        self.linear.write_text(LINEAR.replace('"x^2"', '"x^2"\nm = "x"'))
        done = self.jacobian(self.linear, "--compare", "exact,gaussian,finite-difference", "--json", "all.json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = [line.split()[0] for line in done.stdout.splitlines() if line.strip()]
        self.assertIn("∂<row>/∂column", lines)
        table = [line for line in done.stdout.splitlines() if "±" in line and any(
            method in line for method in (" exact ", " gaussian ", " finite-difference "))]
        self.assertEqual(len(table), 6)
        self.assertEqual(done.stdout.count("✓ stability"), 1)
        results = json.loads((self.folder / "all.json").read_text())["comparison"]
        self.assertEqual([one["name"] for one in results], ["exact", "gaussian", "finite-difference"])
        for one in results:
            self.assert_close(one, 0, 0, -0.5)
            self.assert_close(one, 0, 1, 1.0)

    def test_columns_can_be_chosen(self):
        everything = self.result(self.scalar)
        chosen = self.result(self.scalar, "--parameters", "sigma,F0")
        self.assertEqual(chosen["parameters"], ["sigma", "F0"])
        self.assertEqual([len(row) for row in chosen["jacobian"]], [2, 2, 2])
        for row, all_of_row in zip(chosen["jacobian"], everything["jacobian"]):
            self.assertAlmostEqual(row[0], all_of_row[4], places=9)
            self.assertAlmostEqual(row[1], all_of_row[0], places=9)

    def test_the_window_can_be_given_in_two_ways(self):
        by_option = self.result(self.scalar, "--window", "8,12")
        by_set = self.result(self.scalar, "--set", "response.window=[8, 12]")
        self.assertEqual(by_option["window"], [8, 12])
        self.assertEqual(by_set["window"], [8, 12])
        self.assertEqual(self.numbers(by_option), self.numbers(by_set))
        self.assertNotEqual(self.numbers(by_option), self.numbers(self.result(self.scalar, "--window", "1,2")))

    def test_a_window_that_cuts_the_response_short_is_mentioned(self):
        decay = self.finding(self.result(self.scalar, "--window", "0.5,1"), "decay")
        self.assertFalse(decay["passed"])
        self.assertIn("cut short", decay["verdict"])

    def test_same_bits_on_any_number_of_threads(self):
        for method in ("exact", "kgmm"):
            one, two = (self.result(self.scalar, *QUICK, "--score", method, "--threads", n) for n in (1, 2))
            self.assertEqual(self.numbers(one), self.numbers(two))
            self.assertEqual(one["window"], two["window"])

    def test_the_correction_is_named_and_can_be_left_out(self):
        self.assertEqual(self.result(self.scalar)["correction_degree"], 6)
        self.assertIn("polynomials of degree 6", self.jacobian(self.scalar).stdout)
        plain = self.jacobian(self.scalar, "--set", "response.correction=false", "--json", "plain.json")
        self.assertNotIn("polynomials", plain.stdout)
        self.assertEqual(json.loads((self.folder / "plain.json").read_text())["correction_degree"], 0)

    def test_a_gaussian_score_of_another_density_carries_a_warning(self):
        score = self.finding(self.result(self.scalar, "--score", "gaussian"), "score")
        self.assertFalse(score["passed"])
        self.assertIn("bias", score["verdict"])
        linear = self.result(self.linear, "--score", "gaussian")
        self.assertNotIn("score", [finding["check"] for finding in linear["findings"]])


class Parameters(Jacobian):
    """Rows and columns that are not like the others."""

    def test_an_observable_without_state_has_its_direct_term_only(self):
        self.linear.write_text(LINEAR.replace('"x^2"', '"x^2"\nfixed = "2*alpha"'))
        for method in ("exact", "finite-difference"):
            result = self.result(self.linear, "--compare", method)
            self.assertEqual(result["jacobian"][1], [2, 0, 0, 0])
            self.assertEqual(result["jacobian_error"][1], [0, 0, 0, 0])
            self.assertIn("fixed was 2 at all times", self.finding(result, "variation")["verdict"])

    def test_a_parameter_that_appears_nowhere_has_a_column_of_zeros(self):
        result = self.result(self.linear)
        self.assertEqual((result["jacobian"][0][2], result["jacobian_error"][0][2]), (0, 0))
        self.assertEqual(result["remark"][2], "appears nowhere: exactly zero")

    def test_a_parameter_of_observables_only_has_its_direct_term(self):
        self.linear.write_text(LINEAR.replace('"x^2"', '"level*x^2"'))
        result = self.result(self.linear)
        self.assertEqual(result["remark"][3], "appears in observables only")
        self.assertAlmostEqual(result["jacobian"][0][3], result["statistics"][0] / 0.5, places=12)
        self.assertAlmostEqual(result["jacobian_error"][0][3], result["statistics_error"][0] / 0.5, places=12)

    def test_a_threshold_has_a_remark_and_finite_differences_can_do_it(self):
        self.linear.write_text(LINEAR.replace('"x^2"', '"x^2"\nwarm = "x > level"'))
        result = self.result(self.linear)
        self.assertIsNone(result["jacobian"][1][3])
        self.assertIsNotNone(result["jacobian"][1][0])
        self.assertIn("no entry for warm: level < x jumps", result["remark"][3])
        columns = self.finding(result, "columns")
        self.assertIn("∂<warm>/∂level", columns["verdict"])
        self.assertIn("finite-difference", columns["advice"])
        differences = self.result(self.linear, "--method", "finite-difference", "--parameters", "level")
        # −density at the threshold of the normal law with variance ½.
        self.assert_close(differences, 1, 0, -math.exp(-0.25) / math.sqrt(math.pi), bias=0.01)

    def test_a_noise_of_all_sites_has_no_column_but_the_others_do(self):
        shared = self.file("shared.toml", SHARED_NOISE)
        result = self.result(shared, "--score", "gaussian")
        self.assertIsNone(result["jacobian"][0][1])
        self.assertIn("drives all sites", result["remark"][1])
        self.assertFalse(self.finding(result, "columns")["passed"])
        # V = (r² + s²)/2a: Euler's is 1/(1 − a dt/2) of it.
        self.assert_close(result, 0, 0, -0.625, bias=0.02)
        self.assert_close(result, 0, 2, 1.0, bias=0.02)

    def test_states_driven_by_one_noise_alone_have_no_score(self):
        shared = self.file("shared.toml", SHARED_NOISE.replace(', "v[k]" = "r"', "") + "burn_in = 60.0\n")
        self.assert_bad_input(self.jacobian(shared, "--score", "gaussian"), "copy of X[0]", "noise of its own")

    def test_a_model_without_noise_is_told_so(self):
        self.linear.write_text(LINEAR.replace('"beta"', '"0"').replace('"-alpha*x"', '"alpha - x"') + "burn_in = 60.0\n")
        result = self.result(self.linear, "--score", "gaussian", status=1)
        self.assertIn("no noise", self.finding(result, "noise")["verdict"])
        self.assertIn("finite-difference", self.finding(result, "noise")["advice"])
        self.assertFalse(self.finding(result, "variation")["passed"])
        differences = self.result(self.linear, "--method", "finite-difference")
        self.assertAlmostEqual(differences["jacobian"][0][0], 2.0, places=5)


class Scores(Jacobian):
    def test_a_kept_score_gives_the_same_numbers_and_those_of_more_observables(self):
        first = self.result(self.scalar, *QUICK, "--score", "kgmm", "--save", "kept.json")
        again = self.result(self.scalar, "--score", "kept.json")
        self.assertEqual(self.numbers(again), self.numbers(first))
        self.assertEqual(again["method"], ["gfdt (kgmm)"] * 5)
        more = self.result(self.scalar, "--score", "kept.json", "--set", "observables.extra=x^4")
        self.assertEqual(more["observables"], ["second", "m", "cold", "extra"])
        for row, same in zip(more["jacobian"], first["jacobian"]):
            for entry, other in zip(row, same):
                self.assertAlmostEqual(entry, other, places=9)

    def test_a_score_of_other_parameters_or_another_model_is_refused(self):
        self.result(self.scalar, "--score", "gaussian", "--save", "kept.json")
        self.assert_bad_input(self.jacobian(self.scalar, "--score", "kept.json", "--set", "F0=0.7"),
                              "other parameters", "F0 = 0.6", "0.7")
        self.assert_bad_input(self.jacobian(self.linear, "--score", "kept.json"), "another model")
        self.assert_bad_input(self.jacobian(self.scalar, "--score", "scalar.toml"), "not a score file")

    def test_a_score_fitted_on_the_same_run_carries_a_caution(self):
        self.run_gfdt("score", self.scalar, *QUICK, "--method", "kgmm", "--save", "kept.json", "--quiet")
        same = self.result(self.scalar, "--score", "kept.json")
        cautions = [finding["verdict"] for finding in same["findings"] if not finding["passed"]]
        self.assertTrue(any("fitted on this very run" in caution for caution in cautions), cautions)
        other = self.result(self.scalar, "--score", "kept.json", "--seed", 9)
        self.assertFalse(any("this very run" in finding["verdict"] for finding in other["findings"]))

    def test_what_the_kept_certificate_said_is_repeated(self):
        self.run_gfdt("score", self.scalar, "--method", "gaussian", "--save", "kept.json", "--quiet")
        score = self.finding(self.result(self.scalar, "--score", "kept.json", "--seed", 9), "score")
        self.assertFalse(score["passed"])
        self.assertIn("kept with the score failed", score["verdict"])

    def test_the_folder_of_results_keeps_score_and_jacobian(self):
        done = self.jacobian(self.scalar, *QUICK, "--score", "kgmm", "--out", "results")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        folder = self.folder / "results"
        self.assertEqual(sorted(file.name for file in folder.iterdir()), ["fitted-score.json", "jacobian.json"])
        again = self.result(self.scalar, "--score", folder / "fitted-score.json")
        self.assertEqual(self.numbers(again), self.numbers(json.loads((folder / "jacobian.json").read_text())))
        self.jacobian(self.scalar, "--method", "finite-difference", "--parameters", "F0", "--out", "differences")
        self.assertEqual([file.name for file in (self.folder / "differences").iterdir()], ["jacobian.json"])

    def test_a_score_that_is_not_fitted_cannot_be_kept(self):
        self.assert_bad_input(self.jacobian(self.scalar, "--method", "finite-difference", "--save", "a.json"), "--save")
        self.result(self.scalar, "--score", "gaussian", "--save", "kept.json")
        self.assert_bad_input(self.jacobian(self.scalar, "--score", "kept.json", "--save", "a.json"), "--save")
        self.assert_bad_input(self.jacobian(self.scalar, "--out", "results", "--save", "jacobian.json"), "another name")
        self.assert_bad_input(self.jacobian(self.scalar, "--save", "missing/a.json"), "missing")


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
        self.assert_bad_input(self.jacobian(self.scalar, "--trajectory", "x.nc", "--score", "exact"), "no exact score")
        self.assert_bad_input(self.jacobian(self.scalar, "--trajectory", "x.nc", "--method", "finite-difference"),
                              "other parameters")

    def test_one_long_member_is_cut_into_stretches(self):
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
        done = self.jacobian(self.scalar, "--parameters", "sigma", "--quiet")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("do not decay", done.stderr)
        self.assertRegex(done.stderr, r"Members should be at least \d")

    def test_a_walk_that_has_no_law(self):
        self.linear.write_text(LINEAR.replace("alpha = 1.0", "alpha = 0.0"))
        done = self.jacobian(self.linear, "--quiet")
        self.assertEqual(done.returncode, 1)
        self.assertIn("stationarity", done.stderr)

    def test_runs_that_are_too_short(self):
        short = self.result(self.scalar, "--set", "simulation.members=1", "--set", "simulation.length=2", status=1)
        self.assertEqual(short["status"], "failed")
        done = self.jacobian(self.scalar, "--score", "kgmm", "--set", "simulation.members=1", "--set", "simulation.length=20")
        self.assert_bad_input(done, "samples are too few")
        single = self.result(self.scalar, "--set", "simulation.members=1", "--set", "simulation.length=20", "--window", "5,10")
        self.assertIsNone(single["jacobian_error"][0][0])
        self.assertIn("members", self.finding(single, "error bars")["advice"])

    def test_one_member_has_error_bars_from_its_stretches(self):
        one = self.result(self.linear, "--set", "simulation.members=1", "--set", "simulation.length=8000")
        # With 32 stretches at the least of 8 degrees of freedom a false alarm is rarer than 1 in 10³.
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
                                   env={**os.environ, "GFDT_CACHE": self.cache.name})
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=20)
        return process.returncode, output, errors

    def test_an_interrupted_run_says_so_and_writes_nothing(self):
        self.result(self.scalar)  # code is compiled and kept
        for method in ("kgmm", "finite-difference"):
            status, output, errors = self.interrupt(self.scalar, "--set", "simulation.length=1e7", "--compare", method,
                                                    "--out", "results", "--json", "result.json")
            self.assertEqual(status, 1, errors)
            self.assertEqual(output, "")
            self.assertIn("stopped before its end", errors)
            self.assertEqual(list((self.folder / "results").iterdir()), [])
            self.assertFalse((self.folder / "result.json").exists())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose"])
