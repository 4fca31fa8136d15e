"""What the tests of several ranks share. Run as: TEST.py GFDT PROJECT_FOLDER MPIEXEC, the last empty in a build without MPI;
leaves with 77 where there is no MPI."""

import os
import shutil
import subprocess
import sys
import unittest

from gfdt_command import CACHE, GFDT, Command

LAUNCHER = sys.argv[3] if len(sys.argv) > 3 else ""
COUNTS = (1, 2, 3)


def without_cost(document):
    """All of a result but how long it took and who computed it."""
    if isinstance(document, dict):
        return {key: without_cost(value) for key, value in document.items() if "seconds" not in key and key not in ("provenance", "checksum")}
    return [without_cost(item) for item in document] if isinstance(document, list) else document


class Ranks(Command):
    def launcher(self, *more):
        root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
        return [LAUNCHER, *root, "--oversubscribe", "--bind-to", "none", *more]

    def variables(self):
        # Libraries of MPI leave memory behind that a build with sanitizers would complain of.
        return {**os.environ, "GFDT_CACHE": CACHE, "ASAN_OPTIONS": "detect_leaks=0"}

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def run_ranks(self, count, *arguments, timeout=120, folder=None):
        return self.run_launched([*self.launcher("-n", str(count)), GFDT, *map(str, arguments)], timeout, folder)

    def run_launched(self, command, timeout=60, folder=None):
        return subprocess.run(command, capture_output=True, text=True, cwd=folder or self.folder, env=self.variables(), timeout=timeout)

    def start_ranks(self, count, *arguments):
        return subprocess.Popen([*self.launcher("-n", str(count)), GFDT, *map(str, arguments)], cwd=self.folder, text=True,
                                env=self.variables(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def said_once(self, done, sentence):
        self.assertEqual((done.stdout + done.stderr).count(sentence), 1, done.stdout + done.stderr)


def main():
    if not LAUNCHER or not shutil.which(LAUNCHER):
        print("skipped: There is no MPI here.")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
