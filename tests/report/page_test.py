"""A report page in a real browser: what it draws, what it answers to, what it asks of the network.

Run as: page_test.py GFDT. Leaves with 77, which CTest takes for «skipped», where there is no Chromium or the program was
built without the plotting library."""

import base64
import csv
import io
import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from large_page import LargePage, SixParameters  # noqa: F401, their tests run with these
from page_case import PageCase, make_page
from page_layout import Layout  # noqa: F401
from sample_documents import NASTY, PROVENANCE, calibration, predictive

SKIPPED = 77


class Page(PageCase):
    @staticmethod
    def documents():
        methods = [calibration("kgmm", 0), calibration("finite-difference", 0.1)]
        return {"comparison.json": {"comparison": methods}, "kgmm/predictive.json": predictive()}

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
        self.assertEqual([name for name, _ in figures], ["answers", "target-deviations", "posterior-pairs", "density-of-states",
                                                         "mismatch", "statistics", "parameters", "jacobian-map", "agreement"])
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
        self.spoil()
        before = self.browser.run(shown)
        self.browser.run("document.querySelector('#mismatch .keys button').click()")
        self.browser.until(f"return (() => {{ {shown} }})() < {before}")

    def test_the_file_holds_the_data_of_the_figure(self):
        self.spoil()
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
        self.spoil()
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
        if "Figures are missing" in make_page(folder).read_text():
            return "gfdt was built without the plotting library (npm ci in web/, then make)"
    return None


if __name__ == "__main__":
    if why := missing():
        print(f"skipped: {why}.", file=sys.stderr)
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
