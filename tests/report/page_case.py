"""What the tests of report pages share: the page of a run, opened in a browser."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from browser import Browser

GFDT = sys.argv[1]


def make_page(folder):
    done = subprocess.run([GFDT, "report", folder], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip()).resolve()


class PageCase(unittest.TestCase):
    """`documents` of a class gives the files of the run, by their paths inside its folder."""

    @classmethod
    def setUpClass(cls):
        if cls is PageCase:
            raise unittest.SkipTest("only its subclasses have a page")
        cls.folder = tempfile.TemporaryDirectory(prefix="gfdt-page-", ignore_cleanup_errors=True)
        cls.addClassCleanup(cls.folder.cleanup)
        root = Path(cls.folder.name)
        for path, document in cls.documents().items():
            file = root / "run" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(document))
        cls.page = make_page(root / "run")
        cls.browser = Browser(root)
        cls.addClassCleanup(cls.browser.close)
        cls.spoiled = True  # whether the page is no longer as it was opened

    def setUp(self):
        self.browser.scheme("light")
        self.browser.width(1200)
        if type(self).spoiled:
            self.browser.open(self.page)
        type(self).spoiled = False

    def spoil(self):
        type(self).spoiled = True

    def texts(self, selector):
        """What is shown of the elements."""
        return self.browser.run(f"return [...document.querySelectorAll({json.dumps(selector)})]"
                                ".filter(e => e.checkVisibility()).map(e => e.innerText.trim())")

    def assert_rows_of_panels_are_full(self):
        """Each row of panels is as wide as its figure."""
        rows = self.browser.run("""return [...document.querySelectorAll('.panels')].flatMap(place => {
            const rows = new Map();
            for (const panel of place.children)
                rows.set(panel.offsetTop, (rows.get(panel.offsetTop) ?? -6) + panel.getBoundingClientRect().width + 6);
            return [...rows.values()].map(width => [place.parentElement.id, width, place.clientWidth]);
        })""")
        self.assertTrue(rows)
        for figure, width, available in rows:
            self.assertAlmostEqual(width, available, delta=3, msg=figure)

    def assert_fits(self, pixels):
        self.spoil()
        self.browser.width(pixels)
        self.browser.open(self.page)
        self.assertEqual(self.browser.run("return [document.documentElement.scrollWidth, innerWidth]"), [pixels, pixels])

    def assert_contrast(self, selectors, least=4.5):
        """The contrast of text with the ground behind it, as WCAG 2 defines it."""
        found = self.browser.run("""
            const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
            const ground = e => { for (; e; e = e.parentElement) {
                const colour = numbers(getComputedStyle(e).backgroundColor);
                if (colour.length < 4 || colour[3] === 1) return colour; } };
            const light = colour => { const [r, g, b] = colour.map(c => c / 255).map(
                c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
            return %s.flatMap(selector => [...document.querySelectorAll(selector)].map(e => {
                const pair = [light(numbers(getComputedStyle(e).color)), light(ground(e))].sort((a, b) => b - a);
                return [selector, (pair[0] + 0.05) / (pair[1] + 0.05)]; }));""" % json.dumps(selectors))
        self.assertEqual({selector for selector, _ in found}, set(selectors))
        for selector, contrast in found:
            self.assertGreaterEqual(contrast, least, selector)
