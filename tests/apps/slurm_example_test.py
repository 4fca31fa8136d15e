"""The job of examples/slurm.sh, with commands of the scheduler that this test puts in their place: it is stopped, puts itself back into the
queue, and goes on. Run as: slurm_example_test.py GFDT PROJECT_FOLDER MPIEXEC"""

import json
import os
import subprocess
import sys
import unittest

import ranks
from calibrate_cases import LEARNED
from gfdt_command import CACHE, GFDT, PROJECT, Command

SCRIPT = PROJECT / "examples" / "slurm.sh"

# Starts two ranks, or one process without MPI; the first time it asks them to stop once the first stage is there, as Slurm does.
SRUN = """#!/bin/bash
echo "srun $*" >> calls
while [ "${1#--}" != "$1" ]; do shift; done
LAUNCHER "$@" &
job=$!
if [ ! -e stopped ]; then
  touch stopped
  until [ -e learned-run/stages/0000-jacobian.json ]; do sleep 0.01; done
  ranks=$(cat /proc/$job/task/$job/children)
  kill -TERM ${ranks:-$job}
fi
wait $job
"""


class Job(Command):
    def script(self, name, text):
        path = self.folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def job(self):
        variables = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "GFDT_CACHE": CACHE, "SLURM_JOB_ID": "7"}
        return subprocess.run(["bash", SCRIPT, "learned.toml", "--quiet"], cwd=self.folder, env=variables, capture_output=True,
                              text=True, timeout=120)

    def test_is_well_formed(self):
        self.assertEqual(subprocess.run(["bash", "-n", SCRIPT]).returncode, 0)
        self.assertEqual(subprocess.run(["bash", SCRIPT], capture_output=True).returncode, 1)

    def test_goes_on_after_it_was_stopped(self):
        (self.folder / "learned.toml").write_text(LEARNED + "iterations = 3\n")
        root = " --allow-run-as-root" if os.geteuid() == 0 else ""
        launcher = f"{ranks.LAUNCHER}{root} --oversubscribe --bind-to none -n 2" if ranks.LAUNCHER else ""
        self.script("srun", SRUN.replace("LAUNCHER", launcher))
        self.script("scontrol", '#!/bin/sh\necho "scontrol $*" >> calls\n')
        os.symlink(GFDT, self.folder / "bin" / "gfdt")
        first = self.job()
        self.assertEqual(first.returncode, 0, first.stderr)
        calls = (self.folder / "calls").read_text().splitlines()
        self.assertEqual(calls[1:], ["scontrol requeue 7"], first.stderr)
        self.assertFalse((self.folder / "learned-run" / "result.json").exists())
        second = self.job()
        self.assertIn(second.returncode, (0, 1), second.stderr)
        calls = (self.folder / "calls").read_text().splitlines()
        self.assertEqual(len(calls), 3)
        self.assertIn("--resume", calls[2])
        result = json.loads((self.folder / "learned-run" / "result.json").read_text())
        self.assertEqual(result["iterations"][0]["parameters"], {"F": 0.3, "sigma": 0.8})
        self.assertTrue((self.folder / "learned-run" / "report.html").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
