"""No program or library of the project looks for libraries in the current folder. Run as: library_paths_test.py BUILD_FOLDER

An empty or relative entry of RPATH or RUNPATH would make the loader run whatever lies where the user happens to be."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = Path(sys.argv[1])


def binaries(folder):
    """Files that the loader reads: programs and shared libraries."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.suffix != ".o":
            with path.open("rb") as file:
                header = file.read(18)
            if header[:4] == b"\x7fELF" and header[16] in (2, 3):  # executable, shared
                yield path


def search_paths(path):
    """Entries of RPATH and RUNPATH, empty ones included."""
    done = subprocess.run(["readelf", "--dynamic", "--wide", path], capture_output=True, text=True, check=True)
    return [entry for text in re.findall(r"\((?:RPATH|RUNPATH)\)[^\[]*\[(.*)\]", done.stdout) for entry in text.split(":")]


def is_safe(entry):
    """Of absolute paths and those of the binary's own folder, the loader does not come to the current one."""
    return entry.startswith("/") or entry == "$ORIGIN" or entry.startswith("$ORIGIN/")


class LibraryPaths(unittest.TestCase):
    def assert_safe(self, folder, least):
        found = list(binaries(folder))
        self.assertGreaterEqual(len(found), least, found)
        unsafe = {str(path): entries for path in found if not all(map(is_safe, entries := search_paths(path)))}
        self.assertEqual(unsafe, {})

    def test_of_what_is_built(self):
        self.assert_safe(BUILD, 2)

    def test_of_what_is_installed(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["cmake", "--install", BUILD, "--prefix", folder], check=True, stdout=subprocess.DEVNULL)
            self.assert_safe(Path(folder), 1)

    def test_rule(self):
        for entry, safe in (("", False), (".", False), ("lib", False), ("$ORIGINAL", False), ("/usr/lib", True), ("$ORIGIN/../lib", True)):
            self.assertEqual(is_safe(entry), safe, entry)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose"])
