"""The installed library is found by find_package, and a program that uses it gives the right number."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
BUILD = Path(sys.argv.pop(1))


class Consumer(unittest.TestCase):
    def run_in(self, folder, *command):
        done = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_it_is_installed_found_and_used(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix, build = Path(folder) / "prefix", Path(folder) / "build"
            self.run_in(folder, "cmake", "--install", BUILD, "--prefix", prefix)
            self.assertTrue((prefix / "share" / "gfdt" / "models" / "ou.toml").exists())
            self.assertRegex(self.run_in(folder, prefix / "bin" / "gfdt", "--version"), r"gfdt \d+\.\d+")
            for text in (prefix / "lib").rglob("*.cmake"):
                self.assertNotIn(str(PROJECT), text.read_text(), f"{text} must not name the folder of the sources")
            self.run_in(folder, "cmake", "-S", PROJECT / "tests" / "consumer", "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}")
            self.run_in(folder, "cmake", "--build", build)
            # ∂<x²>/∂α is −1/2; an error of five standard errors has a probability below 1e-4.
            value, error = (float(part) for part in self.run_in(folder, build / "consumer").split(" +- "))
            self.assertLess(abs(value + 0.5), 5 * error + 0.01)


if __name__ == "__main__":
    unittest.main()
