"""`gfdt report`, and the pages at the end of other commands. Run as: report_command_test.py GFDT PROJECT_FOLDER"""

import json
import os
import sys
import unittest

from gfdt_command import Command

LINEAR = """
[model]
state = ["x"]
[model.parameters]
mu = 0.5
[model.drift]
x = "mu - x"
[model.diffusion]
x = 1.0
[observables]
m = "x"
[simulation]
dt = 0.05
length = 100
members = 32
[score]
method = "exact"
"""


class Report(Command):
    def setUp(self):
        super().setUp()
        (self.folder / "linear.toml").write_text(LINEAR)

    def files(self, folder="."):
        return sorted(path.name for path in (self.folder / folder).iterdir())

    def test_a_jacobian_leaves_a_page_beside_its_numbers(self):
        done = self.run_gfdt("jacobian", "linear.toml")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.splitlines()[-1].strip(), "Report: linear-jacobian/report.html")
        self.assertEqual(self.files("linear-jacobian"), ["jacobian.json", "report.html"])
        page = (self.folder / "linear-jacobian" / "report.html").read_text()
        for part in ("Jacobian of linear", 'id="jacobian-map"', 'id="step-responses"', 'id="kernels"', "mu - x"):
            self.assertIn(part, page)

    def test_the_page_can_be_made_again_and_elsewhere(self):
        self.run_gfdt("jacobian", "linear.toml", "--out", "run", "--no-report")
        self.assertNotIn("report.html", self.files("run"))
        done = self.run_gfdt("report", "run")
        self.assertEqual((done.returncode, done.stdout), (0, "run/report.html\n"), done.stderr)
        first = (self.folder / "run" / "report.html").read_text()
        done = self.run_gfdt("report", "run", "--output", "page.html")
        self.assertEqual((done.returncode, done.stdout), (0, "page.html\n"), done.stderr)
        self.assertEqual((self.folder / "page.html").read_text(), first)

    def test_no_page_is_made_where_none_is_wanted(self):
        self.assertEqual(self.run_gfdt("jacobian", "linear.toml", "--no-report").returncode, 0)
        self.assertEqual(self.files(), ["linear.toml"])

    def test_responses_and_simulations_have_pages(self):
        done = self.run_gfdt("response", "linear.toml", "--out", "run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('id="kernels-of-responses"', (self.folder / "run" / "report.html").read_text())
        self.assertEqual(self.run_gfdt("simulate", "linear.toml", "--out", "plain").returncode, 0)
        self.assertEqual(self.run_gfdt("report", "plain").returncode, 0)
        self.assertIn("Simulation of linear", (self.folder / "plain" / "report.html").read_text())

    def test_a_page_that_cannot_be_made_costs_no_result(self):
        (self.folder / "linear-jacobian").write_text("in the way")
        done = self.run_gfdt("jacobian", "linear.toml", "--json", "result.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertIn("There is no report page. The folder 'linear-jacobian' cannot be made", done.stderr)
        self.assertEqual(json.loads((self.folder / "result.json").read_text())["status"], "done")

    def test_folders_that_are_no_runs(self):
        self.assert_bad_input(self.run_gfdt("report", "."), "holds no results")
        (self.folder / "empty").mkdir()
        (self.folder / "begun").mkdir()
        (self.folder / "begun" / "run.json").write_text('{"format": "gfdt run", "format_version": 2}')
        (self.folder / "newer").mkdir()
        (self.folder / "newer" / "run.json").write_text('{"format": "gfdt run", "format_version": 7}')
        (self.folder / "cut").mkdir()
        (self.folder / "cut" / "jacobian.json").write_text('{"jacobian": [[1')
        for folder, words in (("missing", "no folder 'missing'"), ("empty", "is empty"), ("linear.toml", "is a file"),
                              ("begun", "nothing to show yet"), ("newer", "newer gfdt"),
                              ("cut", "damaged")):
            self.assert_bad_input(self.run_gfdt("report", folder), words)
            if (self.folder / folder).is_dir():
                self.assertNotIn("report.html", self.files(folder))
        self.assert_bad_input(self.run_gfdt("report"), "run is required")

    @unittest.skipIf(os.geteuid() == 0, "everything can be written by root")
    def test_a_folder_that_cannot_be_written(self):
        self.run_gfdt("jacobian", "linear.toml", "--out", "run", "--no-report")
        (self.folder / "run").chmod(0o500)
        self.assert_bad_input(self.run_gfdt("report", "run"), "run")
        self.assertEqual(self.run_gfdt("report", "run", "--output", "page.html").returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
