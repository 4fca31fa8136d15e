"""What the quick parts of the fault campaign share: some cases of a part, spread evenly, and those that have found a defect before.

The whole campaign is studies/faults. Run as: TEST.py GFDT [MPIEXEC]
"""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "studies" / "faults"))

from campaign import Campaign, Skipped, run_cases  # noqa: E402
from verdict import BAD  # noqa: E402

JOBS = 2


class Faults(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="gfdt-faults-")
        cls.addClassCleanup(folder.cleanup)
        cls.campaign = Campaign(Path(sys.argv[1]).resolve(), folder.name, launcher=sys.argv[2] if len(sys.argv) > 2 else "mpirun")

    def assert_as_wanted(self, part, count, always=(), **options):
        """`always` are beginnings of names of cases."""
        try:
            cases = list(part.cases(self.campaign, **options))
        except Skipped as skipped:
            self.skipTest(str(skipped))
        self.assertTrue(cases)
        chosen = [cases[(2 * i + 1) * len(cases) // (2 * count)] for i in range(count)] if count < len(cases) else cases
        before = [case for case in cases if case.name.startswith(tuple(always)) and case not in chosen] if always else []
        lines = run_cases(self.campaign, part.__name__, chosen + before, JOBS)
        bad = [f"{line['case']}: {line['class']}: {line['reason']}\n    " + "\n    ".join(line["commands"]) for line in lines if line["class"] in BAD]
        if bad:
            self.fail(f"{len(bad)} of {len(lines)} cases:\n" + "\n".join(bad))
        print(f"{part.__name__}: {len(lines)} cases", file=sys.stderr)


def leave_out(reason):
    """Ends the program where nothing of it can run."""
    print(f"skipped: {reason}")
    sys.exit(77)


def main():
    unittest.main(argv=[sys.argv[0], "--verbose"])
