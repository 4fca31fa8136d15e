"""Tests of the harness itself: exact answers against closed forms, derivatives against differences, and every class of the classifiers.

usage: python3 self_test.py
"""

import os
import sys
import unittest
from pathlib import Path

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(threads, "1")
sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np  # noqa: E402
from scipy.stats import gamma, norm  # noqa: E402

from exact.answer import difference_jacobian, exact_answer, solver_jacobian  # noqa: E402
from exact.fokker_planck_grid import Axis, PlanarGrid  # noqa: E402
from exact.gaussian import Linear  # noqa: E402
from exact.gibbs import Gibbs  # noqa: E402
from exact.quadrature import OneDimensional  # noqa: E402
from exact.redundant import Redundant  # noqa: E402
from exact.rings import GaussianRing  # noqa: E402
from exact.transfer_matrix import TransferMatrix  # noqa: E402
from problem import Observable, Unsuitable  # noqa: E402


def observables(**formulas):
    """Formulas, or (formula, breaks)."""
    return {name: Observable(entry) if isinstance(entry, str) else Observable(*entry) for name, entry in formulas.items()}


class OneDimensionalModels(unittest.TestCase):
    def test_ornstein_uhlenbeck(self):
        a, b = 1.3, 0.7
        solver = OneDimensional(["a", "b"], "-a*x", ["b"], observables(v="x^2", p=("x > 0.5", {"x": [0.5]})), theta=np.array([a, b]))
        answer = exact_answer(solver, np.array([a, b]), [0, 1])
        s = b / np.sqrt(2 * a)
        np.testing.assert_allclose(answer.statistics, [s**2, norm.sf(0.5 / s)], rtol=1e-9)
        slope = norm.pdf(0.5 / s) * 0.5 / s**2
        np.testing.assert_allclose(answer.jacobian, [[-(b**2) / (2 * a**2), b / a], [-slope * s / (2 * a), slope * s / b]], rtol=1e-7)
        self.assertAlmostEqual(solver.times(np.array([a, b])).slow, 1 / a, delta=0.01)

    def test_table_of_the_quartic_model(self):
        """shared/numerics.md, section 3, whose entries hold to 3e-6. With 2F/D = x − x³ one of them is ⟨x⁴⟩/3 = (⟨x²⟩ + 1)/3."""
        names = ["a1", "a2", "a3", "a4", "b1", "b2", "b3"]
        theta = np.array([0, 1, 0, -1, 1, 0, 1.0])
        solver = OneDimensional(names, "a1 + a2*x + a3*x^2 + a4*x^3", ["b1 + b2*x", "b3"], observables(m="x", s="x^2", p=("x > 2", {"x": [2.0]})), theta=theta)
        table = [[1.041797, 0, 0.680601, 0, 0, -0.688956, 0], [0, 0.478229, 0, 0.760013, 0.281785, 0, 0.281785],
                 [0.009876, 0.008041, 0.014844, 0.021348, 0.013307, 0.015861, 0.013307]]
        answer = exact_answer(solver, theta, list(range(7)))
        np.testing.assert_allclose(answer.jacobian, table, atol=3e-6)
        self.assertAlmostEqual(answer.jacobian[0, 2], (answer.statistics[1] + 1) / 3, places=9)

    def test_square_root_process_is_gamma(self):
        k, m, s = 1.2, 0.8, 0.5
        solver = OneDimensional(["k", "m", "s"], "k*(m - x)", ["s*sqrt(x)"], observables(v="x^2", p=("x > 1", {"x": [1.0]})), "half", scale=m,
                                theta=np.array([k, m, s]))
        shape = 2 * k * m / s**2
        np.testing.assert_allclose(solver.statistics(np.array([k, m, s]), 1), [m**2 * (1 + 1 / shape), gamma.sf(1, shape, scale=m / shape)], rtol=1e-9)

    def test_density_without_end_is_refused(self):
        with self.assertRaises(Unsuitable):
            OneDimensional(["a"], "a*x", ["1"], {}, theta=np.array([0.5]))


class GaussianModels(unittest.TestCase):
    def test_oscillator(self):
        w, g, s = 1.4, 0.6, 0.5
        solver = Linear(["w", "g", "s"], ["q", "v"], {"q": "v", "v": "-w^2*q - g*v"}, {"v": "s"}, {"a": [1, 0], "b": [0, 1]})
        solver.set_observables(observables(q="a^2", v="b^2", both=("a > 0 and b > 0", {"a": [0.0], "b": [0.0]})))
        theta, energy = np.array([w, g, s]), s**2 / (2 * g)
        answer = exact_answer(solver, theta, [0, 1, 2])
        np.testing.assert_allclose(answer.statistics, [energy / w**2, energy, 0.25], rtol=1e-9)
        np.testing.assert_allclose(answer.jacobian[0], [-2 * energy / w**3, -energy / (g * w**2), 2 * energy / (s * w**2)], rtol=1e-7)

    def test_shared_noise_and_orthant_probability(self):
        solver = Linear(["r"], ["x", "y"], {"x": "-x", "y": "-y"}, {"x": {"u": "1"}, "y": {"u": "r", "w": "sqrt(1 - r^2)"}}, {"a": [1, 0], "b": [0, 1]})
        solver.set_observables(observables(c="a*b", both=("a > 0 and b > 0", {"a": [0.0], "b": [0.0]})))
        r = 0.6
        np.testing.assert_allclose(solver.statistics(np.array([r]), 1), [r / 2, 0.25 + np.arcsin(r) / (2 * np.pi)], rtol=1e-7)

    def test_ring_agrees_with_lyapunov(self):
        n, names, theta = 7, ["F", "a", "c", "u", "s", "r", "g"], np.array([0.4, 0.9, 0.5, 0.3, 0.7, 0.2, 0.3])
        ring = GaussianRing(names, n, "F - a*X[k] + c*(X[k+1] - 2*X[k] + X[k-1]) + u*(X[k-1] - X[k+1])", {"w[k]": "s", "w[k+1]": "r", "common": "g"}, 2)
        site = lambda i: f"x{i % n}"
        drift = {site(i): f"F - a*{site(i)} + c*({site(i + 1)} - 2*{site(i)} + {site(i - 1)}) + u*({site(i - 1)} - {site(i + 1)})" for i in range(n)}
        noise = {site(i): {f"w{i}": "s", f"w{(i + 1) % n}": "r", "common": "g"} for i in range(n)}
        unit = np.eye(n)
        whole = Linear(names, [site(i) for i in range(n)], drift, noise, {"x": unit[0], "y": unit[2], "M": np.full(n, 1 / n)})
        tests = observables(v="x^2", c="x*y", p=("x > 0.3", {"x": [0.3]}), m="M^2")
        for solver in (ring, whole):
            solver.set_observables(tests)
        np.testing.assert_allclose(ring.statistics(theta, 1), whole.statistics(theta, 1), rtol=1e-10)
        np.testing.assert_allclose(ring.times(theta).slow, whole.times(theta).slow, rtol=1e-10)


class KnownDensities(unittest.TestCase):
    def test_transfer_matrix_of_a_gaussian_ring(self):
        theta, n = np.array([0.8, 0.5, 0.9]), 6
        exact = GaussianRing(["a", "c", "s"], n, "-a*X[k] + c*(X[k+1] - 2*X[k] + X[k-1])", {"w[k]": "s"}, 1)
        matrix = TransferMatrix(["a", "c", "s"], n, "a*x^2/s^2", "c*(x - y)^2/s^2", theta)
        exact.set_observables(observables(v="x^2", c="x*y", p=("x > 0.3 and y > 0.3", {"x": [0.3], "y": [0.3]}), w="M^2"))
        matrix.set_observables(observables(v="x^2", c="x*y", p=("x > 0.3 and y > 0.3", {"x": [0.3], "y": [0.3]}), w="M2"))
        np.testing.assert_allclose(matrix.statistics(theta, 1), exact.statistics(theta, 1), rtol=1e-7)

    def test_gibbs_separates_into_quadratures(self):
        theta = np.array([1.1, 0.7, 0.6])
        plane = Gibbs(["a", "b", "T"], ["x", "v"], "(a*x^4/4 - b*x^2/2 + v^2/2)/T", theta)
        line = OneDimensional(["a", "b", "T"], "b*x - a*x^3", ["sqrt(2*T)"], observables(s="x^2", p=("x > 0.5", {"x": [0.5]})), theta=theta)
        plane.set_observables(observables(s="x^2", p=("x > 0.5", {"x": [0.5]}), k="v^2", both=("x > 0.5 and v > 0", {"x": [0.5], "v": [0.0]})))
        values = plane.statistics(theta, 1)
        np.testing.assert_allclose(values[:2], line.statistics(theta, 1), rtol=1e-8)
        np.testing.assert_allclose(values[2:], [0.6, values[1] / 2], rtol=1e-8)
        np.testing.assert_allclose(plane.jacobian(theta, [0, 1, 2], 1)[:2], solver_jacobian(line, theta, [0, 1, 2], 1)[0], rtol=1e-6)

    def test_covariance_formula_agrees_with_differences(self):
        theta = np.array([1.0, 0.5, 0.8, 0.9])
        solver = Gibbs(["a", "k", "m", "s"], ["x", "y", "z"], "2*(a*x^4/4 + y^2/2 + z^4/4 + k*(x - y)^2/2 + k*(y - z)^2/2)/s^2", theta)
        solver.set_observables(observables(c="x*y", o="m*x^2", p=("x > 0.2 or z > 0.4", {"x": [0.2], "z": [0.4]})))
        differences, _ = difference_jacobian(lambda t: solver.statistics(t, 1), theta, [0, 1, 2, 3])
        np.testing.assert_allclose(solver.jacobian(theta, [0, 1, 2, 3], 1), differences, atol=1e-7)
        self.assertGreater(abs(differences[1, 2]), 0.1)

    def test_redundant_parameter(self):
        theta = np.array([1.3, 0.7, 1.4])
        inner = OneDimensional(["a", "b"], "-a*x", ["b"], observables(v="x^2"), theta=np.array([1.3, 0.98]))
        a, b, extra = theta
        np.testing.assert_allclose(Redundant(inner, 1).jacobian(theta, [0, 1, 2], 1),
                                   [[-((b * extra) ** 2) / (2 * a**2), b * extra**2 / a, b**2 * extra / a]], rtol=1e-7)


class Grid(unittest.TestCase):
    def test_rotated_gradient_agrees_with_its_density(self):
        names, theta = ["a", "b", "w", "s"], np.array([0.8, 0.6, 0.7, 0.9])
        slope = {"x": "(x^3 - a*x + b*(x - y))", "y": "(y^3 + b*(y - x))"}
        drift = {"x": f"-{slope['x']} + w*{slope['y']}", "y": f"-{slope['y']} - w*{slope['x']}"}
        grid = PlanarGrid(names, ["x", "y"], drift, {"x": "s", "y": "s"}, [Axis(-3.2, 0.1, 64), Axis(-3.2, 0.1, 64)])
        exact = Gibbs(names, ["x", "y"], "2*(x^4/4 - a*x^2/2 + y^4/4 + b*(x - y)^2/2)/s^2", theta)
        tests = observables(m="x*y", p=("x > 0.5", {"x": [0.5]}), both=("x > 0.5 and y < 0.2", {"x": [0.5], "y": [0.2]}), e="a*abs(x)")
        tests["e"].breaks = {"x": [0.0]}
        for solver in (grid, exact):
            solver.set_observables(tests)
        answer = exact_answer(grid, theta, [0, 1, 2, 3])
        np.testing.assert_allclose(answer.statistics, exact.statistics(theta, 1), rtol=1e-5)
        true = exact.jacobian(theta, [0, 1, 2, 3], 1)
        np.testing.assert_allclose(answer.jacobian, true, atol=2e-5)
        self.assertTrue(np.all(np.abs(answer.jacobian - true) <= 3 * answer.jacobian_error + 1e-6))

    def test_logarithmic_axes(self):
        """Two gene products that decay independently: products of inverse gamma densities."""
        names, theta = ["b", "s"], np.array([0.9, 0.5])
        axes = [Axis(-2.5, 0.1, 60, True), Axis(-2.5, 0.1, 60, True)]
        grid = PlanarGrid(names, ["x", "y"], {"x": "b - x", "y": "b - y"}, {"x": "s*x", "y": "s*y"}, axes)
        grid.set_observables(observables(m="x", p="x > 1 and y > 1", s="x*y"))
        line = OneDimensional(names, "b - x", ["s*x"], observables(m="x", p=("x > 1", {"x": [1.0]})), "half", theta=theta)
        mean, above = line.statistics(theta, 1)
        np.testing.assert_allclose(grid.statistics(theta, 1), [mean, above**2, mean**2], rtol=2e-5)


if __name__ == "__main__":
    from self_test_of_classes import *  # noqa: F401, F403, E402
    from self_test_of_fixed_models import *  # noqa: F401, F403, E402
    unittest.main()
