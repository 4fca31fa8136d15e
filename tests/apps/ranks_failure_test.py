"""What is wrong with one rank ends all of them, with one sentence. Run as: ranks_failure_test.py GFDT PROJECT_FOLDER MPIEXEC"""

import json
import os
import shutil
import signal
import time

import ranks
from calibrate_cases import LEARNED, LINEAR, TARGETS
from gfdt_command import GFDT


class Differences(ranks.Ranks):
    """Ranks that are not alike say in what, and end."""

    def assert_refused(self, done, *words):
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        for word in words:
            self.said_once(done, word)

    def test_instruction_sets(self):
        problem = self.file("linear.toml", LINEAR)
        command = self.launcher("-n", "2", GFDT, "simulate", str(problem), ":", "-n", "1", "-x", "GFDT_ISA=baseline", GFDT, "simulate",
                                str(problem))
        self.assert_refused(self.run_launched(command), "must have the same vector instruction set: rank 0 has '",
                            "rank 2 has 'baseline'")

    def test_programs(self):
        problem = self.file("linear.toml", LINEAR)
        other = self.folder / "gfdt"
        shutil.copy(GFDT, other)
        with other.open("ab") as program:
            program.write(b"another build")
        command = self.launcher("-n", "1", GFDT, "simulate", str(problem), ":", "-n", "1", str(other), "simulate", str(problem))
        self.assert_refused(self.run_launched(command), "All ranks must have the same program: rank 0 has '")

    def test_compilers(self):
        problem = str(self.file("linear.toml", LINEAR))
        command = self.launcher("-n", "1", GFDT, "simulate", problem, ":", "-n", "1", "-x", "GFDT_CXX=/nowhere/c++", GFDT, "simulate", problem)
        self.assert_refused(self.run_launched(command), "MPI ranks have diverged: rank 0 is at 'a run of", "native code", "interpreted code")

    def test_command_lines(self):
        problem = self.file("linear.toml", LINEAR)
        command = self.launcher("-n", "1", GFDT, "simulate", str(problem), ":", "-n", "1", GFDT, "check", str(problem))
        self.assert_refused(self.run_launched(command), "All ranks must have the same command line: rank 0 has 'gfdt simulate")

    def in_folders(self, *arguments):
        """Each rank in a folder named after it."""
        script = self.file("here.sh", f'cd "$OMPI_COMM_WORLD_RANK" && exec "{GFDT}" "$@"\n')
        return self.launcher("-n", "3", "sh", str(script), *arguments)

    def test_problem_files(self):
        for rank in range(3):
            (self.folder / str(rank)).mkdir()
            self.file(f"{rank}/problem.toml", LINEAR if rank < 2 else LINEAR.replace("length = 100.0", "length = 90.0"))
        self.assert_refused(self.run_launched(self.in_folders("simulate", "problem.toml")),
                            "All ranks must have the same problem file: line 19 is 'length = 100.0' at rank 0 and "
                            "'length = 90.0' at rank 2.")

    def test_a_file_that_one_rank_lacks(self):
        for rank in range(3):
            (self.folder / str(rank)).mkdir()
            if rank != 1:
                self.file(f"{rank}/problem.toml", LINEAR)
        self.assert_refused(self.run_launched(self.in_folders("simulate", "problem.toml")), "At rank 1: ", "problem.toml")

    def test_bad_input_is_refused_as_by_one_process(self):
        problem = self.file("linear.toml", LINEAR)
        for arguments in (("simulate", problem, "--set", "simulation.dt=-1"), ("simulate", "nowhere.toml"), ("simulate",),
                          ("simulate", problem, "--json", "no/such/folder/result.json")):
            alone, several = self.run_gfdt(*arguments), self.run_ranks(2, *arguments)
            self.assert_refused(several, alone.stderr.strip())


class Ends(ranks.Ranks):
    """A calibration that is ended at one rank goes on and comes to the same bits."""

    def setUp(self):
        super().setUp()
        self.problem = self.file("learned.toml", LEARNED.replace("members = 32", "members = 200") + "iterations = 3\n")

    def stage(self, name="run"):
        return self.folder / name / "stages" / "0000-jacobian.json"

    def pids(self, launcher):
        return sorted(int(pid) for pid in os.listdir("/proc") if pid.isdigit() and self.is_rank_of(launcher.pid, int(pid)))

    def is_rank_of(self, launcher, pid):
        try:
            with open(f"/proc/{pid}/stat") as stat:
                parent = int(stat.read().rsplit(")", 1)[1].split()[1])
            return parent == launcher and os.readlink(f"/proc/{pid}/exe") == os.path.realpath(GFDT)
        except OSError:
            return False

    def test_signals_at_one_rank(self):
        whole = self.run_gfdt("calibrate", self.problem, "--quiet", "--no-report", "--out", "whole")
        expected = ranks.without_cost(json.loads((self.folder / "whole" / "result.json").read_text()))
        for how, name in ((signal.SIGTERM, "asked"), (signal.SIGKILL, "killed")):
            launcher = self.start_ranks(3, "calibrate", self.problem, "--quiet", "--no-report", "--threads", "1", "--out", name)
            deadline = time.monotonic() + 60
            while not self.stage(name).exists() and time.monotonic() < deadline:
                time.sleep(0.005)
            pids = self.pids(launcher)
            self.assertEqual(len(pids), 3)
            os.kill(pids[1], how)
            out, err = launcher.communicate(timeout=60)
            self.assertNotEqual(launcher.returncode, 0)
            if how == signal.SIGTERM:
                self.assertEqual(launcher.returncode, 1, err)
                self.assertEqual(err.count("Everything so far is in"), 1, err)
            self.assertFalse((self.folder / name / "result.json").exists())
            done = self.run_ranks(2, "calibrate", self.problem, "--quiet", "--no-report", "--out", name, "--resume")
            self.assertEqual(done.returncode, whole.returncode, done.stderr)
            found = ranks.without_cost(json.loads((self.folder / name / "result.json").read_text()))
            self.assertEqual(found, expected, name)

    def test_a_folder_in_use_or_taken(self):
        first = self.run_ranks(2, "calibrate", self.file("l.toml", LINEAR + TARGETS), "--quiet", "--no-report", "--out", "run")
        self.assertIn(first.returncode, (0, 1), first.stderr)
        again = self.run_ranks(2, "calibrate", self.file("l.toml", LINEAR + TARGETS), "--quiet", "--no-report", "--out", "run")
        self.assertEqual(again.returncode, 2)
        self.said_once(again, "holds a finished run: --resume continues it")


if __name__ == "__main__":
    ranks.main()
