"""Functions of Python's as observables, scores and observers."""

from shared import PackageTest, gfdt

import json
import threading
import time
import unittest
from unittest import mock

import numpy as np


class Functions(PackageTest):
    def test_observables(self):
        result = gfdt.simulate(self.file, observables={"square": lambda x: x[:, 0] ** 2, "warm2": lambda x: x[:, 0] > 1})
        self.assertEqual(result.observables, ["variance", "warm", "square", "warm2"])
        np.testing.assert_allclose(result.statistics[2:], result.statistics[:2], rtol=1e-12)
        np.testing.assert_allclose(result.statistics_error[2:], result.statistics_error[:2], rtol=1e-9)
        self.assertEqual(result.to_dict()["observables"], result.observables)

    def test_observables_in_likelihood_ratios(self):
        S = gfdt.jacobian(self.file, "likelihood-ratio", observables={"square": lambda x: x[:, 0] ** 2})
        self.assertEqual(S.observables, ["variance", "warm", "square"])
        alpha = S.parameters.index("alpha")
        np.testing.assert_allclose(S.jacobian[2, alpha], S.jacobian[0, alpha], rtol=1e-9)

    def test_observables_in_finite_differences(self):
        functions = {"square": lambda x: x[:, 0] ** 2, "warm2": lambda x: x[:, 0] > 1}
        S = gfdt.jacobian(self.file, "finite-difference", observables=functions)
        self.assertEqual(S.observables, ["variance", "warm", "square", "warm2"])
        np.testing.assert_allclose(np.asarray(S)[2:], S.jacobian[:2], rtol=1e-9)
        # Errors of formulas may come from parts of members as well.
        np.testing.assert_allclose(S.jacobian_error[2:], S.jacobian_error[:2], rtol=0.7)

    def test_observables_in_jacobians_and_responses(self):
        functions = {"warm2": lambda x: x[:, 0] > 1, "square": lambda x: x[:, 0] ** 2}
        for score in ("gaussian", "exact"):
            S = gfdt.jacobian(self.file, score=score, observables=functions)
            self.assertEqual(S.observables, ["variance", "warm", "warm2", "square"])
            np.testing.assert_allclose(S.jacobian[[3, 2]], S.jacobian[:2], rtol=1e-9)
            np.testing.assert_allclose(S.jacobian_error[[3, 2]], S.jacobian_error[:2], rtol=1e-6)
        answer = gfdt.response(self.file, "alpha", until=2, observables=functions)
        np.testing.assert_allclose(answer.response[[3, 2]], answer.response[:2], rtol=1e-9)
        with self.assertRaisesRegex(gfdt.Error, "stationary runs alone"):
            gfdt.response(self.file, "alpha", until=2, observables=functions, check=True)

    def test_functions_alone_have_no_finite_differences(self):
        x, a = gfdt.state("x"), gfdt.parameter("a", 1.0)
        problem = gfdt.Problem(drift={x: -a * x}, diffusion={x: 1}, simulation={"dt": 0.02, "members": 8, "length": 20})
        with self.assertRaisesRegex(gfdt.Error, "one observable that is a formula"):
            gfdt.jacobian(problem, "finite-difference", observables={"square": lambda x: x[:, 0] ** 2})

    def test_functions_are_called_one_at_a_time(self):
        inside, most, lock = [0], [0], threading.Lock()

        def entered(values):
            with lock:
                inside[0] += 1
                most[0] = max(most[0], inside[0])
            time.sleep(5e-3)  # others may have the interpreter
            with lock:
                inside[0] -= 1
            return values

        short = gfdt.read(self.file, set={"simulation.length": 2, "simulation.members": 1024})
        gfdt.simulate(short, observables={"o": lambda x: entered(x[:, 0]), "p": lambda x: entered(x[:, 0])}, threads=4)
        self.assertEqual(most[0], 1)

    def test_a_parameter_on_its_bound(self):
        problem = gfdt.read(self.file, set={"model.parameters.beta": {"value": 1.0, "lower": 1.0}})
        S = gfdt.jacobian(problem, "finite-difference", observables={"square": lambda x: x[:, 0] ** 2}, parameters=["beta"])
        self.assertIn("one side", S.remark[0])
        self.assertAlmostEqual(S["square", "beta"], S["variance", "beta"], places=8)

    def test_response_with_a_score_of_ones_own(self):
        given = gfdt.response(self.file, "alpha", until=2, score=lambda x: -2 * x)
        exact = gfdt.response(self.file, "alpha", until=2, score="exact")
        np.testing.assert_allclose(given.response, exact.response, rtol=1e-6, atol=1e-9)
        fitted = gfdt.response(self.file, "alpha", until=2, score=gfdt.score(self.file, "exact"))
        np.testing.assert_allclose(fitted.response, exact.response, rtol=1e-12)

    def test_score_with_its_derivative(self):
        # The density is normal with variance 1/2: s = -2x and (ds/dx)v = -2v.
        given = gfdt.jacobian(self.file, score=lambda x: -2 * x, derivative=lambda x, v: -2 * v)
        exact = gfdt.jacobian(self.file, score="exact")
        np.testing.assert_allclose(given.jacobian, exact.jacobian, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(given.jacobian_error, exact.jacobian_error, rtol=1e-6, atol=1e-9)

    def test_score_without_derivative(self):
        given = gfdt.jacobian(self.file, score=lambda x: -2 * x, parameters=["alpha"])
        self.assertLess(abs(given["variance", "alpha"] + 0.5), 5 * given.jacobian_error[0, 0] + 0.02)
        with self.assertRaisesRegex(gfdt.Error, "without its derivative"):
            gfdt.jacobian(self.file, score=lambda x: -2 * x)

    def test_a_fitted_score(self):
        fitted = gfdt.score(self.file, "gaussian", seed=9)
        by_object = gfdt.jacobian(self.file, score=fitted)
        fitted.save(self.folder / "score.json")
        by_file = gfdt.jacobian(self.file, score=self.folder / "score.json")
        np.testing.assert_array_equal(by_object.jacobian, by_file.jacobian)
        again = gfdt.read_score(self.folder / "score.json", self.file)
        x = np.linspace(-2, 2, 9)[:, np.newaxis]
        np.testing.assert_array_equal(again(x), fitted(x))
        np.testing.assert_allclose(fitted.derivative(x)[:, 0, 0], (fitted(x + 1e-5) - fitted(x - 1e-5))[:, 0] / 2e-5, rtol=1e-6)

    def test_a_fitted_score_is_kept(self):
        gfdt.jacobian(self.file, score="gaussian", save=self.folder / "kept.json")
        self.assertEqual(gfdt.read_score(self.folder / "kept.json", self.file).method, "gaussian")
        with self.assertRaisesRegex(gfdt.Error, "here none is"):
            gfdt.jacobian(self.file, "finite-difference", save=self.folder / "none.json")

    def test_where_a_score_is_kept_is_looked_at_first(self):
        with mock.patch("gfdt._gfdt.jacobian", side_effect=AssertionError("computed")):
            with self.assertRaisesRegex(gfdt.Error, "no folder '.*nodir'"):
                gfdt.jacobian(self.file, score="gaussian", save=self.folder / "nodir" / "kept.json")
            with self.assertRaisesRegex(gfdt.Error, "is a folder"):
                gfdt.jacobian(self.file, score="gaussian", save=self.folder)

    def test_a_failed_score_that_is_read_is_warned_of(self):
        gfdt.score(self.file, "gaussian").save(self.folder / "score.json")
        kept = json.loads((self.folder / "score.json").read_text(encoding="utf-8"))
        self.assertTrue(gfdt.read_score(self.folder / "score.json", self.file).usable)
        kept["certificate"]["verdict"] = "failed"
        del kept["checksum"]
        (self.folder / "score.json").write_text(json.dumps(kept), encoding="utf-8")
        with self.assertWarnsRegex(RuntimeWarning, "Score by gaussian: failed"):
            self.assertFalse(gfdt.read_score(self.folder / "score.json", self.file).usable)

    def test_what_functions_raise_is_raised(self):
        def broken(x):
            raise LookupError("of my own")

        for call in (lambda: gfdt.simulate(self.file, observables={"o": broken}), lambda: gfdt.jacobian(self.file, score=broken)):
            with self.assertRaisesRegex(LookupError, "of my own"):
                call()

    def test_shapes_are_checked(self):
        with self.assertRaisesRegex(gfdt.Error, "one number for each state"):
            gfdt.simulate(self.file, observables={"o": lambda x: x})
        with self.assertRaisesRegex(gfdt.Error, "shape of the states"):
            gfdt.jacobian(self.file, score=lambda x: x[:3])

    def test_observer(self):
        seen = []
        result = gfdt.calibrate(self.file, observer=lambda so_far: seen.append(len(so_far.iterations)))
        self.assertEqual(seen[-1], len(result.iterations))
        self.assertEqual(seen, sorted(seen))


if __name__ == "__main__":
    unittest.main()
