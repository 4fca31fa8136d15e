"""`gfdt score` as a user meets it. Run as: score_command_test.py GFDT PROJECT_FOLDER"""

import json
import sys
import unittest

from gfdt_command import Command

WELL = """
[model]
state = ["x"]
[model.parameters]
a = 1.0
[model.drift]
x = "a*x - x^3"
[model.diffusion]
x = "1.4142135623730951"
[observables]
m = "x"
[simulation]
dt = 0.02
members = 512
length = 300.0
"""

RING = """
[model]
state = ["X[k]"]
[model.sites]
k = 20
[model.parameters]
c = 0.5
[model.drift]
X = "-X[k] - X[k]^3 + c*(X[k-1] + X[k+1])"
[model.diffusion]
X = "1"
[simulation]
dt = 0.02
members = 256
length = 40.0
"""


class Score(Command):
    def setUp(self):
        super().setUp()
        self.well = self.folder / "well.toml"
        self.well.write_text(WELL)
        self.ring = self.folder / "ring.toml"
        self.ring.write_text(RING)

    def score(self, *arguments):
        return self.run_gfdt("score", *arguments)

    def score_json(self, *arguments, status=0):
        done = self.score(*arguments, "--json", "-", "--quiet")
        if status is not None:
            self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout)


class Certificate(Score):
    def test_the_exact_score_is_chosen_and_passes(self):
        done = self.score(self.well)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("score: exact", done.stdout)
        self.assertIn("Responses to drift parameters: can be trusted.", done.stdout)
        self.assertIn("Responses to noise amplitudes: can be trusted.", done.stdout)

    def test_a_gaussian_score_on_the_double_well_fails(self):
        done = self.score(self.well, "--method", "gaussian")
        self.assertEqual(done.returncode, 1)
        self.assertIn("Responses to drift parameters: cannot be trusted.", done.stdout)
        self.assertRegex(done.stdout, r"✗ Stein")

    def test_a_fitted_score_on_the_double_well_passes(self):
        result = self.score_json(self.well, "--method", "kgmm")
        self.assertEqual(result["status"], "passed")
        self.assertGreater(result["training"]["steps"], 100)
        self.assertEqual([m["name"] for m in result["certificate"]["marginals"]], ["x"])

    def test_one_epoch_of_training_fails(self):
        short = ("--method", "dsm", "--set", "score.epochs=1", "--set", "score.samples=5000", "--set", "score.hidden=[32, 32]")
        result = self.score_json(self.well, *short, status=1)
        self.assertEqual(result["status"], "failed")

    def test_a_patch_on_a_ring_passes(self):
        small = ("--set", "score.hidden=[32, 32]", "--set", "score.radius=4", "--set", "score.epochs=6", "--set", "score.samples=50000")
        result = self.score_json(self.ring, *small)
        self.assertEqual(result["method"], "patch")
        self.assertIn("ring of 20 sites", result["reason"])
        self.assertEqual(result["status"], "passed")

    def test_same_seed_same_bits_on_any_number_of_threads(self):
        quick = ("--method", "kgmm", "--set", "simulation.length=20", "--set", "score.epochs=20")

        def numbers(threads):
            result = self.score_json(self.well, *quick, "--threads", threads, status=None)
            return result["training"]["loss"], [check["value"] for check in result["certificate"]["checks"]]

        self.assertEqual(numbers(1), numbers(3))


class Doubts(Score):
    def test_an_exact_score_never_fails(self):
        logistic = self.folder / "logistic.toml"
        logistic.write_text(
            WELL.replace('"a*x - x^3"', '"x*(1 - x)"').replace('"1.4142135623730951"', '"0.7*x"')
            .replace("[observables]", "[model.initial]\nx = { mean = 1.0, std = 0.1 }\n[observables]")
        )
        result = self.score_json(logistic)
        self.assertEqual(result["method"], "exact")
        self.assertEqual(result["status"], "passed")

    def test_a_short_run_of_one_member_fails_nothing(self):
        short = ("--set", "simulation.members=1", "--set", "simulation.length=100", "--method", "gaussian")
        linear = self.folder / "linear.toml"
        linear.write_text(WELL.replace('"a*x - x^3"', '"-a*x"'))
        for seed in range(1, 7):
            self.assertNotEqual(self.score_json(linear, *short, "--seed", seed)["status"], "failed")

    def test_nothing_passes_on_a_run_that_did_not_mix(self):
        slow = ("--set", "simulation.length=3", "--set", "simulation.members=4000")
        self.well.write_text(WELL.replace('"a*x - x^3"', '"1e-3*(a*x - x^3)"').replace("1.4142135623730951", "0.03"))
        done = self.score(self.well, *slow)
        self.assertIn("✗ mixing of the run", done.stdout)
        self.assertIn("Responses to drift parameters: not known", done.stdout)

    def test_patience_stops_training_early(self):
        result = self.score_json(self.well, "--method", "kgmm", "--set", "score.patience=3", "--set", "simulation.length=50",
                                 status=None)
        self.assertGreater(len(result["training"]["validation_loss"]), 3)
        self.assertLess(len(result["training"]["validation_loss"]), 200)


class Files(Score):
    SMALL = ("--set", "score.hidden=[16]", "--set", "score.radius=2", "--set", "score.epochs=2", "--set", "score.samples=20000")

    def test_a_score_is_kept_and_training_goes_on_from_it(self):
        first = self.score_json(self.ring, *self.SMALL, "--save", "a.json", status=None)
        kept = json.loads((self.folder / "a.json").read_text())
        self.assertEqual((kept["format"], kept["method"]), ("gfdt score", "patch"))
        self.assertEqual(kept["parameters"], {"c": 0.5})
        self.assertIn("verdict", kept["certificate"])
        second = self.score(self.ring, *self.SMALL, "--set", "c=0.52", "--start", "a.json", "--json", "-", "--quiet")
        warm = json.loads(second.stdout)
        self.assertLess(warm["training"]["loss"][0], first["training"]["loss"][0])

    def test_a_score_of_another_model_is_no_start(self):
        self.score(self.ring, *self.SMALL, "--save", "a.json")
        self.assert_bad_input(self.score(self.well, "--start", "a.json"), "another model")
        self.assert_bad_input(self.score(self.well, "--start", "missing.json"), "missing.json")

    def test_a_start_of_another_shape_is_mentioned(self):
        self.score(self.ring, *self.SMALL, "--save", "a.json")
        done = self.score(self.ring, *self.SMALL, "--set", "score.radius=3", "--start", "a.json")
        self.assertIn("training began afresh", done.stdout)

    def test_places_that_cannot_be_written_are_found_out_before_the_run(self):
        done = self.score(self.well, "--save", "missing/a", "--set", "simulation.length=1e9")
        self.assert_bad_input(done, "missing")

    def test_names_that_collide_or_mislead_are_refused(self):
        self.assert_bad_input(self.score(self.well, "--out", "results", "--save", "score.json"), "another name")

    def test_the_folder_gets_a_page_with_the_marginals(self):
        done = self.score(self.well, "--out", "results")
        self.assertTrue(done.stdout.endswith("Report: results/report.html\n"), done.stdout)
        self.assertIn('id="marginals-1"', (self.folder / "results" / "report.html").read_text())
        self.assertTrue((self.folder / "results" / "score.json").exists())


class BadInput(Score):
    def test_methods_and_keys(self):
        self.assert_bad_input(self.score(self.well, "--method", "magic"), "magic")
        self.assert_bad_input(self.score(self.well, "--method", "unet"), "fields over one index")
        self.assert_bad_input(self.score(self.well, "--set", "score.method=kgm"), "kgmm")
        self.assert_bad_input(self.score(self.well, "--set", "score.noize=0.1"), "noise")
        self.assert_bad_input(self.score(self.well, "--set", "score.correction=1"), "true or false")

    def test_values(self):
        self.assert_bad_input(self.score(self.well, "--set", "score.noise=0"), "noise")
        self.assert_bad_input(self.score(self.well, "--set", "score.noise=-0.1"), "noise")
        self.assert_bad_input(self.score(self.well, "--set", "score.samples=5"), "samples")
        self.assert_bad_input(self.score(self.ring, "--set", "score.radius=10"), "radius of at most 9")
        self.assert_bad_input(self.score(self.ring, "--set", "score.hidden=[60000, 60000]"), "score.hidden")
        self.assert_bad_input(self.score(self.ring, "--method", "unet", "--set", "score.width=1000000"), "width")
        self.assert_bad_input(self.score(self.ring, "--set", "score.samples=1000000000"), "score.samples")
        self.assert_bad_input(self.score(self.ring, "--set", "score.probes=100000"), "probes")
        self.ring.write_text(RING.replace("k = 20", "k = 18"))
        self.assert_bad_input(self.score(self.ring, "--method", "unet"), "multiple of 4")

    def test_too_few_samples_and_states_that_do_not_move(self):
        few = self.score(self.well, "--method", "dsm", "--set", "simulation.members=2", "--set", "simulation.length=1.0")
        self.assertEqual(few.returncode, 2, few.stdout)
        self.assertIn("samples", few.stderr)
        for method in ("dsm", "kgmm"):
            fewer = self.score(self.well, "--method", method, "--set", "score.samples=1500", "--set", "simulation.length=20")
            self.assert_bad_input(fewer, "parameters", "smaller network")
        still = self.folder / "still.toml"
        still.write_text(
            WELL.replace('["x"]', '["x", "y"]').replace('x = "a*x - x^3"', 'x = "a*x - x^3"\ny = "0*y"')
            .replace('x = "1.4142135623730951"', 'x = "1.4142135623730951"\ny = "0"')
            .replace("[observables]", "[model.initial]\ny = { mean = 1.0, std = 0.0 }\n[observables]")
        )
        done = self.score(still, "--method", "kgmm")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("y", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose"])
