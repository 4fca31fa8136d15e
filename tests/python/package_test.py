"""Formulas, errors and documentation of the package."""

from shared import GFDT, PackageTest, gfdt

import ast
import doctest
import importlib
import inspect
import subprocess
import unittest
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
