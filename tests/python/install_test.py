"""pip makes a wheel of the built folder without network; the package runs from where it is installed."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD, PROJECT = Path(sys.argv.pop(1)), Path(sys.argv.pop(1))
CODE = """
import gfdt
assert __import__("pathlib").Path(gfdt.__file__).parent.parent.samefile(".")
x, a = gfdt.state("x"), gfdt.parameter("a", 1.0)
problem = gfdt.Problem(drift={x: -a*x}, diffusion={x: 1}, observables={"variance": x**2}, simulation={"members": 8, "length": 50})
print(gfdt.simulate(problem, backend="interpreter").observables)
"""


class Install(unittest.TestCase):
    def test_wheel(self):
        missing = [name for name in ("pip", "setuptools", "wheel") if importlib.util.find_spec(name) is None]
        if missing:
            self.skipTest(f"{', '.join(missing)} is not installed")
        with tempfile.TemporaryDirectory() as folder:
            variables = {**os.environ, "GFDT_BUILD": str(BUILD)}
            pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
            offline = ["--no-deps", "--no-index", "--quiet"]
            for command in (
                [*pip, "wheel", "--no-build-isolation", *offline, "--wheel-dir", folder, str(PROJECT)],
                [*pip, "install", *offline, "--target", f"{folder}/site", "--find-links", folder, "gfdt"],
            ):
                done = subprocess.run(command, capture_output=True, text=True, env=variables)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            variables["PYTHONPATH"] = f"{folder}/site"
            done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, env=variables, cwd=f"{folder}/site")
            self.assertEqual(done.stdout.strip(), "['variance']", done.stderr)
            self.assertTrue(Path(folder, "site", "gfdt", "py.typed").exists())
            self.assertTrue(Path(folder, "site", "gfdt", "_gfdt.pyi").exists())


if __name__ == "__main__":
    unittest.main()
