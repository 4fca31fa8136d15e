"""Lists what the latest run of the tests has left out, and why. Run as: skipped.py BUILD_FOLDER"""

import re
import sys
from collections import defaultdict
from pathlib import Path

OF_GOOGLETEST = re.compile(r": Skipped\n(.*)\n(?:.*\n)*?\[  SKIPPED \] ([\w/.]+)")
WHOLE = re.compile(r"^skipped: (.*)$", re.MULTILINE)  # what a test that leaves with 77 prints
OF_UNITTEST = re.compile(r"^(\w+) \([\w.]+\).*\.\.\. skipped '(.*)'$", re.MULTILINE)


def skipped(log):
    """Reason -> names of tests, from the log of CTest."""
    reasons = defaultdict(list)
    for part in re.split(r"(?m)^\d+/\d+ Testing: ", log)[1:]:
        name, _, rest = part.partition("\n")
        output = rest.partition("Output:\n")[2].partition("<end of output>")[0]
        found = [(reason, test) for reason, test in OF_GOOGLETEST.findall(output)]
        found += [(reason, test) for test, reason in OF_UNITTEST.findall(output)]
        found += [(reason, "all of it") for reason in WHOLE.findall(output)]
        for reason, test in found:
            reasons[reason.strip()].append(f"{name}: {test}")
    return reasons


def main():
    log = Path(sys.argv[1]) / "Testing" / "Temporary" / "LastTest.log"
    reasons = skipped(log.read_text(errors="replace"))
    if reasons:
        print("\nLeft out:")
    for reason, tests in reasons.items():
        print(f"  {reason}")
        most = 6
        for test in tests[:most]:
            print(f"    {test}")
        if len(tests) > most:
            print(f"    and {len(tests) - most} more")


if __name__ == "__main__":
    main()
