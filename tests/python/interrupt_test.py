"""Ctrl-C stops a computation, which can be resumed; other threads run meanwhile."""

from shared import OU, PackageTest, gfdt, numbers_of

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest

LONG = {"simulation.length": 2e6, "simulation.members": 64}


class Interrupt(PackageTest):
    def interrupted(self, code):
        """Runs code until it says that it has begun, then presses Ctrl-C."""
        program = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder)
        self.assertEqual(program.stdout.readline().strip(), "begun")
        program.send_signal(signal.SIGINT)
        begin = time.monotonic()
        output, errors = program.communicate(timeout=60)
        self.assertIn("KeyboardInterrupt", errors)
        self.assertNotEqual(program.returncode, 0)
        return output, time.monotonic() - begin

    def test_a_long_run_stops(self):
        output, seconds = self.interrupted(f"""
            import gfdt
            told = []
            def progress(stage, fraction):
                if not told: print("begun", flush=True)
                told.append(fraction)
            gfdt.simulate(gfdt.read("ou.toml", set={LONG!r}), progress=progress)
            print("not stopped")
        """)
        self.assertNotIn("not stopped", output)
        self.assertLess(seconds, 30)

    def test_a_calibration_goes_on_where_it_stopped(self):
        self.interrupted("""
            import gfdt, time
            def observer(so_far):
                print("begun", flush=True)
                time.sleep(0.5)  # the signal comes now
            gfdt.calibrate("ou.toml", out="run", observer=observer)
        """)
        self.assertTrue(list((self.folder / "run" / "stages").iterdir()))
        os.chdir(self.folder)
        resumed = gfdt.calibrate("ou.toml", out="run", resume=True)
        self.assertEqual(numbers_of(resumed.to_dict()), numbers_of(gfdt.calibrate("ou.toml").to_dict()))

    def test_other_threads_run_meanwhile(self):
        problem = gfdt.read(self.file, set={"simulation.length": 20000})
        counted, done = 0, threading.Event()
        worker = threading.Thread(target=lambda: (gfdt.simulate(problem), done.set()))
        worker.start()
        while not done.is_set():
            counted += 1
            time.sleep(0.001)
        worker.join()
        self.assertGreater(counted, 10)

    def test_what_a_listener_raises_stops_the_run(self):
        def progress(stage, fraction):
            raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            gfdt.simulate(gfdt.read(self.file, set=LONG), progress=progress)


if __name__ == "__main__":
    unittest.main()
