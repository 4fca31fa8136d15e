"""Some of the system calls at which gfdt is killed, and some that fail. Run as: stopped_runs_test.py GFDT; leaves with 77 without strace."""

import quick

import disk_errors
import kill
import system_calls
from scenarios import SCENARIOS

CALIBRATIONS = [scenario for scenario in SCENARIOS if scenario.name.startswith("calibrate")]
OTHERS = [scenario for scenario in SCENARIOS if scenario not in CALIBRATIONS]


class StoppedRuns(quick.Faults):
    def test_a_calibration_that_is_killed_is_resumed_with_the_same_result(self):
        self.assert_as_wanted(kill, 18, ("calibrate: rename 1 ", "calibrate: rename 2 "), scenarios=CALIBRATIONS)

    def test_other_commands_that_are_killed_leave_whole_files(self):
        self.assert_as_wanted(kill, 10, ("report: rename 1 ",), scenarios=OTHERS)

    def test_a_disk_that_fails_is_reported_or_harmless(self):
        self.assert_as_wanted(disk_errors, 18, ("calibrate: unlink 1 ", "calibrate, empty cache: getdents64 4 EIO ("), scenarios=CALIBRATIONS)

    def test_a_disk_that_fails_other_commands_is_reported_or_harmless(self):
        self.assert_as_wanted(disk_errors, 16, ("report: write 2 EDQUOT from",), scenarios=OTHERS)


if __name__ == "__main__":
    if reason := system_calls.why_not():
        quick.leave_out(reason)
    quick.main()
