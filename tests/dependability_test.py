"""The self-test of the dependability study, and its fixed sample of random problems with exact answers.

usage: dependability_test.py truth | GFDT
"""

import importlib.util
import subprocess
import sys
from pathlib import Path

STUDY = Path(__file__).resolve().parent.parent / "studies" / "dependability"


def main():
    if importlib.util.find_spec("scipy") is None:
        print("skipped: SciPy is not installed.")
        sys.exit(77)
    words = ["self_test.py"] if sys.argv[1] == "truth" else ["study.py", sys.argv[1], "sample"]
    sys.exit(subprocess.run([sys.executable, *words], cwd=STUDY).returncode)


main()
