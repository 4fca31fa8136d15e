"""Tests of the classifiers on made-up results: each class is produced once. `self_test.py` runs them."""

import unittest

import numpy as np

from calibration import Objective, covariance_distance
from calibration_problem import Calibration
from classify import CRASHED, HUNG, REFUSED, RIGHT, SILENT, WARNED, classify_jacobian
from classify_calibration import classify_calibration
from exact.answer import Answer
from exact.quadrature import OneDimensional
from jacobian_study import coverage
from problem import Observable, Parameter, Problem
from run import Outcome

TRUTH = Answer(np.array([0.5]), np.array([1e-9]), np.array([[2.0, 0.0]]), np.array([[1e-9, 1e-9]]), np.array([1.0]))


def outcome(document, status=0):
    return Outcome(status, document, 1.0, 1.0, "", ["gfdt"])


def jacobian_document(statistic=0.5, entries=(2.0, 0.0), errors=(0.1, 0.1), passed=True, degrees=99.0):
    return {"statistics": [statistic], "statistics_error": [0.01], "jacobian": [list(entries)], "jacobian_error": [list(errors)],
            "degrees_of_freedom": degrees, "method": ["m", "m"], "findings": [{"check": "mixing", "passed": passed, "verdict": "v"}]}


def judged(document, status=0):
    return classify_jacobian(outcome(document, status), TRUTH, ["A"], ["a", "b"])


class ClassesOfJacobians(unittest.TestCase):
    def test_right(self):
        verdict = judged(jacobian_document(statistic=0.53, entries=(2.3, -0.1)))
        self.assertEqual(verdict.kind, RIGHT)
        held = {kind: [entry["held"] for entry in verdict.details if entry["kind"] == kind] for kind in ("statistics", "jacobian")}
        self.assertEqual(held, {"statistics": [False], "jacobian": [False, True]})

    def test_coverage_tells_sampling_noise_from_bounds(self):
        document = {**jacobian_document(entries=(2.3, -0.1)), "sampling_error": [[0.08, 0.01]], "statistics_sampling_error": [0.01]}
        counts = coverage([{"details": judged(document).details}])
        self.assertEqual((counts["sampled"]["held"], counts["sampled"]["judged"]), (1, 2))
        self.assertEqual((counts["bounded"]["held"], counts["bounded"]["judged"]), (1, 1))

    def test_wrong_silently_in_an_entry_or_a_statistic(self):
        self.assertEqual(judged(jacobian_document(entries=(2.5, 0.0))).kind, SILENT)
        self.assertEqual(judged(jacobian_document(statistic=0.55)).kind, SILENT)
        self.assertEqual(judged(jacobian_document(entries=(0.0, 0.0), errors=(0.0, 0.1))).kind, SILENT)

    def test_few_degrees_of_freedom_widen_the_limit(self):
        self.assertEqual(judged(jacobian_document(entries=(2.5, 0.0), degrees=5.0)).kind, RIGHT)
        self.assertEqual(judged(jacobian_document(entries=(2.5, 0.0), degrees=None)).kind, SILENT)

    def test_wrong_with_a_failed_check(self):
        self.assertEqual(judged(jacobian_document(entries=(2.5, 0.0), passed=False)).kind, WARNED)
        self.assertEqual(judged(jacobian_document(entries=(2.5, 0.0)), status=1).kind, WARNED)

    def test_missing_entries_do_not_count(self):
        verdict = judged(jacobian_document(entries=(None, 0.0), errors=(None, 0.1)))
        self.assertEqual((verdict.kind, verdict.missing), (RIGHT, 1))

    def test_refused(self):
        verdict = judged(jacobian_document(entries=(None, None), errors=(None, None), passed=False), status=1)
        self.assertEqual((verdict.kind, verdict.failed_checks), (REFUSED, ["mixing"]))
        self.assertEqual(judged(None, status=1).kind, REFUSED)

    def test_crashed(self):
        for document, status in ((None, -11), (None, 2), (None, 0), ({"status": "done"}, 0), (jacobian_document(), 134)):
            self.assertEqual(judged(document, status).kind, CRASHED)

    def test_hung(self):
        self.assertEqual(judged(None, None).kind, HUNG)


def calibration_case(noisy=False):
    """⟨x²⟩ = b²/2a and ⟨x⟩ = m, of which b and m are to be found."""
    theta = np.array([1.0, 0.8, 0.3])
    found = {"square": Observable("(x - m)^2"), "mean": Observable("x")}
    solver = OneDimensional(["a", "b", "m"], "-a*(x - m)", ["b"], found, theta=theta)
    problem = Problem("one-dimensional", "test", 1, ["x"], {name: Parameter(v) for name, v in zip("abm", theta)}, {}, {}, found, solver, free=["b", "m"])
    return Calibration([problem, problem], solver, theta, [1, 2], [0, 1], np.array([0.32, 0.3]), np.array([0.01, 0.02]), {}, np.array([0.0, -np.inf]),
                       np.array([np.inf, np.inf]), noisy, np.array([0.8, 0.3]))


def calibration_document(b=0.8, m=0.3, status="within-noise", warnings=(), noise=1e-4):
    return {"status": status, "converged": status == "within-noise", "parameters": {"b": b, "m": m}, "parameters_error": {"b": 0.0125, "m": 0.02},
            "parameters_covariance": [[0.0125**2, 0], [0, 0.02**2]], "parameters_interval": {"b": [b - 0.025, b + 0.025], "m": [None, m + 0.04]},
            "targets": {"observables": ["square", "mean"]}, "statistics_error": [noise, noise], "iterations": [{"warnings": list(warnings)}]}


class ClassesOfCalibrations(unittest.TestCase):
    def judged(self, document, status=0, noisy=False):
        return classify_calibration(outcome(document, status), calibration_case(noisy))

    def test_exact_minimum_and_its_errors(self):
        minimum = Objective(calibration_case()).minimum(np.array([1.1, 0.1]))
        np.testing.assert_allclose(minimum.parameters, [0.8, 0.3], rtol=1e-6)
        np.testing.assert_allclose(minimum.errors, [0.01 / 0.8, 0.02], rtol=1e-5)
        self.assertTrue(minimum.whole)

    def test_right_and_far_answers(self):
        right = self.judged(calibration_document(b=0.803, m=0.305), noisy=True)
        self.assertEqual((right["class"], right["held"]), (RIGHT, [2, 2]))
        self.assertAlmostEqual(right["distance"], np.sqrt((0.24**2 + 0.25**2) / 2), delta=1e-3)
        self.assertAlmostEqual(right["exact_distance"], right["distance"], delta=0.01)
        self.assertEqual(self.judged(calibration_document(b=0.84))["class"], SILENT)
        self.assertEqual(self.judged(calibration_document(b=0.84, warnings=["mixing"]))["class"], WARNED)

    def test_truth_outside_an_interval(self):
        self.assertEqual(self.judged(calibration_document(b=0.77), noisy=True)["held"], [1, 2])

    def test_simulation_noise_excuses_what_it_explains(self):
        self.assertEqual(self.judged(calibration_document(m=0.34, noise=0.02))["class"], RIGHT)

    def test_mirrored_minimum_is_an_answer(self):
        case = calibration_case()
        case.lower = np.array([-np.inf, -np.inf])
        result = classify_calibration(outcome(calibration_document(b=-0.8)), case)
        self.assertEqual((result["class"], result.get("other_minimum")), (RIGHT, True))

    def test_refused_crashed_and_hung(self):
        self.assertEqual(self.judged(calibration_document(status="unreachable"), 1)["class"], REFUSED)
        self.assertEqual(self.judged(None, 1)["class"], REFUSED)
        self.assertEqual(self.judged(None, -6)["class"], CRASHED)
        self.assertEqual(self.judged(None, None)["class"], HUNG)

    def test_covariance_distance(self):
        self.assertAlmostEqual(covariance_distance(np.array([0.2, 0.0]), [[0.01, 0], [0, 1]]), np.sqrt(2), places=9)
        self.assertIsNone(covariance_distance(np.array([0.2, 0.0]), [[None, 0], [0, 1]]))


if __name__ == "__main__":
    unittest.main()
