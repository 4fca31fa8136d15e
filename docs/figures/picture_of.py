"""A figure of a report page as a picture, for pages that cannot hold it themselves.

usage: picture_of.py PAGE FIGURE FILE.png

docs/figures/climate.png:
    gfdt calibrate examples/climate.toml --compare auto,kgmm,finite-difference --out build/climate
    python3 docs/figures/picture_of.py build/climate/report.html mismatch docs/figures/climate.png
"""

import base64
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tests" / "report"))
from browser import Browser  # noqa: E402

HIDE = ".tools, .modebar { visibility: hidden !important }"


def main():
    page, figure, file = Path(sys.argv[1]).resolve(), sys.argv[2], Path(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(folder)
        try:
            browser.tools("Emulation.setDeviceMetricsOverride", width=1000, height=1400, deviceScaleFactor=1.5, mobile=False)
            browser.open(page)
            place = browser.run(f"""
                document.head.appendChild(Object.assign(document.createElement('style'), {{textContent: `{HIDE}`}}));
                const box = document.getElementById('{figure}').getBoundingClientRect();
                return {{x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height, scale: 1}};""")
            shot = browser.tools("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=place)
            file.write_bytes(base64.b64decode(shot["data"]))
        finally:
            browser.close()


main()
