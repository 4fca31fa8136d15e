"""`gfdt jacobian` as a user meets it. Run as: jacobian_command_test.py GFDT PROJECT_FOLDER"""

import json
import math
import re
import sys
import unittest

from jacobian_cases import KEYS, LINEAR, QUICK, SHARED_NOISE, Jacobian


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
        self.assertEqual((result["seed"], result["status"]), (4, "done"))

    def test_the_correlation_integral_is_had_by_name(self):
        result = self.result(self.scalar, "--method", "gfdt")
        self.assertEqual((result["name"], result["method"]), ("gfdt", ["gfdt (exact)"] * 5))
        self.assertEqual(result["plain_statistics"], result["statistics"])
        self.assertGreater(result["window"][1], result["window"][0])
        # The run and its replay, both with the burn-in.
        burn_in = float(self.finding(result, "burn-in")["verdict"].split(":")[0])
        self.assertAlmostEqual(result["simulated_time"], 2 * 128 * (100 + burn_in))

    def test_each_column_has_the_method_that_suits_it(self):
        # Half a run of the paper's: what the exact density gives, by 4.5 standard errors.
        auto = self.result(self.scalar)
        self.assertEqual(auto["name"], "auto")
        self.assertEqual(len(auto["remark"]), 5)
        for method in auto["method"]:
            self.assertRegex(method, r"^(control-variate(, )?)?(gfdt \(exact\)|likelihood-ratio|finite-difference)?$")
        integral = self.result(self.scalar, "--method", "gfdt")
        for j in range(5):
            for m in range(3):
                off = auto["jacobian"][m][j] - integral["jacobian"][m][j]
                error = math.hypot(auto["jacobian_error"][m][j], integral["jacobian_error"][m][j])
                self.assertLess(abs(off), 4.5 * error, (m, j))
        self.assertLess(auto["jacobian_error"][1][0], integral["jacobian_error"][1][0])
        for reduced, plain in zip(auto["statistics_error"], auto["plain_statistics_error"]):
            self.assertLessEqual(reduced, plain)
        self.assertIn("functions of the state", self.finding(auto, "control variate")["verdict"])

    def test_what_is_printed_of_several_methods(self):
        # Of the threshold alone there is no formula: its column is that of finite differences.
        self.linear.write_text(LINEAR.replace('"x^2"', '"x^2"\nwarm = "x > level"'))
        done = self.jacobian(self.linear)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"control-variate: alpha, beta, idle; finite-difference: level; .* time units simulated")
        self.assertEqual(done.stdout.count("control variate: "), 1)
        self.assertIn("plain average", done.stdout)
        plain = self.jacobian(self.linear, "--no-control-variate")
        self.assertNotIn("control", plain.stdout)
        self.assertNotIn("plain average", plain.stdout)

    def test_leading_terms_alone(self):
        result = self.result(self.linear, "--method", "control-variate")
        self.assertEqual(result["method"], ["control-variate"] * 4)
        # <x²> = β²/2α, which x² itself solves: nothing is left but rounding.
        for j, exact in enumerate((-0.5, 1, 0, 0)):
            self.assertAlmostEqual(result["jacobian"][0][j], exact, places=6)
        self.assert_bad_input(self.jacobian(self.linear, "--method", "control-variate", "--score", "exact"), "leave out --score")

    def test_entries_are_right_within_their_error_bars(self):
        # <x²> = β²/2α; α and β multiply x and 1: weak2 is unbiased to second order in dt.
        result = self.result(self.linear, "--method", "gfdt")
        self.assert_close(result, 0, 0, -0.5)
        self.assert_close(result, 0, 1, 1.0)
        self.assertLess(result["jacobian_error"][0][0], 0.1)

    def test_several_methods_stand_in_one_table(self):
        self.linear.write_text(LINEAR.replace('"x^2"', '"x^2"\nm = "x"'))
        done = self.jacobian(self.linear, "--compare", "exact,gaussian,finite-difference", "--json", "all.json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = [line.split()[0] for line in done.stdout.splitlines() if line.strip()]
        self.assertIn("∂<row>/∂column", lines)
        table = [line for line in done.stdout.splitlines() if re.search(r"\d\(\d+\)", line) and any(
            method in line for method in (" exact ", " gaussian ", " finite-difference "))]
        self.assertEqual(len(table), 6)
        self.assertEqual(done.stdout.count("✓ stability"), 1)
        results = json.loads((self.folder / "all.json").read_text())["comparison"]
        self.assertEqual([one["name"] for one in results], ["exact", "gaussian", "finite-difference"])
        for one in results:
            self.assert_close(one, 0, 0, -0.5)
            self.assert_close(one, 0, 1, 1.0)

    def test_likelihood_ratios_need_one_run_and_no_score(self):
        result = self.result(self.linear, "--method", "likelihood-ratio")
        self.assert_close(result, 0, 0, -0.5)
        self.assert_close(result, 0, 1, 1.0)
        self.assertEqual(result["method"], ["likelihood-ratio"] * 4)
        self.assertNotIn("score", result)
        done = self.jacobian(self.linear, "--compare", "exact,likelihood-ratio", "--json", "all.json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        exact, ratio = json.loads((self.folder / "all.json").read_text())["comparison"]
        self.assertEqual(exact["statistics"], ratio["statistics"])

    def test_columns_can_be_chosen(self):
        everything = self.result(self.scalar, "--method", "gfdt")
        chosen = self.result(self.scalar, "--method", "gfdt", "--parameters", "sigma,F0")
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
        for method in (("--score", "exact"), ("--score", "kgmm"), ("--method", "auto")):
            one, two = (self.result(self.scalar, *QUICK, *method, "--threads", n) for n in (1, 2))
            self.assertEqual(self.numbers(one), self.numbers(two))
            self.assertEqual(one["window"], two["window"])

    def test_the_correction_is_named_and_can_be_left_out(self):
        done = self.jacobian(self.scalar, "--method", "gfdt", "--json", "corrected.json")
        self.assertEqual(json.loads((self.folder / "corrected.json").read_text())["correction_degree"], 6)
        self.assertIn("polynomials of degree 6", done.stdout)
        plain = self.jacobian(self.scalar, "--method", "gfdt", "--set", "response.correction=false", "--json", "plain.json")
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
        for method in ("auto", "gfdt", "control-variate"):
            result = self.result(self.linear, "--method", method)
            self.assertEqual((result["jacobian"][0][2], result["jacobian_error"][0][2]), (0, 0))
            self.assertEqual(result["remark"][2], "appears nowhere: exactly zero")

    def test_a_parameter_of_observables_only_has_its_direct_term(self):
        self.linear.write_text(LINEAR.replace('"x^2"', '"level*x^2"'))
        for method in ("auto", "gfdt", "control-variate"):
            result = self.result(self.linear, "--method", method)
            self.assertEqual(result["remark"][3], "appears in observables only")
            self.assertAlmostEqual(result["jacobian"][0][3], result["statistics"][0] / 0.5, places=10)
            if method == "gfdt":
                self.assertAlmostEqual(result["jacobian_error"][0][3], result["statistics_error"][0] / 0.5, places=10)
            else:  # exact: what is left stands for rounding
                self.assertLess(result["jacobian_error"][0][3], 1e-4 * result["plain_statistics_error"][0] / 0.5)

    def test_a_threshold_has_a_remark_and_finite_differences_can_do_it(self):
        self.linear.write_text(LINEAR.replace('"x^2"', '"x^2"\nwarm = "x > level"'))
        result = self.result(self.linear, "--method", "gfdt")
        self.assertIsNone(result["jacobian"][1][3])
        self.assertIsNotNone(result["jacobian"][1][0])
        self.assertIn("no entry for warm: level < x jumps", result["remark"][3])
        columns = self.finding(result, "columns")
        self.assertIn("∂<warm>/∂level", columns["verdict"])
        self.assertIn("finite-difference", columns["advice"])
        for method in ("finite-difference", "auto"):
            differences = self.result(self.linear, "--method", method, "--parameters", "level")
            self.assertEqual(differences["method"], ["finite-difference"])
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
        self.assertEqual(sorted(file.name for file in folder.iterdir()), ["fitted-score.json", "jacobian.json", "report.html"])
        again = self.result(self.scalar, "--score", folder / "fitted-score.json")
        self.assertEqual(self.numbers(again), self.numbers(json.loads((folder / "jacobian.json").read_text())))
        self.jacobian(self.scalar, "--method", "finite-difference", "--parameters", "F0", "--out", "differences")
        self.assertEqual(sorted(file.name for file in (self.folder / "differences").iterdir()), ["jacobian.json", "report.html"])

    def test_a_score_that_is_not_fitted_cannot_be_kept(self):
        self.assert_bad_input(self.jacobian(self.scalar, "--method", "finite-difference", "--save", "a.json"), "--save")
        self.result(self.scalar, "--score", "gaussian", "--save", "kept.json")
        self.assert_bad_input(self.jacobian(self.scalar, "--score", "kept.json", "--save", "a.json"), "--save")
        self.assert_bad_input(self.jacobian(self.scalar, "--out", "results", "--save", "jacobian.json"), "another name")
        self.assert_bad_input(self.jacobian(self.scalar, "--save", "missing/a.json"), "missing")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose"])
