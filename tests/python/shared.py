"""What the tests of the Python package share. Arguments: the command, the project. The package is on PYTHONPATH."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GFDT = sys.argv.pop(1)
PROJECT = Path(sys.argv.pop(1))
_cache = tempfile.TemporaryDirectory()
os.environ["GFDT_CACHE"] = os.environ.get("GFDT_TEST_CACHE", _cache.name)

import gfdt  # noqa: E402  (after the cache is set)

OU = """[model]
state = ["x"]
parameters = { alpha = { value = 1.0, lower = 0.0 }, beta = { value = 1.0, lower = 0.0 } }
drift = { x = "-alpha*x" }
diffusion = { x = "beta" }
[observables]
variance = "x^2"
warm = "x > 1"
[targets]
variance = { value = 0.4, std = 0.01 }
warm = { value = 0.06, std = 0.01 }
[simulation]
dt = 0.02
members = 16
length = 200
"""


class PackageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "ou.toml"
        self.file.write_text(OU)

    def command(self, *arguments):
        """The document of a command."""
        done = subprocess.run([GFDT, *map(str, arguments), "--json", "-", "--quiet"], capture_output=True, text=True, cwd=self.folder)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads(done.stdout)


def numbers_of(document):
    """A document without what differs from one run to the next: times that were taken, and who asked."""
    if isinstance(document, dict):
        passed_over = {"provenance", "wall_seconds", "fit_seconds", "checksum"}
        return {key: numbers_of(value) for key, value in document.items() if key not in passed_over}
    return [numbers_of(value) for value in document] if isinstance(document, list) else document
