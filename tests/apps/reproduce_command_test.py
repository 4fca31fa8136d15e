"""`gfdt reproduce` as a user meets it. Run as: reproduce_command_test.py GFDT PROJECT_FOLDER"""

import json
import math
import sys
import unittest

from gfdt_command import Command

# By quadrature in extended precision, independently; the observable and the parameter by their numbers.
QUARTIC = {(0, 0): 1.041797296, (0, 2): 0.680601, (0, 5): -0.688956, (1, 1): 0.478229, (1, 3): 0.760012571, (1, 4): 0.281785,
           (1, 6): 0.281785, (2, 0): 0.009876, (2, 1): 0.008041, (2, 2): 0.014844, (2, 3): 0.021348, (2, 4): 0.013307,
           (2, 5): 0.015861, (2, 6): 0.013307}
SCALAR = [[1.476891826, 1.374494838, 2.772318937, -3.467514833, -0.709438910],
          [2.748989676, 4.270336955, 6.312541570, -13.756589034, 0.180486074],
          [-0.097875610, -0.178531084, -0.374726688, 0.809757732, -0.116044402]]


class Reproduce(Command):
    def reproduce(self, *arguments, status=0):
        done = self.run_gfdt("reproduce", *arguments, "--json", "-", "--quiet")
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout)

    def named(self, results, name):
        return next(one for one in results if one["name"] == name)

    def assert_complete(self, result, methods):
        rows, columns = len(result["observables"]), len(result["parameters"])
        self.assertEqual([one["name"] for one in result["ours"]], methods)
        for one in [*result["ours"], *result["paper"], result["truth"]]:
            self.assertEqual([len(row) for row in one["jacobian"]], [columns] * rows)
        for one in result["ours"]:
            self.assertEqual(one["status"], "done")
            self.assertEqual(len(one["column_error"]), columns)
            self.assertEqual(len(one["expected_column_error"]), columns)
        self.assertEqual(len(result["truth"]["statistics"]), rows)
        for field in ("experiment", "paper_scale", "paper_source", "paper_remarks", "wall_seconds", "seed", "provenance"):
            self.assertIn(field, result)

    def assert_close_to_truth(self, result, name, bound=4.5):
        """The largest of n entries with honest normal errors passes 4.5 with probability below 7e-6 n."""
        ours = self.named(result["ours"], name)
        for truth, value, error in zip(result["truth"]["jacobian"], ours["jacobian"], ours["jacobian_error"]):
            for t, v, e in zip(truth, value, error):
                self.assertGreater(e, 0)
                self.assertLess(abs(v - t), bound * e)


class OrnsteinUhlenbeck(Reproduce):
    def test_the_closed_form_and_the_step_responses(self):
        result = self.reproduce("ou")
        self.assert_complete(result, ["exact", "gaussian", "finite-difference"])
        truth = result["truth"]
        self.assertAlmostEqual(truth["statistics"][0], 0.5, delta=1e-9)
        self.assertAlmostEqual(truth["jacobian"][0][0], -0.5, delta=1e-8)
        self.assertAlmostEqual(truth["jacobian"][0][1], 1.0, delta=1e-8)
        for name in ("exact", "gaussian", "finite-difference"):
            self.assert_close_to_truth(result, name)
        alpha = result["curves"]["panels"][0]
        self.assertGreater(len(alpha["x"]), 9)
        interval = alpha["x"][1]
        self.assertLess(interval, 0.2)
        for t, exact, value, error in zip(alpha["x"], alpha["exact"], alpha["estimate"], alpha["estimate_error"]):
            # The average over an interval to each side is off by a sixth of the second derivative.
            self.assertAlmostEqual(exact, -0.5 * (1 - math.exp(-2 * t)), delta=0.36 * interval**2)
            self.assertLessEqual(abs(value - exact), 4.5 * error)

    def test_same_seed_same_bits_on_any_number_of_threads(self):
        def numbers(threads):
            result = self.reproduce("ou", "--set", "simulation.length=50", "--seed", 7, "--threads", threads)
            self.assertEqual(result["seed"], 7)
            return [one["jacobian"] for one in result["ours"]], result["curves"]

        self.assertEqual(numbers(1), numbers(3))


class Quartic(Reproduce):
    def test_against_the_truth_and_the_paper(self):
        result = self.reproduce("quartic", "--out", "results")
        self.assert_complete(result, ["exact", "gaussian", "finite-difference"])
        for m, row in enumerate(result["truth"]["jacobian"]):
            for j, value in enumerate(row):
                self.assertAlmostEqual(value, QUARTIC.get((m, j), 0), delta=1e-8 if (m, j) in ((0, 0), (1, 3)) else 5e-6)
        self.assert_close_to_truth(result, "exact")
        self.assert_close_to_truth(result, "finite-difference")
        # A Gaussian has the wrong sign for the mean and alpha3.
        self.assertLess(self.named(result["ours"], "gaussian")["jacobian"][0][2], 0)

        # The column alpha4 is shown as printed and judged with its sign turned.
        printed = self.named(result["paper"], "Finite differences")
        self.assertEqual(printed["jacobian"][1][3], -0.76)
        self.assertLess(max(error for error in printed["column_error"][:4]), 1e-3)
        self.assertEqual(printed["column_error"][4:], [None] * 3)
        self.assertTrue(any("alpha4" in remark for remark in result["paper_remarks"]))

        mean = result["curves"]["panels"][0]
        middle = mean["x"].index(0)
        self.assertAlmostEqual(mean["exact"][middle], 0, delta=1e-9)
        slope = (mean["estimate"][-1] - mean["estimate"][0]) / (mean["x"][-1] - mean["x"][0])
        self.assertAlmostEqual(slope, self.named(result["ours"], "exact")["jacobian"][0][2], delta=1e-12)
        page = (self.folder / "results" / "report.html").read_text()
        for part in ("Reproduction of the experiment quartic", 'id="curves"', 'id="jacobian-map"', "Comparison with the paper"):
            self.assertIn(part, page)
        self.assertTrue((self.folder / "results" / "reproduce.json").exists())


class Scalar(Reproduce):
    def test_against_the_truth_and_the_paper(self):
        result = self.reproduce("scalar", "--compare", "exact,finite-difference")
        self.assert_complete(result, ["exact", "finite-difference"])
        self.assertAlmostEqual(result["truth"]["statistics"][0], 1.358443, delta=1e-6)
        self.assertAlmostEqual(result["truth"]["statistics"][1], 2.377039, delta=1e-6)
        self.assertAlmostEqual(result["truth"]["statistics"][2], 0.973246196, delta=1e-9)
        for row, expected in zip(result["truth"]["jacobian"], SCALAR):
            for value, number in zip(row, expected):
                self.assertAlmostEqual(value, number, delta=1e-8)
        self.assert_close_to_truth(result, "exact")
        self.assert_close_to_truth(result, "finite-difference")

        def percents(name):
            return [round(100 * error) for error in self.named(result["paper"], name)["column_error"]]

        self.assertEqual(percents("GFDT: DSM"), [7, 6, 9, 9, 18])
        self.assertEqual(percents("Analytical"), [5, 6, 7, 10, 13])

    def test_a_learned_score_and_what_is_printed(self):
        done = self.run_gfdt("reproduce", "scalar", "--set", "simulation.length=100", "--compare", "kgmm,gaussian", "--seed", 3)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("size of the paper's run", done.stdout)
        for words in ("Changed: simulation.length=100.", "truth", "gfdt (kgmm)", "gfdt (gaussian)", "paper, GFDT: DSM", "column error", "rectangle rule"):
            self.assertIn(words, done.stdout)


class Stored(Reproduce):
    def test_the_triad_has_a_truth_of_long_runs(self):
        result = self.reproduce("triad", "--compare", "finite-difference", "--set", "simulation.length=100")
        self.assertGreater(result["truth"]["jacobian_error"][0][0], 0)
        self.assertLess(abs(result["ours"][0]["jacobian"][0][0] / result["truth"]["jacobian"][0][0] - 1), 0.5)
        finite = [round(100 * error) for error in self.named(result["paper"], "Finite differences")["column_error"]]
        for error, expected in zip(finite, [10, 13, 12, 1, 2, 11]):
            self.assertLessEqual(abs(error - expected), 2)

    def test_lorenz96_has_one_too(self):
        short = ("--set", "simulation.members=32", "--set", "simulation.length=200", "--set", "response.samples=100000")
        result = self.reproduce("lorenz96", "--compare", "gaussian", *short)
        self.assert_complete(result, ["gaussian"])
        learned = [round(100 * error) for error in self.named(result["paper"], "GFDT: DSM")["column_error"]]
        self.assertEqual(learned, [7, 8, 4, 4, 39])
        # V and alpha1, where a Gaussian is off by a fifth.
        self.assertAlmostEqual(result["ours"][0]["jacobian"][1][1], -16, delta=3)


class Input(Reproduce):
    def test_unknown_experiments_name_the_nearest(self):
        self.assert_bad_input(self.run_gfdt("reproduce", "quartik"), "There is no experiment 'quartik'", "Did you mean 'quartic'?")
        self.assert_bad_input(self.run_gfdt("reproduce", "zzz"), "lorenz96, ou, quartic, scalar, triad")

    def test_without_a_name_they_are_listed(self):
        done = self.run_gfdt("reproduce")
        self.assertEqual(done.returncode, 0)
        for name in ("ou", "quartic", "scalar", "triad", "lorenz96"):
            self.assertIn(f"  {name} ", done.stdout)

    def test_the_model_stays_that_of_the_paper(self):
        for change in ("F0=0.7", "model.drift.x=-x", "observables.mean=x^3"):
            self.assert_bad_input(self.run_gfdt("reproduce", "scalar", "--set", change), "not its model")

    def test_other_mistakes(self):
        self.assert_bad_input(self.run_gfdt("reproduce", "scalar", "--compare", "kgm"), "Did you mean 'kgmm'?")
        self.assert_bad_input(self.run_gfdt("reproduce", "triad", "--compare", "exact", "--set", "simulation.length=10"), "exact")
        self.assert_bad_input(self.run_gfdt("reproduce", "scalar", "--json", "missing/a.json"), "missing")

    def test_a_method_that_fails_is_shown(self):
        result = self.reproduce("ou", "--compare", "finite-difference", "--set", "simulation.dt=2.5", "--set",
                                "simulation.scheme=euler-maruyama", status=1)
        self.assertEqual(result["ours"][0]["status"], "failed")

    def test_the_scalar_model_is_calibrated(self):
        result = self.reproduce("scalar", "--calibrate", "--compare", "exact,finite-difference", "--set",
                                "simulation.length=300", "--out", "folder")
        self.assertEqual(result["truth"]["F0"], 0.6)
        for one in result["calibrations"]:
            self.assertEqual(one["status"], "simulation-noise", one)
            self.assertTrue(one["region_holds_truth"])  # false alarm once in twenty seeds
            self.assertGreater(one["time_to_noise"], 0)
        page = (self.folder / "folder" / "report.html").read_text()
        self.assertIn("Distance from the true values", page)
        again = self.reproduce("scalar", "--calibrate", "--compare", "exact,finite-difference", "--set",
                               "simulation.length=300", "--out", "folder", "--resume")
        self.assertEqual([one["parameters"] for one in again["calibrations"]],
                         [one["parameters"] for one in result["calibrations"]])

    def test_the_settings_of_the_paper_are_followed(self):
        result = self.reproduce("scalar", "--calibrate", "--paper-settings", "--compare", "exact", "--set",
                                "simulation.length=100", "--set", "calibration.iterations=2")
        (one,) = result["calibrations"]
        self.assertIn(one["status"], ("iterations", "tolerance"))
        self.assertEqual([step["length"] for step in one["iterations"]], [100] * len(one["iterations"]))
        self.assertTrue(all(step["damping"] == 0 for step in one["iterations"]))

    def test_lorenz96_has_targets_and_guess_of_the_two_scale_system(self):
        result = self.reproduce("lorenz96", "--calibrate", "--compare", "gaussian", "--set", "simulation.members=16",
                                "--set", "simulation.length=60", "--set", "calibration.iterations=1")
        (one,) = result["calibrations"]
        guess = one["iterations"][0]["parameters"]
        # Of the system as it is over 5·10^5 time units; the bounds are some six standard errors of this short run.
        self.assertAlmostEqual(one["targets"]["value"][0], 2.554, delta=0.07)
        self.assertAlmostEqual(one["targets"]["value"][1], 13.39, delta=0.3)
        self.assertAlmostEqual(guess["alpha1"], 0.422, delta=0.05)
        self.assertAlmostEqual(guess["sigma"], 1.038, delta=0.1)

    def test_only_what_the_paper_calibrates_is_calibrated(self):
        self.assert_bad_input(self.run_gfdt("reproduce", "quartic", "--calibrate"), "scalar, triad and lorenz96")
        self.assert_bad_input(self.run_gfdt("reproduce", "scalar", "--resume"), "--calibrate")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose"])
