"""Formulas, errors, functions of Python's, arrays and documentation of the package."""

from shared import PROJECT, PackageTest, gfdt, numbers_of

import ast
import doctest
import importlib
import inspect
import json
import subprocess
import threading
import time
import unittest
from unittest import mock
from pathlib import Path

import numpy as np
from gfdt import _gfdt


class Formulas(unittest.TestCase):
    def setUp(self):
        self.x, self.y, self.a = gfdt.state("x"), gfdt.state("y"), gfdt.parameter("a", 2.0)

    def test_text(self):
        x, y, a = self.x, self.y, self.a
        for formula, text in [
            (a * (x + y), "a*(x + y)"),
            (x - (y - a), "x - (y - a)"),
            (x / (y * a), "x/(y*a)"),
            (-(x + y), "-(x + y)"),
            ((-x) ** 2, "(-x)^2"),
            (-(x**2), "-x^2"),
            (x**-1, "x^(-1)"),
            ((x**2) ** 3, "(x^2)^3"),
            (2 - x * -3, "2 - x*(-3)"),
            (1e-5 * x, "1e-05*x"),
            (~(x > 1) | (y < 0), "not (x > 1) or y < 0"),
            ((x > 1) & ((y < 0) | (a > 1)), "x > 1 and (y < 0 or a > 1)"),
            (np.tanh(x) + np.float64(0.5) * y, "tanh(x) + 0.5*y"),
            (gfdt.maximum(abs(x), 1), "max(abs(x), 1)"),
            (gfdt.formula("x + y") * 2, "(x + y)*2"),
        ]:
            self.assertEqual(str(formula), text)

    def test_formulas_mean_what_python_means(self):
        """Random expressions have the value that Python gives them."""
        random = np.random.default_rng(1)
        values = {"x": 0.7, "y": -1.3, "a": 2.0}

        def grow(depth):
            if depth == 0:
                number = float(random.integers(-3, 4)) / 2
                leaves = [(symbol, values[str(symbol)]) for symbol in (self.x, self.y, self.a)]
                return [*leaves, (number, number)][random.integers(4)]
            (left, p), (right, q) = grow(depth - 1), grow(depth - 1)
            made = [(left + right, p + q), (left - right, p - q), (left * right, p * q), (-left, -p), (left**2, p**2)]
            return made[random.integers(5)]

        grown = [grow(4) for _ in range(40)]
        # Without drift and noise the states stay where they start, and averages are values.
        problem = gfdt.Problem(
            drift={self.x: 0, self.y: 0},
            observables={f"o{i}": formula for i, (formula, _) in enumerate(grown)},
            parameters=[self.a],
            initial={name: {"mean": values[name], "std": 0.0} for name in ("x", "y")},
            simulation={"dt": 0.1, "members": 1, "length": 10},
        )
        np.testing.assert_allclose(gfdt.simulate(problem).statistics, [value for _, value in grown], rtol=1e-9, atol=1e-12)

    def test_mistakes(self):
        with self.assertRaisesRegex(gfdt.Error, r"write \(1 < x\) & \(x < 2\)"):
            1 < self.x < 2
        with self.assertRaisesRegex(gfdt.Error, "no formula"):
            gfdt.Problem(drift={self.x: -self.x}, observables={"one": self.x == 1})
        with self.assertRaisesRegex(gfdt.Error, "two different things called 'a'"):
            self.a + gfdt.parameter("a", 3.0)
        with self.assertRaisesRegex(gfdt.Error, "state 'y' has no drift"):
            gfdt.Problem(drift={self.x: self.y})

    def test_lattices_and_named_noises(self):
        problem = gfdt.Problem(
            drift={"X[k]": "-X[k-1]*(X[k-2] - X[k+1]) - X[k] + F"},
            diffusion={"X[k]": {"w[k]": "s", "shared": 0.1}},
            observables={"mu": "mean(k, X[k])"},
            parameters={"F": 8.0, "s": {"value": 1.0, "lower": 0.0}},
            sites={"k": 5},
            initial={"X[k]": {"mean": 2.0, "std": 3.0}},
        )
        self.assertEqual(problem.components, [f"X[{i}]" for i in range(5)])
        self.assertEqual(problem.parameters, {"F": 8.0, "s": 1.0})


class Errors(PackageTest):
    def test_changes_are_not_lost_where_a_problem_is_saved(self):
        changed = gfdt.read(self.file).changed({"alpha": 2.0})
        with self.assertRaisesRegex(gfdt.Error, r"without what was changed \(alpha=2.0\)"):
            changed.save(self.folder / "saved.toml")
        self.assertFalse((self.folder / "saved.toml").exists())
        self.assertEqual(gfdt.loads(changed.text, set=changed.overrides).parameters, changed.parameters)

    def test_the_sentence_of_the_command_and_its_place(self):
        self.file.write_text(self.file.read_text().replace('"-alpha*x"', '"-alhpa*x"'))
        with self.assertRaises(gfdt.InputError) as caught:
            gfdt.read(self.file)
        error = caught.exception
        self.assertEqual((error.file, error.line, error.column), (str(self.file), 4, 17))
        self.assertIn("alpha", error.message)
        from shared import GFDT

        done = subprocess.run([GFDT, "simulate", str(self.file)], capture_output=True, text=True)
        self.assertEqual(done.stderr.strip(), str(error).strip())
        self.assertIsInstance(error, gfdt.Error)

    def test_other_mistakes(self):
        with self.assertRaisesRegex(gfdt.Error, "no method of scores. Did you mean 'kgmm'"):
            gfdt.score(self.file, "kgm")
        with self.assertRaisesRegex(gfdt.Error, "'alhpa' is not a parameter of the model. Did you mean 'alpha'"):
            gfdt.jacobian(self.file, parameters=["alhpa"])
        with self.assertRaisesRegex(gfdt.Error, "at least one thread"):
            gfdt.simulate(self.file, threads=0)
        with self.assertRaisesRegex(gfdt.Error, "is no problem"):
            gfdt.simulate(3)


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

    def test_a_calibration_goes_on_from_its_folder(self):
        class Enough(Exception):
            pass

        def stop(so_far):
            raise Enough

        with self.assertRaises(Enough):
            gfdt.calibrate(self.file, out=self.folder / "run", observer=stop)
        self.assertFalse((self.folder / "run" / "result.json").exists())
        resumed = gfdt.calibrate(self.file, out=self.folder / "run", resume=True)
        self.assertIn("Calibration", (self.folder / "run" / "report.html").read_text(encoding="utf-8"))
        self.assertEqual(numbers_of(resumed.to_dict()), numbers_of(gfdt.calibrate(self.file).to_dict()))
        with self.assertRaisesRegex(gfdt.Error, "resume"):
            gfdt.calibrate(self.file, out=self.folder / "run")

    def test_a_calibration_is_made_anew_in_its_folder(self):
        problem = gfdt.read(self.file, set={"simulation.length": 100})
        gfdt.calibrate(self.file, out=self.folder / "run")
        (self.folder / "run" / "notes.txt").touch()
        with self.assertRaisesRegex(gfdt.Error, "leave one of them out"):
            gfdt.calibrate(problem, out=self.folder / "run", resume=True, overwrite=True)
        again = gfdt.calibrate(problem, out=self.folder / "run", overwrite=True)
        self.assertEqual(numbers_of(again.to_dict()), numbers_of(gfdt.calibrate(problem).to_dict()))
        self.assertTrue((self.folder / "run" / "notes.txt").exists())

    def test_a_page_that_cannot_be_made_loses_no_answer(self):
        with mock.patch("gfdt._tasks.report", side_effect=OSError("no space")), self.assertWarnsRegex(RuntimeWarning, "no space"):
            self.assertIn("alpha", gfdt.calibrate(self.file, out=self.folder / "run").parameters)


class Methods(PackageTest):
    def test_each_column_has_the_method_that_suits_it(self):
        for method, kinds in (("auto", "control-variate|gfdt|finite-difference"), ("control-variate", "control-variate")):
            S = gfdt.jacobian(self.file, method)
            self.assertEqual((S.to_dict()["name"], len(S.method), len(S.remark)), (method, 2, 2))
            for column in S.method:
                self.assertRegex(column, kinds)
            # <x²> = β²/2α, which x² itself solves: nothing is left but rounding.
            self.assertAlmostEqual(S["variance", "alpha"], -0.5, places=6)
            self.assertAlmostEqual(S["variance", "beta"], 1, places=6)
            self.assertEqual(S.plain_statistics.shape, (2,))
            self.assertTrue(np.all(S.statistics_error < S.plain_statistics_error))
        with self.assertRaisesRegex(gfdt.Error, "needs no score"):
            gfdt.jacobian(self.file, "control-variate", score=lambda x: -2 * x)

    def test_noise_can_be_left_on(self):
        plain = gfdt.simulate(gfdt.read(self.file, set={"response.control_variate": False}))
        reduced = gfdt.simulate(self.file)
        np.testing.assert_array_equal(plain.statistics, plain.plain_statistics)
        np.testing.assert_array_equal(plain.statistics, reduced.plain_statistics)
        np.testing.assert_array_equal(plain.statistics_error, reduced.plain_statistics_error)
        self.assertTrue(np.all(reduced.statistics_error < plain.statistics_error))
        self.assertEqual(list(reduced.plain_statistics), reduced.to_dict()["plain_statistics"])


class Arrays(PackageTest):
    def test_pages(self):
        results = {
            "Simulation": gfdt.simulate(self.file),
            "Jacobian": gfdt.jacobian(self.file),
            "Response": gfdt.response(self.file, "alpha", until=1),
            "Calibration": gfdt.calibrate(self.file),
            "Score": gfdt.score(self.file),
        }
        for title, result in results.items():
            page = result.report(self.folder / f"{title}.html")
            self.assertRegex(page.read_text(encoding="utf-8"), rf"<h1[^>]*>[^<]*{title}")
        (self.folder / "nothing").mkdir()
        with self.assertRaisesRegex(gfdt.Error, "nothing"):
            gfdt.report(self.folder / "nothing")

    def test_results_are_read_only_views(self):
        result = gfdt.simulate(self.file, trajectory=True)
        self.assertEqual(result.states.shape, (16, 10000, 1))
        for name in ("states", "statistics", "plain_statistics"):
            array = getattr(result, name)
            self.assertTrue(np.shares_memory(array, getattr(result, name)))
            self.assertFalse(array.flags.owndata)
            self.assertFalse(array.flags.writeable)
        states = result.states
        expected = float(result.plain_statistics[0])
        self.assertLess(abs(result["variance"] - 0.5), 5 * result.statistics_error[0] + 1e-9)  # and rounding
        self.assertLess(result.statistics_error[0], 0.1 * result.plain_statistics_error[0])
        del result
        self.assertAlmostEqual(float(np.mean(states**2)), expected, places=10)

    def test_trajectories_are_those_of_the_command(self):
        kept = gfdt.simulate(gfdt.read(self.file, set={"simulation.members": 3, "simulation.length": 2}), trajectory=True)
        self.command("simulate", self.file, "--set", "simulation.members=3", "--set", "simulation.length=2", "--trajectory", "t.csv")
        lines = [line for line in (self.folder / "t.csv").read_text().splitlines() if not line.startswith("#")]
        member, time, x = np.loadtxt(lines[1:], delimiter=",", unpack=True)
        np.testing.assert_array_equal(x.reshape(3, 100), kept.states[:, :, 0])
        np.testing.assert_allclose(time[:100], kept.time)

    def test_states_from_elsewhere(self):
        states = gfdt.simulate(self.file, trajectory=True).states
        S = gfdt.jacobian(self.file, score="gaussian", trajectory=states, interval=0.02)
        own = gfdt.jacobian(self.file, score="gaussian")
        np.testing.assert_allclose(S.jacobian, own.jacobian, atol=5 * np.max(own.jacobian_error))
        with self.assertRaisesRegex(gfdt.Error, "interval"):
            gfdt.jacobian(self.file, trajectory=states)
        with self.assertRaisesRegex(gfdt.Error, r"\(members, times, 1\)"):
            gfdt.jacobian(self.file, trajectory=states[:, 0, 0], interval=0.02)

    def test_a_score_reads_any_strides(self):
        score = gfdt.score(self.file, "gaussian")
        wide = np.random.default_rng(2).normal(size=(3000, 4))
        np.testing.assert_array_equal(score(wide[::3, 2:3]), score(np.ascontiguousarray(wide[::3, 2:3])))
        self.assertEqual(score(np.zeros(1)).shape, (1,))
        with self.assertRaisesRegex(gfdt.Error, r"shape \(n, 1\)"):
            score(wide)

    def test_tables(self):
        for result in (gfdt.simulate(self.file), gfdt.jacobian(self.file), gfdt.response(self.file, "alpha", until=1), gfdt.response(self.file), gfdt.calibrate(self.file), gfdt.score(self.file)):
            # Of this model averages at single times tell β²/α alone: a calibration leaves both undetermined, or known to tens.
            self.assertRegex(repr(result), r"alpha +\d \(not determined\)|alpha +\d +\d\(\d\d+\)" if isinstance(result, gfdt.Calibration) else r"\d\(\d+\)")
            self.assertIn("<table>", result._repr_html_())
            with self.assertRaisesRegex(AttributeError, "has no 'nonsense'"):
                result.nonsense

    def test_numbers_that_cannot_be_used_are_warned_of(self):
        # A random walk has no long-run variance; that it goes unnoticed has a probability far below 1e-4.
        x = gfdt.state("x")
        walk = gfdt.Problem(drift={x: "0"}, diffusion={x: 1}, observables={"variance": x**2}, simulation={"dt": 0.1, "members": 32, "length": 200})
        with self.assertWarnsRegex(RuntimeWarning, "stationarity"):
            result = gfdt.simulate(walk)
        self.assertFalse(result.usable)
        self.assertTrue(any("stationarity" in problem for problem in result.problems))

    def test_xarray(self):
        try:
            import xarray  # noqa: F401
        except ImportError:
            self.skipTest("xarray is not installed")
        S = gfdt.jacobian(self.file)
        data = S.to_xarray()
        self.assertEqual(float(data.jacobian.sel(observable="variance", parameter="alpha")), S["variance", "alpha"])
        self.assertTrue(np.shares_memory(data.jacobian.values, S.jacobian))
        for result in (gfdt.simulate(self.file, trajectory=True), gfdt.response(self.file, "alpha", until=1), gfdt.response(self.file), gfdt.calibrate(self.file), gfdt.score(self.file)):
            self.assertGreater(len(result.to_xarray()), 0)


class Documentation(unittest.TestCase):
    modules = [importlib.import_module(f"gfdt.{name}") for name in ("_formulas", "_problem", "_tasks")]

    def test_examples_run(self):
        for module in [gfdt, *self.modules]:
            tried = doctest.testmod(module, extraglobs={name: getattr(gfdt, name) for name in gfdt.__all__})
            self.assertGreater(tried.attempted, 0, module)
            self.assertEqual(tried.failed, 0, module)

    def test_everything_is_described(self):
        for name in gfdt.__all__:
            thing = getattr(gfdt, name)
            self.assertTrue(inspect.getdoc(thing), name)
            if inspect.isclass(thing):
                for member, value in vars(thing).items():
                    if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                        self.assertTrue(inspect.getdoc(value), f"{name}.{member}")

    def test_stubs_agree_with_the_module(self):
        tree = ast.parse((Path(gfdt.__file__).parent / "_gfdt.pyi").read_text())
        stated = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        real = {name for name in vars(_gfdt) if not name.startswith("_")}
        self.assertEqual(set(stated), real)
        for name, node in stated.items():
            if isinstance(node, ast.FunctionDef):
                self.assert_signature(name, node, getattr(_gfdt, name).__doc__)
            elif not name.endswith("Error"):
                members = {part.name: part for part in node.body if isinstance(part, ast.FunctionDef)}
                own = {member for member in vars(getattr(_gfdt, name)) if not member.startswith("_")}
                self.assertEqual({member for member in members if not member.startswith("_")}, own, name)
                for member, part in members.items():
                    if not part.decorator_list or part.decorator_list[0].id == "staticmethod":
                        self.assert_signature(member, part, getattr(getattr(_gfdt, name), member).__doc__)

    def assert_signature(self, name, node, doc):
        """pybind11 writes the signature into the first line: name(a: int, b: str) -> int."""
        first = doc.splitlines()[0]
        for argument in node.args.args:
            self.assertIn(f"{argument.arg}:", first, name)
        self.assertEqual(first.count(": "), len(node.args.args) + first.count("Dict["), first)


if __name__ == "__main__":
    unittest.main()
