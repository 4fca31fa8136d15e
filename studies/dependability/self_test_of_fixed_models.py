"""Tests of the fixed models against closed forms, and of what is counted about them. `self_test.py` runs them."""

import unittest

import numpy as np
from scipy.linalg import circulant, solve_continuous_lyapunov
from scipy.stats import beta, chi2, gamma, invgamma, norm

import curved
import repeated
from calibration import Objective
from curved_problem import FARTHEST, FREE, STD, curved_problem
from exact.quadrature import OneDimensional
from fixed_models import MODELS, fixed_problem
from problem import Observable


def values_of(name):
    problem, answer = fixed_problem(name)
    return {key: parameter.value for key, parameter in problem.parameters.items()}, dict(zip(problem.observables, answer.statistics)), answer


class FixedModels(unittest.TestCase):
    def test_square_root_process_is_gamma(self):
        p, found, answer = values_of("square-root")
        shape = 2 * p["k"] * p["m"] / p["s"] ** 2
        expected = [p["m"], p["m"] ** 2 * (1 + 1 / shape), gamma.sf(1.5, shape, scale=p["m"] / shape)]
        np.testing.assert_allclose(list(found.values()), expected, rtol=1e-9)
        np.testing.assert_allclose(answer.jacobian[0], [0, 1, 0], atol=1e-7)

    def test_wright_fisher_is_beta(self):
        p, found, _ = values_of("wright-fisher")
        law = beta(2 * p["u"] * p["N"], 2 * p["v"] * p["N"])
        np.testing.assert_allclose(list(found.values()), [law.mean(), 2 * (law.mean() - law.moment(2)), law.sf(0.8)], rtol=1e-9)

    def test_heavy_tail_is_inverse_gamma(self):
        p, found, answer = values_of("heavy-tail")
        shape, scale = 1 + 2 * p["a"] / p["s"] ** 2, 2 * p["m"] / p["s"] ** 2
        self.assertGreater(shape, 4, "The variance of the square is infinite.")
        square = scale**2 / ((shape - 1) * (shape - 2))
        np.testing.assert_allclose(list(found.values()), [p["m"] / p["a"], square, shape / scale, invgamma.sf(2.0, shape, scale=scale)], rtol=1e-8)
        np.testing.assert_allclose(answer.jacobian[0], [1 / p["a"], -p["m"] / p["a"] ** 2, 0], atol=1e-6)

    def test_wells_have_weight_and_the_runs_switch(self):
        for name in ("bistable", "schloegl"):
            problem, _ = fixed_problem(name)
            _, found, _ = values_of(name)
            self.assertTrue(0.2 < found["upper"] < 0.8, name)
            with np.errstate(all="ignore"):
                self.assertLess(problem.solver.times(problem.theta()).slow, 0.05 * problem.simulation["length"])
            x, mass = (array.ravel() for array in problem.solver.density(problem.theta(), 1))
            count, edges = np.histogram(x, 40, (np.quantile(x, 0.02), np.quantile(x, 0.98)), weights=mass)
            peaks = [i for i in range(1, len(count) - 1) if count[i - 1] < count[i] > count[i + 1]]
            self.assertGreaterEqual(len(peaks), 2, name)
            self.assertLess(np.sum(mass[x < 0.02]), 1e-9)

    def test_mean_of_the_bistable_model_is_its_mean_production(self):
        problem, answer = fixed_problem("bistable")
        x, mass = problem.solver.density(problem.theta(), 1)
        p1, p2, _ = problem.theta()
        self.assertAlmostEqual(np.sum(mass * (p1 + p2 * x**4 / (x**4 + 11.9**4))), answer.statistics[0], places=7)

    def test_underdamped_marginals(self):
        p, found, answer = values_of("underdamped")
        tests = {key: fixed_problem("underdamped")[0].observables[key] for key in ("square", "fourth", "right")}
        line = OneDimensional(list(p), "b*x - a*x^3", ["sqrt(2*T)"], tests, theta=np.array(list(p.values())))
        np.testing.assert_allclose([found[key] for key in tests], line.statistics(np.array(list(p.values())), 1), rtol=1e-7)
        np.testing.assert_allclose(found["kinetic"], p["T"], rtol=1e-9)
        np.testing.assert_allclose(answer.jacobian[:, list(p).index("gamma")], 0, atol=1e-9)

    def test_rotated_density_depends_on_the_ratio_of_potential_and_noise(self):
        p, _, answer = values_of("rotated")
        column = dict(zip(p, answer.jacobian.T))
        np.testing.assert_allclose(sum(p[name] * column[name] for name in "abc"), -p["s"] / 2 * column["s"], atol=1e-7)
        np.testing.assert_allclose(column["w"], 0, atol=1e-9)

    def test_chain_is_stationary(self):
        p, found, _ = values_of("chain")
        self.assertAlmostEqual(p["a"] * found["xx"] + p["f"] * found["xz"], p["s"] ** 2 / 2, places=9)

    def test_rings_agree_with_lyapunov(self):
        for name, stencil in (("ring", {0: 1.0}), ("conserved-ring", {0: 1.0, -1: -1.0})):
            p, found, answer = values_of(name)
            size = fixed_problem(name)[0].sites["k"]
            row = np.zeros(size)
            row[[0, 1, -1]] = [-p["a"] - 2 * p["nu"], p["nu"], p["nu"]]
            noise = sum(p["s"] * weight * np.roll(np.eye(size), shift, axis=1) for shift, weight in stencil.items())
            covariance = solve_continuous_lyapunov(circulant(row), -noise @ noise.T)
            variance = covariance[0, 0]
            expected = [variance, covariance[0, 1], 3 * variance**2, norm.sf(0.6 / np.sqrt(variance))]
            np.testing.assert_allclose(list(found.values()), expected, rtol=1e-8)
            np.testing.assert_allclose(answer.jacobian[:2, 2], 2 * np.array(expected[:2]) / p["s"], rtol=1e-7)
            self.assertAlmostEqual(np.ones(size) @ covariance @ np.ones(size) / size, (noise.sum(axis=0)[0]) ** 2 / (2 * p["a"]), places=9)


class CountsOfRepeatedRuns(unittest.TestCase):
    def test_columns_and_their_summary(self):
        problem, answer = fixed_problem("square-root")
        jacobian, error = answer.jacobian.copy(), np.full(answer.jacobian.shape, 0.01)
        jacobian[1, 2] += 0.03                                      # three standard errors
        entries = jacobian.tolist()
        entries[2][1] = None                                        # left out by the program
        document = {"statistics": (answer.statistics + 0.01).tolist(), "statistics_error": [0.01] * 3, "jacobian": entries,
                    "jacobian_error": error.tolist(), "degrees_of_freedom": 99.0}
        columns = repeated.columns_of(document, problem, answer)
        np.testing.assert_allclose(columns["s"]["z"], [0, 3, 0], atol=1e-3)
        self.assertEqual((columns["s"]["held"], columns["m"]["z"][2], columns["k"]["relative_error"][0]), (2, None, None))
        line = {"family": "square-root", "seed": 1, "class": "right", "exit": 0, "columns": columns, "methods": ["p", "q", "r"]}
        part = repeated.summary_of([line, {**line, "seed": 2}, {"family": "square-root", "seed": 3, "class": "harness error"}])
        self.assertEqual(part["exits"], {"0": 2, "None": 1})
        self.assertEqual((part["columns"]["m"]["entries"], part["columns"]["m"]["missing"], part["columns"]["s"]["held"]), (4, 2, 4))
        self.assertAlmostEqual(part["columns"]["s"]["rms_z"], np.sqrt(3), places=3)
        self.assertEqual((part["columns"]["s"]["methods"], part["jacobian"]["entries"]), ({"r": 2}, 16))

    def test_every_model_has_an_accurate_answer(self):
        for name in MODELS:
            problem, answer = fixed_problem(name)
            self.assertEqual(answer.jacobian.shape, (len(problem.observables), len(problem.parameters)), name)


class CurvedCalibrations(unittest.TestCase):
    def test_targets_guess_and_exact_minimum(self):
        case = curved_problem(1)
        problem = case.problems[0]
        exact = case.solver.statistics(case.theta, 1)
        np.testing.assert_allclose(case.std, STD * np.abs(exact), rtol=0.01)
        self.assertLess(np.max(np.abs(case.value - exact) / case.std), 5)
        guess = np.array([problem.parameters[name].value for name in FREE])
        self.assertLessEqual(np.max(np.abs(guess / case.theta[case.free] - 1)), FARTHEST + 0.005)
        self.assertLess(np.max(np.abs(Objective(case).residual(case.start))), 1e-3)

    def test_potential_and_drift_belong_together(self):
        """⟨x ∂V/∂x⟩ = s²/2, with the slope that the drift is made of."""
        case = curved_problem(2)
        p = dict(zip(case.problems[0].names, case.theta))
        case.solver.set_observables({"e": Observable("x*(a*x + k1*x^3 + c*y)"), "f": Observable("y*(a*y + k2*y^3 + c*x)")})
        np.testing.assert_allclose(case.solver.statistics(case.theta, 1), p["s"] ** 2 / 2, rtol=1e-8)

    def document(self, shift, curvature=0.1, degrees=None, intervals=True):
        truth = np.array([0.5, 0.8, 0.6, 0.3])
        return {"parameters": dict(zip(FREE, truth + 0.1 * np.array(shift))), "parameters_error": dict.fromkeys(FREE, 0.1),
                "parameters_covariance": (0.01 * np.eye(4)).tolist(), "degrees_of_freedom": degrees, "curvature": curvature,
                "parameters_interval": {name: [None, t + 0.1] for name, t in zip(FREE, truth)} if intervals else {}}, truth

    def test_regions(self):
        inside, outside = curved.regions(*self.document([1.9, 1.9, 1.4, 0])), curved.regions(*self.document([1.9, 1.9, 1.6, 0]))
        self.assertEqual((inside["joint"], outside["joint"], inside["marginal"], inside["interval"]), (True, False, [True] * 4, [True] * 4))
        self.assertEqual(curved.regions(*self.document([2.1, 0, 0, 0]))["marginal"], [False, True, True, True])
        self.assertTrue(curved.regions(*self.document([1.9, 1.9, 1.6, 0], degrees=20.0))["joint"])
        self.assertAlmostEqual(curved.squared_limit(4, 1e9), chi2.ppf(0.95, 4), places=5)

    def test_trust(self):
        for curvature, intervals, expected in ((0.1, True, curved.TRUSTED), (0.4, True, curved.WARNED), (None, True, curved.WARNED),
                                               (None, False, curved.UNMEASURED)):
            self.assertEqual(curved.trust(self.document([0] * 4, curvature, intervals=intervals)[0]), expected)


if __name__ == "__main__":
    unittest.main()
