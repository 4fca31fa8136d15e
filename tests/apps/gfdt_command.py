"""What the tests of the command share: it runs in a folder of its own, with a cache of its own."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GFDT = sys.argv[1]
PROJECT = Path(sys.argv[2])


class Command(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.cache.cleanup()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_gfdt(self, *arguments, environment=None, **options):
        variables = {**os.environ, "GFDT_CACHE": self.cache.name, **(environment or {})}
        if not environment or "COLUMNS" not in environment:
            variables.pop("COLUMNS", None)
        return subprocess.run([GFDT, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder, env=variables, **options)

    def assert_bad_input(self, done, *words):
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
