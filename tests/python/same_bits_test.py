"""The package and the command give the same bits for one seed."""

from shared import PackageTest, gfdt, numbers_of

import unittest


class SameBits(PackageTest):
    def assert_same(self, result, *arguments):
        self.assertEqual(numbers_of(result.to_dict()), numbers_of(self.command(*arguments)))

    def test_simulate(self):
        self.assert_same(gfdt.simulate(self.file, seed=7), "simulate", self.file, "--seed", 7)

    def test_the_number_of_threads_does_not_matter(self):
        one, two = (gfdt.simulate(self.file, threads=threads).to_dict() for threads in (1, 2))
        self.assertEqual(numbers_of(one), numbers_of(two))

    def test_changes_of_entries(self):
        problem = gfdt.read(self.file, set={"simulation.length": 100, "alpha": 1.5})
        self.assert_same(gfdt.simulate(problem), "simulate", self.file, "--set", "simulation.length=100", "--set", "alpha=1.5")

    def test_changes_of_a_problem_that_was_read(self):
        problem = gfdt.read(self.file, set={"simulation.length": 100}).changed({"alpha": 1.5})
        self.assert_same(gfdt.simulate(problem), "simulate", self.file, "--set", "simulation.length=100", "--set", "alpha=1.5")

    def test_a_model_kept_apart(self):
        (self.folder / "model.toml").write_text("\n".join(self.file.read_text().splitlines()[:5]))
        self.file.write_text("\n".join(['[model]', 'file = "model.toml"', *self.file.read_text().splitlines()[5:]]))
        self.assert_same(gfdt.simulate(gfdt.read(self.file).changed({"alpha": 1.5})), "simulate", self.file, "--set", "alpha=1.5")

    def test_score(self):
        self.assert_same(gfdt.score(self.file, "gaussian", seed=3), "score", self.file, "--method", "gaussian", "--seed", 3)

    def test_jacobian(self):
        for method, score in (("", "gaussian"), ("", None), ("finite-difference", None), ("gfdt", None), ("control-variate", None)):
            options = [*(["--method", method] if method else []), *(["--score", score] if score else [])]
            self.assert_same(gfdt.jacobian(self.file, method, score=score, seed=3), "jacobian", self.file, "--seed", 3, *options)

    def test_response(self):
        result = gfdt.response(self.file, "alpha", size=0.1, until=2)
        self.assert_same(result, "response", self.file, "--parameter", "alpha", "--size", 0.1, "--until", 2)
        self.assert_same(gfdt.response(self.file), "response", self.file)

    def test_calibrate(self):
        expected = self.command("calibrate", self.file, "--seed", 5, "--out", self.folder / "run")
        result = gfdt.calibrate(self.file, seed=5)
        self.assertEqual(numbers_of(result.to_dict()), numbers_of(expected))
        self.assertTrue(result.converged)

    def test_a_problem_written_in_python_is_the_same_problem(self):
        x = gfdt.state("x")
        alpha, beta = gfdt.parameter("alpha", 1.0, lower=0), gfdt.parameter("beta", 1.0, lower=0)
        problem = gfdt.Problem(
            drift={x: -alpha * x},
            diffusion={x: beta},
            observables={"variance": x**2, "warm": x > 1},
            targets={"variance": (0.4, 0.01), "warm": (0.06, 0.01)},
            simulation={"dt": 0.02, "members": 16, "length": 200},
        )
        self.assertEqual(numbers_of(gfdt.simulate(problem).to_dict()), numbers_of(gfdt.simulate(self.file).to_dict()))
        problem.save(self.folder / "saved.toml")
        self.assert_same(gfdt.simulate(problem), "simulate", self.folder / "saved.toml")


if __name__ == "__main__":
    unittest.main()
