"""What `gfdt calibrate` finds, says and writes. Run as: calibrate_command_test.py GFDT PROJECT_FOLDER"""

import json
import math
import random
import re
import sys
import unittest

from calibrate_cases import LINEAR, METHODS, TARGETS, Calibrate, autoregression, own_simulator, without_time

KEYS = ["status", "iterations", "parameters", "parameters_error", "parameters_covariance", "mismatch", "simulated_time",
        "wall_seconds"]


class Answers(Calibrate):
    def test_finds_the_parameters_and_says_how_well_they_are_known(self):
        result = self.result(self.linear)
        for key in KEYS:
            self.assertIn(key, result)
        self.assertEqual(result["status"], "within-noise")
        self.assertEqual(list(result["parameters"]), ["mu", "beta"])
        self.assertEqual(list(result["parameters_error"]), ["mu", "beta"])
        self.assert_found(result, mu=0.5, beta=1.0)
        for j, name in enumerate(("mu", "beta")):
            self.assertAlmostEqual(math.sqrt(result["parameters_covariance"][j][j]), result["parameters_error"][name])
        # No answer is better known than its targets are: d mu = d m.
        self.assertGreater(result["parameters_error"]["mu"], 0.0099)
        for iteration in result["iterations"]:
            self.assertEqual(list(iteration["parameters"]), ["mu", "beta"])
            self.assertEqual(len(iteration["statistics"]), 2)
            residual = [value - target for value, target in zip(iteration["statistics"], (0.5, 0.75))]
            self.assertAlmostEqual(iteration["mismatch"], math.hypot(*residual))
        self.assertEqual(result["iterations"][0]["parameters"], {"mu": 0.0, "beta": 1.2})
        self.assertLess(result["mismatch"], 0.1 * result["iterations"][0]["mismatch"])
        self.assertEqual(json.loads((self.folder / "linear-run" / "result.json").read_text()), result)
        # Parts of χ², the objective, add up and can be made again by hand.
        self.assertAlmostEqual(sum(result["chi_square_parts"]), result["chi_square"])
        (a, b), (_, d) = result["mismatch_covariance"]
        r, s = (value - target for value, target in zip(result["statistics"], (0.5, 0.75)))
        self.assertAlmostEqual((d * r * r - 2 * b * r * s + a * s * s) / (a * d - b * b), result["chi_square"])
        page = (self.folder / "linear-run" / "report.html").read_text()
        for part in ("Calibration of linear", 'id="mismatch"', 'id="objective"', 'id="posterior"', "Cost", "Provenance"):
            self.assertIn(part, page)

    def test_threads_do_not_matter(self):
        one, two = (self.result(self.linear, "--threads", n) for n in (1, 2))
        self.assertEqual(without_time(one), without_time(two))

    def test_a_parameter_that_changes_no_target_stays_at_its_guess(self):
        """By symmetry the mean does not depend on the amplitude of the noise; the default method knows this to many digits."""
        symmetric = LINEAR.replace('-alpha*(x - mu)', '-alpha*x').replace("mu = 0.0\n", "").replace('["mu", "beta"]', '["beta"]')
        symmetric = self.file("symmetric.toml", symmetric + "[targets]\nm = { value = 0.2, std = 0.1 }\n")
        result = self.result(symmetric)
        self.assertEqual(result["status"], "within-noise")
        self.assertEqual(result["parameters"]["beta"], 1.2)
        self.assertIn("beta is not determined", " ".join(weak["words"] for weak in result["weak_directions"]))
        self.assertLess(result["simulated_time"], 1e6)

    def test_many_directions_that_nothing_determines_take_few_lines(self):
        rates = [f"a{k}" for k in range(8)]
        text = f"""
model.state = ["x"]
model.parameters = {{ {", ".join(f"{rate} = 0.1" for rate in rates)} }}
model.drift = {{ x = "-({" + ".join(rates)})*x" }}
model.diffusion = {{ x = "1" }}
observables.v = "x^2"
targets.v = {{ value = 0.5, std = 0.02 }}
simulation.length = 200
"""
        done = self.calibrate(self.file("many.toml", text))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        folder = self.folder / "many-run"
        self.assertEqual(len(json.loads((folder / "result.json").read_text())["weak_directions"]), 7)
        terminal = " ".join(done.stdout.split())
        self.assertEqual(len(re.findall("near (?:the|its) guess", terminal)), 3)
        for shown in (terminal, (folder / "report.html").read_text()):
            self.assertIn("4 more combinations of parameters", shown)

    def test_methods_side_by_side(self):
        done = self.calibrate(self.linear, "--compare", ",".join(METHODS), "--out", "all")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        comparison = json.loads((self.folder / "all" / "comparison.json").read_text())["comparison"]
        self.assertEqual([result["name"] for result in comparison], list(METHODS))
        for result in comparison:
            self.assert_found(result, mu=0.5, beta=1.0)
            of_its_own = json.loads((self.folder / "all" / result["name"] / "result.json").read_text())
            self.assertRegex(of_its_own.pop("checksum"), "^[0-9a-f]{16}$")
            self.assertEqual(of_its_own, result)
            self.assertRegex(done.stdout, rf"(?m)^ +{result['name']} +within-noise ")
        # An ensemble begins elsewhere; the guess shown is the user's all the same.
        self.assertEqual(len(re.findall(r"(?m)^  mu +0  ", done.stdout)), len(METHODS))
        self.assertEqual(len(re.findall(r"(?m)^  beta +1\.2  ", done.stdout)), len(METHODS))
        self.assertTrue(done.stdout.endswith("Report: all/report.html\n"), done.stdout)
        page = (self.folder / "all" / "report.html").read_text()
        for name in METHODS:
            self.assertIn(f"</i>{name}</button>", page)
        spent = [result["simulated_time"] for result in comparison]
        self.assertEqual(max(spent), spent[METHODS.index("ensemble-kalman")])

    def test_priors_count(self):
        free = self.result(self.linear)
        known = self.result(self.linear, "--set", "calibration.priors={ mu = { mean = 0.5, std = 0.002 } }")
        self.assertLess(known["parameters_error"]["mu"], 0.0021)
        self.assertLess(abs(known["parameters"]["mu"] - 0.5), 0.008)
        self.assertGreater(free["parameters_error"]["mu"], 0.009)

    def test_a_condition_that_never_holds_at_the_guess(self):
        file = self.folder / "rare.toml"
        file.write_text("""
model.state = ["x"]
model.parameters = { m = 0.0, s = 0.3 }
model.drift = { x = "m - x" }
model.diffusion = { x = "s" }
observables = { mean = "x", square = "x^2", far = "x > 3" }
targets = { mean = { value = 1, std = 0.02 }, square = { value = 2, std = 0.05 }, far = { value = 0.0228, std = 0.001 } }
simulation = { length = 200 }
""")
        result = self.result(file)
        self.assertIn(result["status"], ["within-noise", "simulation-noise"])
        for name, truth in {"m": 1, "s": 2**0.5}.items():  # the targets are exact
            self.assertLess(abs(result["parameters"][name] - truth), result["parameters_error"][name])

    def test_fewer_targets_than_parameters(self):
        done = self.calibrate(self.linear, "--set", "calibration.free=['alpha', 'mu', 'beta']")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("Fewer targets (2) than parameters (3)", done.stdout)
        self.assertIn("not determined", done.stdout)
        self.assertIn("alpha and beta are not separately identifiable", done.stdout)
        result = json.loads((self.folder / "linear-run" / "result.json").read_text())
        self.assertEqual(result["status"], "within-noise")
        self.assertIsNone(result["parameters_error"]["alpha"])
        self.assertIsNone(result["parameters_covariance"][0][0])


class Targets(Calibrate):
    def test_measurements(self):
        draw = random.Random(11)
        values = list(autoregression(4000, 0.5, 0.5, 0.9, draw))
        self.file("record.csv", "time,x\n" + "".join(f"{0.5 * i},{value!r}\n" for i, value in enumerate(values)))
        problem = self.file("measured.toml", LINEAR + '[targets]\ndata = "record.csv"\n')
        result = self.result(problem, "--set", "calibration.free=['mu', 'beta']")
        self.assertEqual(result["targets"]["observables"], ["m", "v", "tail"])
        self.assertAlmostEqual(result["targets"]["value"][0], sum(values) / len(values))
        self.assertIn("record.csv", result["targets"]["source"])
        self.assert_found(result, mu=0.5, beta=0.9 * math.sqrt(2))
        # 2τ/T of the record; no answer is much better known than its target is.
        target_error = math.sqrt(result["targets"]["covariance"][0][0])
        self.assertLess(abs(target_error / math.sqrt(2 / 2000) - 1), 0.25)
        self.assertGreater(result["parameters_error"]["mu"], 0.95 * target_error)

    def test_a_run_at_other_parameters(self):
        problem = self.file("twin.toml", LINEAR + "[targets.reference]\nparameters = { mu = 0.4, beta = 0.9 }\n")
        result = self.result(problem)
        self.assertEqual(result["targets"]["observables"], ["m", "v", "tail"])
        self.assertIn("mu = 0.4", result["targets"]["source"])
        self.assert_found(result, mu=0.4, beta=0.9)

    def test_errors_that_go_together(self):
        # J = [[1, 0], [1, 1]]: the variance of beta is c11 + c22 - 2 c12, and the simulation's share.
        apart, together = (
            self.result(self.file("covariance.toml", LINEAR + f"[targets]\nm = 0.5\nv = 0.75\ncovariance = {matrix}\n"))
            for matrix in ([[0.0025, 0.0], [0.0, 0.0025]], [[0.0025, 0.002], [0.002, 0.0025]]))
        for result, least, most in ((apart, 0.003, 0.008), (together, 0.0005, 0.0025)):
            self.assertTrue(least < result["parameters_covariance"][1][1] < most, result["parameters_covariance"])

    def test_contradictions_are_named(self):
        unreachable = ("--set", "targets.tail={ value = 0.9, std = 0.01 }")
        result = self.result(self.linear, *unreachable, status=1)
        self.assertEqual(result["status"], "unreachable")
        done = self.calibrate(self.linear, *unreachable, "--out", "told")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"unreachable: .*noise does not explain it")
        self.assertRegex(done.stdout, r"[Ff]urthest off is tail")
        self.assertRegex(done.stdout, r"tail +0\.900\(10\) .* -[0-9.]+ σ")
        quiet = self.calibrate(self.linear, *unreachable, "--quiet", "--out", "quiet")
        self.assertEqual((quiet.returncode, quiet.stdout), (1, ""))
        self.assertRegex(quiet.stderr, r"^unreachable: .*tail")

    def test_what_nothing_can_have(self):
        done = self.calibrate(self.linear, "--set", "targets.v.value=-1")
        self.assert_bad_input(done, "No model reaches the target v = -1", "at least 0")


class Ends(Calibrate):
    def test_iterations_and_budget(self):
        done = self.calibrate(self.linear, "--set", "calibration.iterations=1", "--quiet", "--out", "one")
        self.assertEqual(done.returncode, 1)
        self.assertIn("iterations: ", done.stderr)
        one = json.loads((self.folder / "one" / "result.json").read_text())
        self.assertEqual((one["status"], len(one["iterations"])), ("iterations", 2))
        self.assertEqual(one["parameters"], one["iterations"][-1]["parameters"])
        whole = self.result(self.linear)["simulated_time"]
        spent = self.result(self.linear, "--set", f"calibration.simulated_time={0.5 * whole}", status=1)
        self.assertEqual(spent["status"], "simulated-time")
        self.assertGreaterEqual(len(spent["iterations"]), 1)
        self.assertLess(spent["simulated_time"], 0.8 * whole)  # the budget, and the run that it ended in

    def test_a_number_of_iterations_that_was_asked_for_is_no_failure(self):
        result = self.result(self.linear, "--set", "calibration.iterations=2", "--set", "calibration.until_noise=false")
        self.assertEqual((result["status"], len(result["iterations"])), ("iterations", 3))
        result = self.result(self.linear, "--set", "calibration.tolerance=0.2", "--set", "calibration.until_noise=false")
        self.assertEqual(result["status"], "tolerance")
        self.assertLess(result["mismatch"], 0.2)

    def test_bounds_in_the_way_are_named(self):
        bounded = self.file("bounded.toml", (LINEAR + TARGETS).replace("{ value = 1.2, lower = 0.0 }",
                                                                       "{ value = 0.1, lower = 0.0, upper = 0.5 }"))
        done = self.calibrate(bounded)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("beta has run into its upper bound, 0.5", done.stdout)
        result = json.loads((self.folder / "bounded-run" / "result.json").read_text())
        self.assertLessEqual(max(step["parameters"]["beta"] for step in result["iterations"]), 0.5)

    def test_a_dry_run_leaves_nothing_behind(self):
        before = sorted(path.name for path in self.folder.iterdir())
        done = self.calibrate(self.linear, "--dry-run", "--out", "dry", "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        forecast = json.loads(done.stdout)
        self.assertEqual(forecast["status"], "forecast")
        self.assertGreater(forecast["evaluations"], 1)
        self.assertRegex(done.stderr, r"will take about \d+ evaluations")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)
        result = self.result(self.linear, "--out", "dry")
        again = self.calibrate(self.linear, "--dry-run", "--out", "dry", "--json", "dry.json", "--quiet")
        self.assertEqual((again.returncode, again.stdout, again.stderr), (0, "", ""))
        self.assertEqual(json.loads((self.folder / "dry" / "result.json").read_text()), result)

    def test_what_is_printed(self):
        done = self.calibrate(self.linear)
        self.assertEqual(done.returncode, 0)
        lines = re.findall(r"(?m)^ {3,}(\d+) +\d", done.stdout)
        self.assertEqual(lines[:2], ["0", "1"])
        self.assertIn("Fitting 2 parameters (mu, beta) to 2 targets (m, v; given)", done.stdout)
        self.assertRegex(done.stdout, r"within-noise: ")
        self.assertRegex(done.stdout, r"mu +0 +0\.\d+\(\d+\)")
        self.assertRegex(done.stdout, r"v +0\.750\(20\) +0\.\d+\(\d+\) +[+-]\d\.\d σ")
        self.assertIn("linear-run", done.stdout)
        quiet = self.calibrate(self.linear, "--quiet", "--out", "quiet")
        self.assertEqual((quiet.returncode, quiet.stdout, quiet.stderr), (0, "", ""))


class BadInput(Calibrate):
    def refused(self, words, *arguments, file=None):
        done = self.calibrate(file or self.linear, *arguments)
        self.assert_bad_input(done, *words)
        self.assertFalse((self.folder / "linear-run").exists())

    def test_parameters(self):
        for bounds in ("{ value = 1.0, lower = 2.0, upper = 0.5 }", "{ value = 3.0, lower = 0.0, upper = 2.0 }"):
            bad = self.file("bad.toml", (LINEAR + TARGETS).replace("{ value = 1.2, lower = 0.0 }", bounds))
            self.refused(["bad.toml:7:", "beta", "bounds"], file=bad)
        on_the_edge = self.file("edge.toml", (LINEAR + TARGETS).replace("value = 1.2", "value = 0.0"))
        self.refused(["edge.toml:7:", "guess beta = 0", "inside"], file=on_the_edge)
        self.refused(["'gamma' is not a parameter"], "--set", "calibration.free=['gamma']")

    def test_targets(self):
        self.refused(["no targets", "[targets]"], file=self.file("none.toml", LINEAR))
        crooked = self.file("crooked.toml", LINEAR + "[targets]\nm = 0.5\nv = 0.75\ncovariance = [[1, 2], [2, 1]]\n")
        self.refused(["crooked.toml:27:", "positive definite"], file=crooked)
        self.refused(["warm", "not an observable"], "--set", "targets.warm={ value = 1, std = 1 }")
        lost = self.file("lost.toml", LINEAR + '[targets]\ndata = "lost.csv"\n')
        self.refused(["lost.toml:25:", "lost.csv"], file=lost)

    def test_methods(self):
        self.refused(["'kgm' is no method", "Did you mean 'kgmm'?"], "--method", "kgm")
        self.refused(["magic", "finite-difference"], "--compare", "exact,magic")
        self.refused(["twice"], "--compare", "exact,exact")
        self.refused(["leave one of them out"], "--compare", "exact", "--method", "gaussian")
        self.refused(["give only one of them"], "--resume", "--overwrite")
        self.refused(["calibration.algorithm", "levenberg-marquardt"], "--set", "calibration.algorithm=newton")
        self.refused(["at least 1"], "--set", "calibration.iterations=0")


class OwnSimulator(Calibrate):
    def own(self, fails="1e9"):
        return own_simulator(self.folder, fails)

    def test_is_calibrated(self):
        result = self.result(self.own(), "--method", "gaussian")
        self.assertEqual(result["status"], "simulation-noise")
        self.assert_found(result, mu=0.5, beta=1.0)

    def test_may_fail_on_the_way(self):
        problem = self.own(fails="1.1").read_text().replace("value = 1.2", "value = 0.5")
        result = self.result(self.file("own.toml", problem), "--method", "gaussian", "--set",
                             "calibration.algorithm=gauss-newton")
        self.assertEqual(result["status"], "simulation-noise")
        self.assert_found(result, mu=0.5, beta=1.0)
        setbacks = sum(step["halvings"] + (not step["accepted"]) for step in result["iterations"])
        self.assertGreater(setbacks, 0)

    def test_that_always_fails_ends_the_run_with_its_own_words(self):
        done = self.calibrate(self.own(fails="0"), "--method", "gaussian")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("blew up at beta = 1.2", done.stdout + done.stderr)

    def test_has_no_finite_differences_nor_likelihood_ratios(self):
        self.assert_bad_input(self.calibrate(self.own(), "--method", "finite-difference"), "same random numbers")
        self.assert_bad_input(self.calibrate(self.own(), "--method", "likelihood-ratio"), "noise that drove a run")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose"])
