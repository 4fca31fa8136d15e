"""A report page in a real browser: what it draws, what it answers to, what it asks of the network.

Run as: page_test.py GFDT. Leaves with 77, which CTest takes for «skipped», where there is no Chromium or the program was
built without the plotting library."""

import base64
import csv
import io
import json
import math
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from browser import Browser

SKIPPED = 77
NASTY = "</script><b>&\"'"
PROVENANCE = {"version": "0.1.0", "date": "2026-01-02T03:04:05Z", "command_line": "gfdt jacobian sample.toml",
              "problem_file": "sample.toml", "problem_text": "[model]\n# <b>\n", "seed": 1}


def calibration(name, shift):
    """Four evaluations on the way to two targets."""
    path = [(1 - 0.3 * i + shift, 2 + 0.4 * i) for i in range(4)]
    iterations = [{"parameters": {"p": p, NASTY: q}, "statistics": [2 * p, q], "statistics_error": [0.02, 0.03],
                   "residual": [2 * p - 0.2, q - 3.2], "jacobian": [[2.0, 0.1], [0.0, 1.0]],
                   "jacobian_error": [[0.1, 0.05], [0.02, 0.1]], "method": ["gfdt", "gfdt"], "length": 100, "spent": 100 * (i + 1),
                   "accepted": True, "mismatch": 1, "chi_square": 2, "simulated_time": 100, "wall_seconds": 0.5}
                  for i, (p, q) in enumerate(path)]
    return {"status": "within-noise", "explanation": "Done.", "name": name, "iterations": iterations,
            "targets": {"observables": ["mean", NASTY], "value": [0.2, 3.2], "covariance": [[0.0001, 0], [0, 0.0004]],
                        "source": "a file", "remarks": []},
            "parameters": dict(zip(("p", NASTY), path[-1])), "parameters_error": {"p": 0.01, NASTY: 0.05},
            "parameters_covariance": [[1e-4, 1e-4], [1e-4, 25e-4]], "parameters_correlation": [[1, 0.2], [0.2, 1]],
            "singular_values": [10, 3], "weak_directions": [], "statistics": [2 * path[-1][0], path[-1][1]],
            "statistics_error": [0.02, 0.03], "chi_square": 0.5, "chi_square_tail": 0.8, "chi_square_parts": [0.2, 0.3],
            "deviations": [0.1, 0.2], "mismatch_covariance": [[0.0005, 0], [0, 0.0013]], "simulated_time": 400,
            "wall_seconds": 2, "provenance": PROVENANCE}


def predictive():
    x = [-3 + 0.25 * i for i in range(25)]
    density = [math.exp(-v * v / 2) / math.sqrt(2 * math.pi) for v in x]
    return {"draws": 40, "length": 900, "series": [{"name": "x", "column": "nino34", "density": {
        "x": x, "model": density, "model_low": [0.8 * d for d in density], "model_high": [1.2 * d for d in density],
        "guess": [0.1] * 25, "record": density[::-1]}}]}


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="gfdt-page-", ignore_cleanup_errors=True)
        root = Path(cls.folder.name)
        cls.run_folder = root / "run"
        methods = [calibration("kgmm", 0), calibration("finite-difference", 0.1)]
        (cls.run_folder / "kgmm").mkdir(parents=True)
        (cls.run_folder / "comparison.json").write_text(json.dumps({"comparison": methods}))
        (cls.run_folder / "kgmm" / "predictive.json").write_text(json.dumps(predictive()))
        done = subprocess.run([GFDT, "report", cls.run_folder], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        cls.page = Path(done.stdout.strip()).resolve()
        cls.browser = Browser(root)
        cls.addClassCleanup(cls.folder.cleanup)
        cls.addClassCleanup(cls.browser.close)

    spoiled = True  # whether the page is no longer as it was opened

    def setUp(self):
        self.browser.scheme("light")
        self.browser.width(1200)
        if Page.spoiled:
            self.browser.open(self.page)
        Page.spoiled = False

    def place(self, figure, x, y):
        """Where a point of the first panel of a figure is on the screen."""
        return self.browser.run(f"""
            const plot = document.querySelector('#{figure} .plot'), {{xaxis, yaxis}} = plot._fullLayout;
            plot.scrollIntoView({{block: 'center', behavior: 'instant'}});
            const box = plot.getBoundingClientRect();
            return [box.left + xaxis._offset + xaxis.d2p({x}), box.top + yaxis._offset + yaxis.d2p({y})];""")

    def test_draws_every_figure_without_complaints_or_requests(self):
        self.browser.log("performance")  # of other pages
        self.browser.open(self.page)
        figures = self.browser.run("""return [...document.querySelectorAll('figure')].map(figure => [figure.id,
            [...figure.querySelectorAll('.plot')].map(plot => plot.querySelectorAll(
                '.scatterlayer path, .heatmaplayer image, .hm image').length)]);""")
        self.assertEqual([name for name, _ in figures], ["mismatch", "statistics", "parameters", "answers", "correlations",
                                                         "density-of-states", "jacobian-map", "agreement"])
        for name, panels in figures:
            self.assertTrue(panels, name)
            for marks in panels:
                self.assertGreater(marks, 0, name)
        self.assertEqual([entry for entry in self.browser.log("browser") if entry["level"] in ("SEVERE", "WARNING")], [])
        asked = []
        for entry in self.browser.log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked.append(message["params"]["request"]["url"].split(":", 1)[0])
        self.assertLessEqual(set(asked), {"file", "data", "blob"})
        self.assertIn("file", asked)

    def test_names_of_the_user_are_shown_as_they_are(self):
        self.assertIn(NASTY, self.browser.run("return document.querySelector('#objective').innerText"))
        titles = self.browser.run("return [...document.querySelectorAll('#statistics .gtitle')].map(t => t.textContent)")
        self.assertEqual(titles, ["mean", NASTY])

    def test_the_pointer_finds_the_numbers(self):
        # The second evaluation of the first method: p = 0.7, <mean> = 1.4 with the target 0.2, from 2 at the guess.
        self.browser.mouse((self.place("statistics", 1, 1.2 / 1.8), None))
        text = self.browser.until("return document.querySelector('#statistics .hoverlayer')?.textContent")
        self.assertIn("kgmm, step 1", text)
        self.assertIn("mean = 1.400 ± 0.020", text)
        self.assertIn("target 0.200 ± 0.010", text)

    def test_dragging_zooms_and_a_double_click_goes_back(self):
        window = "return document.querySelector('#statistics .plot')._fullLayout.xaxis.range"
        before = self.browser.run(window)
        self.browser.mouse((self.place("statistics", 1, 0.9), "down"), (self.place("statistics", 2, 0.1), "up"))
        zoomed = self.browser.until(f"const range = (() => {{ {window} }})(); return range[0] > 0.5 && range")
        self.assertAlmostEqual(zoomed[0], 1, delta=0.1)
        self.assertAlmostEqual(zoomed[1], 2, delta=0.1)
        middle = self.place("statistics", 1.5, 0.5)
        self.browser.mouse((middle, "down"), (middle, "up"), (middle, "down"), (middle, "up"))
        self.browser.until(f"const range = (() => {{ {window} }})(); return Math.abs(range[0] - {before[0]}) < 1e-6")

    def test_a_key_hides_its_curves(self):
        shown = "return document.querySelector('#mismatch .plot').querySelectorAll('.scatterlayer .trace').length"
        Page.spoiled = True
        before = self.browser.run(shown)
        self.browser.run("document.querySelector('#mismatch .keys button').click()")
        self.browser.until(f"return (() => {{ {shown} }})() < {before}")

    def test_the_file_holds_the_data_of_the_figure(self):
        Page.spoiled = True
        text = self.browser.run("""let kept; const make = URL.createObjectURL;
            URL.createObjectURL = blob => { kept = blob; return make(blob); };
            HTMLAnchorElement.prototype.click = function() { window.saved = this.download; };
            document.querySelector('#statistics .save').click();
            return kept.text();""")
        self.assertEqual(self.browser.run("return window.saved"), "statistics.csv")
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        self.assertEqual(len(rows), 2 * 2 * 4)
        for row in rows:
            p, q = (1 - 0.3 * int(row["step"]) + (0.1 if row["method"] == "finite-difference" else 0), 2 + 0.4 * int(row["step"]))
            self.assertAlmostEqual(float(row["value"]), 2 * p if row["statistic"] == "mean" else q, places=12)
        self.assertEqual({row["statistic"] for row in rows}, {"mean", NASTY})
        drawn = self.browser.run("return document.querySelector('#statistics .plot').data[2].y")
        self.assertEqual([float(row["normalised"]) for row in rows if (row["method"], row["statistic"]) == ("kgmm", "mean")], drawn)

    def test_the_table_is_a_click_away(self):
        self.browser.run("document.querySelector('#mismatch .show').click()")
        self.assertEqual(self.browser.run("return document.querySelectorAll('#mismatch .values tbody tr').length"), 8)

    def test_a_phone_need_not_scroll_sideways(self):
        Page.spoiled = True
        self.browser.width(390)
        self.browser.open(self.page)
        self.assertEqual(self.browser.run("return [document.documentElement.scrollWidth, innerWidth]"), [390, 390])
        widths = self.browser.run("return [...document.querySelectorAll('.plot .main-svg')].map(svg => svg.clientWidth)")
        self.assertLessEqual(max(widths), 390)
        self.assertGreater(min(widths), 300)

    def test_the_dark_is_dark_at_once(self):
        colours = """return [getComputedStyle(document.body).backgroundColor,
            document.querySelector('#mismatch .plot')._fullLayout.paper_bgcolor,
            document.querySelector('#mismatch .plot')._fullData[1].line.color]"""
        day = self.browser.run(colours)
        self.browser.scheme("dark")
        self.browser.until("return document.querySelector('#mismatch .plot')._fullLayout.paper_bgcolor !== '#ffffff'")
        night = self.browser.run(colours)
        for before, after in zip(day, night):
            self.assertNotEqual(before, after)

    def test_paper_is_white_and_holds_the_figures_whole(self):
        Page.spoiled = True
        self.browser.scheme("dark")
        self.browser.run("""addEventListener('beforeprint', () => { window.printed = {
            colours: [...document.querySelectorAll('.plot')].map(plot => plot._fullLayout.paper_bgcolor),
            widths: [...document.querySelectorAll('.plot')].map(plot => plot._fullLayout.width)}; });""")
        pdf = base64.b64decode(self.browser.post("/print", {"background": True, "page": {"width": 21.0, "height": 29.7}}))
        self.assertTrue(pdf.startswith(b"%PDF"))
        printed = self.browser.run("return window.printed")
        self.assertEqual(set(printed["colours"]), {"#ffffff"})
        self.assertLessEqual(max(printed["widths"]), 690)
        self.tools_are_hidden()

    def tools_are_hidden(self):
        self.browser.tools("Emulation.setEmulatedMedia", media="print")
        shown = self.browser.run("return [...document.querySelectorAll('.tools, nav')].map(e => getComputedStyle(e).display)")
        self.browser.tools("Emulation.setEmulatedMedia", media="")
        self.assertEqual(set(shown), {"none"})


def missing():
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            return f"there is no {program} (Debian: chromium, chromium-driver)"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "jacobian.json").write_text(json.dumps({"name": "a", "observables": ["x"], "parameters": ["p"],
                                                               "jacobian": [[1]], "provenance": PROVENANCE}))
        done = subprocess.run([GFDT, "report", folder], capture_output=True, text=True)
        if "Figures are missing" in (Path(folder) / "report.html").read_text():
            return "gfdt was built without the plotting library (npm ci in web/, then make)"
    return None


if __name__ == "__main__":
    GFDT = sys.argv.pop(1)
    if why := missing():
        print(f"skipped: {why}.", file=sys.stderr)
        sys.exit(SKIPPED)
    unittest.main()
