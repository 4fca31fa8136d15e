"""Results: methods, arrays, tables, pages and the folders of calibrations."""

from shared import PackageTest, gfdt, numbers_of

import unittest
from unittest import mock

import numpy as np


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
        # The errors of plain averages include the bias of the time step.
        self.assertTrue(np.all(plain.statistics_error >= reduced.plain_statistics_error))
        self.assertTrue(np.all(reduced.statistics_error < plain.statistics_error))
        self.assertEqual(list(reduced.plain_statistics), reduced.to_dict()["plain_statistics"])


class Arrays(PackageTest):
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
            self.assertRegex(repr(result), r"alpha +\d +[\d.]+ \(not determined\)|alpha +\d +\d\(\d\d+\)" if isinstance(result, gfdt.Calibration) else r"\d\(\d+\)")
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


class Folders(PackageTest):
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

    def test_a_calibration_goes_on_from_its_folder(self):
        class AccuracyThresholds(Exception):
            pass

        def stop(so_far):
            raise AccuracyThresholds

        with self.assertRaises(AccuracyThresholds):
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
        with self.assertRaisesRegex(gfdt.Error, "give only one of them"):
            gfdt.calibrate(problem, out=self.folder / "run", resume=True, overwrite=True)
        again = gfdt.calibrate(problem, out=self.folder / "run", overwrite=True)
        self.assertEqual(numbers_of(again.to_dict()), numbers_of(gfdt.calibrate(problem).to_dict()))
        self.assertTrue((self.folder / "run" / "notes.txt").exists())

    def test_a_page_that_cannot_be_made_loses_no_answer(self):
        with mock.patch("gfdt._tasks.report", side_effect=OSError("no space")), self.assertWarnsRegex(RuntimeWarning, "no space"):
            self.assertIn("alpha", gfdt.calibrate(self.file, out=self.folder / "run").parameters)


if __name__ == "__main__":
    unittest.main()
