"""Order, layout and accessibility of a page of one calibration."""

import json

from page_case import PageCase
from sample_documents import NASTY, calibration, predictive


class Layout(PageCase):
    @staticmethod
    def documents():
        result = calibration("auto", 0) | {"parameters_interval": {"p": [0.08, 0.12], NASTY: [3.1, 3.3]}}
        return {"run.json": {"format": "gfdt run", "format_version": 1}, "result.json": result, "predictive.json": predictive(series=5)}

    def test_the_verdict_comes_first_with_icon_and_word(self):
        self.assertEqual(self.browser.run("return [...document.querySelector('header').children].map(e => e.className || e.tagName)"),
                         ["H1", "subtitle", "verdict passed"])
        [sentence] = self.texts(".verdict .sentence")
        self.assertTrue(sentence.startswith("✓ Passed The calibrated model reproduces the 2 targets"), sentence)

    def test_results_come_before_how_they_were_obtained(self):
        self.assertEqual(self.browser.run("return [...document.querySelectorAll('main > section')].map(s => s.id)"),
                         ["posterior", "objective", "density", "convergence", "jacobian", "cost", "provenance"])
        first = self.browser.run("return document.querySelector('#posterior table').innerText")
        self.assertIn("95 % interval", first)
        self.assertIn("0.100\xa0±\xa00.010", first)

    def test_table_and_posterior_are_side_by_side_on_a_wide_screen_only(self):
        places = "return [...document.querySelector('.beside').children].map(e => e.getBoundingClientRect().top)"
        left, right = self.browser.run(places)
        self.assertEqual(left, right)
        self.spoil()
        self.browser.width(700)
        left, right = self.browser.run(places)
        self.assertLess(left, right)

    def test_the_posterior_is_square_and_says_its_correlation(self):
        size = self.browser.run("const box = document.querySelector('#posterior-pairs .main-svg').getBoundingClientRect();"
                                "return [box.width, box.height]")
        self.assertAlmostEqual(size[0], size[1], delta=2)
        texts = self.browser.run("return [...document.querySelectorAll('#posterior-pairs .annotation-text')].map(t => t.textContent)")
        self.assertIn("ρ = 0.20", texts)
        self.assertIn("p = 0.100 ± 0.010", texts)

    def test_legends_say_what_lines_are(self):
        words = set(self.texts(".keys button"))
        self.assertLessEqual({"calibrated model", "first guess", "data"}, words)
        self.assertFalse({word for word in words if word in ("auto", "guess", "record", "model")})

    def test_covariances_are_folded(self):
        covariance = "return [...document.querySelectorAll('#posterior table')].map(t => t.checkVisibility())"
        self.assertEqual(self.browser.run(covariance), [True, False, False])
        self.spoil()
        self.browser.run("document.querySelector('#posterior details').open = true")
        self.assertEqual(self.browser.run(covariance), [True, True, True])

    def test_panels_fill_their_rows(self):
        for width in (1200, 800, 390):
            self.assert_fits(width)
            self.assert_rows_of_panels_are_full()

    def test_a_phone_has_figures_that_can_be_read(self):
        self.assert_fits(390)
        widths = self.browser.run("return [...document.querySelectorAll('.plot .main-svg')].map(svg => svg.clientWidth)")
        self.assertLessEqual(max(widths), 390)
        self.assertGreater(min(widths), 300)

    def test_text_stands_out_from_its_ground(self):
        selectors = ["body", ".badge", ".sentence", ".explanation", ".subtitle", "nav a", "figcaption", "caption", "summary", "th"]
        self.assert_contrast(selectors)
        self.browser.scheme("dark")
        self.assert_contrast(selectors)

    def test_headings_plots_and_tables_have_names(self):
        levels = self.browser.run("return [...document.querySelectorAll('h1, h2, h3')].map(h => Number(h.tagName[1]))")
        self.assertEqual(levels.count(1), 1)
        self.assertEqual(levels[0], 1)
        for above, below in zip(levels, levels[1:]):
            self.assertLessEqual(below, above + 1)
        unnamed = self.browser.run("""return [...document.querySelectorAll('.plot, [role=region], section, nav, input')].filter(e =>
            !(e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.labels?.length)).map(e => e.outerHTML.slice(0, 99))""")
        self.assertEqual(unnamed, [])
        self.assertIn(f"Parameters during the search: {NASTY}", self.browser.run(
            "return [...document.querySelectorAll('#parameters .plot')].map(p => p.getAttribute('aria-label'))"))

    def test_tables_need_no_scripts(self):
        self.spoil()
        self.browser.tools("Emulation.setScriptExecutionDisabled", value=True)
        self.addCleanup(self.browser.tools, "Emulation.setScriptExecutionDisabled", value=False)
        self.browser.post("/url", {"url": self.page.as_uri()})
        tree = json.dumps(self.browser.tools("DOMSnapshot.captureSnapshot", computedStyles=["display"])["strings"])
        self.assertIn("0.100 ± 0.010".replace(" ", "\\u00a0").replace("±", "\\u00b1"), tree)
        nodes = self.browser.tools("DOM.getDocument", depth=-1)["root"]["nodeId"]
        figure = self.browser.tools("DOM.querySelector", nodeId=nodes, selector="figure")["nodeId"]
        self.browser.tools("DOM.enable")
        self.browser.tools("CSS.enable")
        style = self.browser.tools("CSS.getComputedStyleForNode", nodeId=figure)["computedStyle"]
        self.assertEqual([entry["value"] for entry in style if entry["name"] == "display"], ["none"])
