"""Pages of calibrations with 80 parameters and with 6, the most of which all pairs are drawn."""

import base64

from large_run import large_calibration
from page_case import PageCase
from sample_documents import PROVENANCE

TABLE = "#posterior .wide.long"


class LargePage(PageCase):
    @staticmethod
    def documents():
        return {"run.json": {"format": "gfdt run", "format_version": 1}, "result.json": large_calibration(provenance=PROVENANCE)}

    def rows(self):
        return self.browser.run(f"return [...document.querySelectorAll('{TABLE} tbody tr')].filter(r => r.checkVisibility())"
                                ".map(r => r.cells[0].textContent)")

    def test_draws_a_limited_number_of_panels(self):
        counts = dict(self.browser.run("return [...document.querySelectorAll('figure')].map(f => [f.id, f.querySelectorAll('.plot').length])"))
        self.assertEqual(counts["parameter-overview"], 2)
        self.assertEqual(counts["strongest-correlations"], 8)
        self.assertNotIn("posterior-pairs", counts)
        self.assertLessEqual(max(counts.values()), 12)
        self.assertEqual([entry for entry in self.browser.log("browser") if entry["level"] in ("SEVERE", "WARNING")], [])

    def test_labels_do_not_overlap(self):
        for figure, axis, low, high in (("parameter-overview", "y", "top", "bottom"), ("target-deviations", "y", "top", "bottom"),
                                        ("jacobian-map", "y", "top", "bottom"), ("jacobian-map", "x", "left", "right")):
            boxes = self.browser.run(f"""return [...document.querySelector('#{figure} .plot').querySelectorAll('.{axis}tick text')].map(
                text => {{ const box = text.getBoundingClientRect(); return [box.{low}, box.{high}]; }}).sort((a, b) => a[0] - b[0])""")
            self.assertGreater(len(boxes), 20, figure)
            for (_, end), (start, _) in zip(boxes, boxes[1:]):
                self.assertGreater(start, end - 3, figure)  # boxes of lines include their leading

    def test_every_parameter_is_in_the_sorted_plot(self):
        labels = self.browser.run("return [...document.querySelectorAll('#parameter-overview .plot')][0]._fullLayout.yaxis.ticktext")
        self.assertEqual(sorted(labels), sorted(f"k{i}" for i in range(80)))
        shares = self.browser.run("return [...document.querySelectorAll('#parameter-overview .plot')][0].data[0].x")
        self.assertEqual(shares, sorted(shares))

    def test_the_table_can_be_filtered(self):
        self.spoil()
        self.assertEqual(len(self.rows()), 80)
        self.browser.run("const field = document.querySelector('#posterior .filter input'); field.value = 'k7';"
                         "field.dispatchEvent(new Event('input'))")
        self.assertEqual(self.rows(), ["k7"] + [f"k7{i}" for i in range(10)])
        self.assertIn("11 of 80 rows", self.texts("#posterior .filter output"))

    def test_the_table_can_be_sorted(self):
        self.spoil()
        click = f"[...document.querySelectorAll('{TABLE} thead button')].find(b => b.innerText.startsWith('first guess')).click()"
        self.browser.run(click)
        self.assertEqual(self.rows(), [f"k{i}" for i in range(80)])
        self.browser.run(click)
        self.assertEqual(self.rows(), [f"k{i}" for i in reversed(range(80))])
        self.assertEqual(self.browser.run(f"return document.querySelector('{TABLE} [aria-sort]').getAttribute('aria-sort')"), "descending")

    def test_long_lists_are_shortened_until_they_are_opened(self):
        note = "document.querySelector('#posterior .note')"
        self.assertIn("k0, k1, k2, … and 5 more are not separately identifiable", self.browser.run(f"return {note}.innerText"))
        self.assertNotIn("k6", self.browser.run(f"return {note}.innerText"))
        self.spoil()
        self.browser.run(f"{note}.querySelector('details').open = true")
        self.assertIn("k5, k6 and k7 are not", self.browser.run(f"return {note}.innerText"))
        self.assertLess(max(map(len, self.texts(".prose, .explanation, figcaption, caption"))), 400)

    def test_no_wider_than_the_screen(self):
        for width in (1200, 390):
            self.assert_fits(width)
            self.assert_rows_of_panels_are_full()

    def test_is_dark_in_the_dark(self):
        self.browser.scheme("dark")
        self.browser.until("return document.querySelector('#parameter-overview .plot')._fullLayout.paper_bgcolor !== '#ffffff'")
        self.assert_contrast(["body", ".badge", ".sentence", ".note", ".filter", "thead th"])

    def test_paper_has_every_row(self):
        self.spoil()
        self.browser.run(f"""addEventListener('beforeprint', () => {{
            const table = document.querySelector('{TABLE}');
            window.printed = {{widths: [...document.querySelectorAll('.plot')].map(plot => plot._fullLayout.width)}}; }});""")
        pdf = base64.b64decode(self.browser.post("/print", {"background": True, "page": {"width": 21.0, "height": 29.7}}))
        self.assertTrue(pdf.startswith(b"%PDF"))
        self.assertLessEqual(max(self.browser.run("return window.printed.widths")), 690)
        self.browser.tools("Emulation.setEmulatedMedia", media="print")
        self.addCleanup(self.browser.tools, "Emulation.setEmulatedMedia", media="")
        cut = self.browser.run(f"const e = document.querySelector('{TABLE}'); return e.scrollHeight - e.clientHeight")
        self.assertLessEqual(cut, 2)


class SixParameters(PageCase):
    @staticmethod
    def documents():
        result = large_calibration(parameters=6, targets=8, provenance=PROVENANCE)
        return {"run.json": {"format": "gfdt run", "format_version": 1}, "result.json": result}

    def test_all_pairs_are_drawn(self):
        self.assertEqual(self.browser.run("return document.querySelector('#posterior-pairs').querySelectorAll('.subplot').length"), 21)
        correlations = self.browser.run("return [...document.querySelectorAll('#posterior-pairs .annotation-text')].map(t => t.textContent)"
                                        ".filter(t => t.startsWith('ρ'))")
        self.assertEqual(len(correlations), 15)

    def test_ticks_and_titles_are_apart(self):
        for width in (1200, 390):
            self.assert_fits(width)
            for selector in ("'[class$=tick] text'", "'.annotation-text'"):
                boxes = self.browser.run(f"""return [...document.querySelector('#posterior-pairs').querySelectorAll({selector})].filter(
                    text => !/^y/.test(text.parentElement.getAttribute('class'))).map(text => text.getBoundingClientRect()).map(
                    box => [Math.round(box.top), box.left, box.right]).sort((a, b) => a[0] - b[0] || a[1] - b[1])""")
                self.assertGreater(len(boxes), 5)
                for (row, _, end), (next_row, start, _) in zip(boxes, boxes[1:]):
                    if row == next_row:
                        self.assertGreater(start, end, (width, selector))
