"""Runs on a GPU against the same runs on the host."""

import json
import re
import unittest
from pathlib import Path

from device_command import EMULATED, SCRATCH, Comparison, compiled, gfdt, main, simulate, trajectories

RING = """
[model]
state = ["X[k]", "y"]
[model.sites]
k = 7
[model.parameters]
a = 1.0
s = { value = 0.4, lower = 0.0 }
[model.drift]
X = "-X[k-1]*(X[k-2] - X[k+1])/4 - 2*X[k] + y/2 + min(X[k], 1)*(X[k] > 0)"
y = "-a*y + tanh(mean(k, X[k]))"
[model.diffusion]
X = "s*sqrt(1 + X[k]^2)/2"
y = "s"
[model.initial]
X = { mean = 0.5, std = 1.0 }
y = { mean = 0.0, std = 1.0 }
[observables]
m = "mean(k, X[k])"
q = "mean(k, X[k]*X[k+1])"
over = "y > 0.5"
[simulation]
dt = 0.01
members = 70
length = 4.0
burn_in = 4.0
"""

PLANE = """
[model]
state = ["x", "y"]
[model.parameters]
a = 1.0
s = { value = 0.6, lower = 0.0 }
[model.drift]
x = "-a*x + y/2 - x^3/5"
y = "-2*y - x*y/4 + sin(x)/2"
[model.diffusion]
x = "s"
y = "s*(1 + x/4)"
[model.initial]
x = { mean = 0.0, std = 0.5 }
y = { mean = 0.0, std = 0.5 }
[observables]
m = "x*y"
high = "x > 0.5"
[simulation]
dt = 0.01
members = 70
length = 10.0
cadence = 4
burn_in = 4.0
"""


class Device(Comparison):
    def setUp(self):
        self.file = Path(SCRATCH.name) / "ring.toml"
        self.file.write_text(RING)

    def test_paths_are_those_of_the_host(self):
        for scheme in ("euler-maruyama", "rk4", "weak2"):
            for precision, tolerance in (("double", 1e-5), ("float", 2e-3)):
                settings = ("--set", f"simulation.scheme={scheme}", "--set", f"simulation.precision={precision}")
                with self.subTest(scheme=scheme, precision=precision):
                    self.assert_agree(simulate(self.file, *settings, "--device", "cuda"), simulate(self.file, *settings), tolerance)

    def test_samples_apart_and_long_runs_in_parts(self):
        settings = ("--set", "simulation.cadence=3", "--set", "simulation.length=60.0", "--set", "simulation.scheme=weak2")
        self.assert_agree(simulate(self.file, *settings, "--device", "cuda"), simulate(self.file, *settings), 1e-4)

    def test_states_that_come_to_the_host_are_the_same(self):
        self.assert_same_paths(trajectories(self.file, "--set", "simulation.members=3"), 1e-4)

    def test_a_jacobian_is_that_of_the_host_within_its_errors(self):
        options = ("--method", "likelihood-ratio", "--parameters", "a", "--no-report", "--json", "-", "--quiet", "--set", "simulation.length=80.0")
        here, there = (json.loads(gfdt("jacobian", self.file, *options, "--device", device).stdout) for device in ("cpu", "cuda"))
        for row, other, errors in zip(here["jacobian"], there["jacobian"], here["jacobian_error"]):
            for value, expected, error in zip(row, other, errors):
                self.assertLess(abs(value - expected), 0.05 * error)

    def test_a_control_variate_is_that_of_the_host(self):
        """It grows to so many functions that the device sums over the samples."""
        self.file.write_text(PLANE)
        runs = [gfdt("simulate", self.file, "--json", "-", "--quiet", "--device", device) for device in ("cpu", "cuda")]
        here, there = (json.loads(run.stdout) for run in runs)
        self.assertTrue(any("the standard errors of" in finding["verdict"] for finding in here["findings"]))
        self.assert_agree(there, here, 1e-5)
        for error, expected in zip(there["statistics_error"], here["statistics_error"]):
            self.assertLess(abs(error / expected - 1), 1e-3)
        self.assertTrue(compiled("gfdt_group_sums"))

    def test_members_that_blow_up_are_replaced_alike(self):
        text = RING.replace('y = "-a*y +', 'y = "-a*y + 0.35*y^3 +').replace("members = 70", "members = 40")
        self.file.write_text(text)
        here, there = simulate(self.file), simulate(self.file, "--device", "cuda")
        self.assertGreater(here["replaced_members"], 0)
        self.assertEqual(here["replaced_members"], there["replaced_members"])

    def test_a_score_is_that_of_the_host(self):
        """The same samples and the same noise: the losses differ by the rounding of operands alone."""
        options = ("--method", "dsm", "--no-report", "--json", "-", "--quiet", "--set", "score.hidden=[8]", "--set", "score.samples=2000", "--set", "score.batch=1500", "--set", "score.epochs=3")
        here, there = (json.loads(gfdt("score", self.file, *options, "--device", device).stdout)["training"] for device in ("cpu", "cuda"))
        self.assertEqual(here["steps"], there["steps"])
        self.assertNotEqual(here["best_loss"], there["best_loss"])
        self.assertLess(abs(here["best_loss"] / there["best_loss"] - 1), 2e-3)

    def test_a_kept_score_is_evaluated_on_the_device(self):
        """At states of the host's rounding: what differs is its own."""
        score = Path(SCRATCH.name) / "score.json"
        done = gfdt("score", self.file, "--method", "dsm", "--quiet", "--set", "score.hidden=[8]", "--set", "score.samples=2000", "--set", "score.epochs=1", "--save", score)
        self.assertTrue(score.exists(), done.stderr)
        options = ("--score", score, "--parameters", "a", "--no-report", "--json", "-", "--quiet", "--set", "simulation.precision=double", "--set", "simulation.scheme=rk4", "--set", "simulation.length=40")
        here, there = (json.loads(gfdt("jacobian", self.file, *options, "--device", device).stdout) for device in ("cpu", "cuda"))
        for row, other, errors in zip(here["jacobian"], there["jacobian"], here["jacobian_error"]):
            for value, expected, error in zip(row, other, errors):
                self.assertLess(abs(value - expected), 0.01 * error)

    @unittest.skipUnless(EMULATED, "needs a GPU that can be made small")
    def test_too_little_memory_makes_parts(self):
        whole = simulate(self.file, "--device", "cuda", "--set", "simulation.members=300")
        parts = simulate(self.file, "--device", "cuda", "--set", "simulation.members=300", GFDT_EMULATED_BYTES="600000")
        self.assertEqual(whole["statistics"], parts["statistics"])

    @unittest.skipUnless(EMULATED, "needs a driver that can be made old")
    def test_what_is_missing_is_said(self):
        for setting, words in (({"GFDT_EMULATED_DEVICES": "0"}, "sees no GPU"), ({"GFDT_EMULATED_VERSION": "11080"}, "CUDA 11.8 only"),
                               ({"GFDT_EMULATED_BYTES": "2000"}, "no room")):
            done = gfdt("simulate", self.file, "--device", "cuda", "--quiet", **setting)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)

    @unittest.skipUnless(EMULATED, "needs a compiler that can be made to fail")
    def test_code_that_was_compiled_before_comes_from_the_cache(self):
        cache = Path(SCRATCH.name) / "kept"
        first = simulate(self.file, "--device", "cuda", GFDT_CACHE=str(cache))
        again = simulate(self.file, "--device", "cuda", GFDT_CACHE=str(cache), GFDT_EMULATED_CXX="false")
        self.assertEqual(first["statistics"], again["statistics"])
        for code in cache.glob("*.cubin"):
            code.write_bytes(code.read_bytes()[:-1])
        done = gfdt("simulate", self.file, "--device", "cuda", "--quiet", GFDT_CACHE=str(cache), GFDT_EMULATED_CXX="false")
        self.assertIn("does not compile", done.stderr)

    @unittest.skipUnless(EMULATED, "needs a compiler that can be made to fail")
    def test_code_that_does_not_compile_is_kept_and_named(self):
        done = gfdt("simulate", self.file, "--device", "cuda", "--quiet", GFDT_EMULATED_CXX="false", GFDT_CACHE=str(Path(SCRATCH.name) / "empty"))
        self.assertEqual(done.returncode, 2)
        kept = re.search(r"kept in (\S+\.cu)\.", done.stderr)
        self.assertTrue(kept, done.stderr)
        self.assertIn("gfdt_advance", Path(kept.group(1)).read_text())


main()
