"""What the tests of the command share: it runs in a folder of its own, with a cache of its own."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GFDT = sys.argv[1]
PROJECT = Path(sys.argv[2])


# Of compiled models: one for all tests where they are told of it, else one for this program; never the user's.
OWN_CACHE = tempfile.TemporaryDirectory()
CACHE = os.environ.get("GFDT_TEST_CACHE", OWN_CACHE.name)


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_gfdt(self, *arguments, environment=None, folder=None, **options):
        variables = {**os.environ, "GFDT_CACHE": CACHE, **(environment or {})}
        if not environment or "COLUMNS" not in environment:
            variables.pop("COLUMNS", None)
        return subprocess.run([GFDT, *map(str, arguments)], capture_output=True, text=True, cwd=folder or self.folder, env=variables, **options)

    def assert_bad_input(self, done, *words):
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
