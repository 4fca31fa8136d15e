"""A calibration that is stopped goes on and ends in the same bits. Run as: calibrate_resume_test.py GFDT PROJECT_FOLDER"""

import json
import os
import random
import signal
import subprocess
import sys
import time
import unittest

from calibrate_cases import LEARNED, LINEAR, Calibrate, autoregression, without_time
from gfdt_command import CACHE, GFDT


class Resume(Calibrate):
    whole = stages = predictive = None  # the result without interruption, computed once for all tests

    def setUp(self):
        super().setUp()
        self.problem = self.file("learned.toml", LEARNED)
        if Resume.whole is None:
            self.assertEqual(self.calibrate(self.problem, "--out", "whole", "--quiet").returncode, 0)
            Resume.whole = self.document("whole")
            Resume.predictive = json.loads((self.folder / "whole" / "predictive.json").read_text())
            Resume.stages = sorted(path.name for path in (self.folder / "whole" / "stages").iterdir())

    def document(self, folder):
        return json.loads((self.folder / folder / "result.json").read_text())

    def start(self, *arguments):
        variables = {**os.environ, "GFDT_CACHE": CACHE}
        return subprocess.Popen([GFDT, "calibrate", self.problem, *arguments], cwd=self.folder, env=variables, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def stop(self, process, how):
        process.send_signal(how)
        out, err = process.communicate(timeout=20)
        return process.returncode, out, err

    def begun(self, folder):
        return (self.folder / folder / "run.json").exists()

    def wait_for(self, path):
        deadline = time.monotonic() + 20
        while not path.exists() and time.monotonic() < deadline:
            time.sleep(0.005)
        self.assertTrue(path.exists(), path)

    def assert_same_as_whole(self, folder):
        found = self.document(folder)
        self.assertEqual(without_time(found), without_time(Resume.whole))
        self.assertEqual(sorted(path.name for path in (self.folder / folder / "stages").iterdir()), Resume.stages)
        self.assertIn("Calibration of learned", (self.folder / folder / "report.html").read_text())
        self.assertFalse((self.folder / folder / "progress.json").exists())
        foretold = json.loads((self.folder / folder / "predictive.json").read_text())
        self.assertEqual(without_time(foretold), without_time(Resume.predictive))
        for key, value in Resume.whole["provenance"].items():
            if key not in ("date", "command_line", "problem_file"):
                self.assertEqual(found["provenance"][key], value, key)

    def finish(self, folder, *arguments):
        done = self.calibrate(self.problem, "--out", folder, "--resume", "--quiet", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)

    def stopped(self, folder):
        """A folder with the run as it was after its second evaluation of a Jacobian."""
        process = self.start("--out", folder)
        self.wait_for(self.folder / folder / "stages" / "0001-jacobian.json")
        self.stop(process, signal.SIGKILL)


class Stops(Resume):
    def test_killed_at_any_time(self):
        draw = random.Random(7)
        kills_in_search = 0
        for name in ("a", "b"):
            for patience in range(4, 400):  # grows, so that every stage fits in the end
                process = self.start("--out", name, "--quiet", *(["--resume"] if self.begun(name) else []))
                try:
                    process.communicate(timeout=draw.uniform(0.01, 0.12) * patience * Resume.whole["wall_seconds"])
                except subprocess.TimeoutExpired:
                    self.stop(process, signal.SIGKILL)
                    kills_in_search += (self.folder / name / "stages").exists()
                    continue
                self.assertEqual(process.returncode, 0)
                break
            self.assert_same_as_whole(name)
        self.assertGreater(kills_in_search, 1)

    def test_interrupted_from_the_keyboard(self):
        process = self.start("--out", "kept", "--json", "kept.json")
        self.wait_for(self.folder / "kept" / "stages" / "0001-jacobian.json")
        code, out, err = self.stop(process, signal.SIGINT)
        self.assertEqual(code, 1, out + err)
        self.assertIn("interrupted", out)
        self.assertIn("'kept'; --resume continues", err)
        self.assertFalse((self.folder / "kept" / "result.json").exists())
        stopped = json.loads((self.folder / "kept.json").read_text())
        self.assertEqual(stopped["status"], "interrupted")
        self.assertEqual(stopped, json.loads((self.folder / "kept" / "progress.json").read_text()))
        self.assertGreaterEqual(len(stopped["iterations"]), 1)
        self.assertEqual(stopped["answer"].keys(), Resume.whole["answer"].keys())
        self.finish("kept", "--json", "kept.json")
        self.assert_same_as_whole("kept")
        self.assertEqual(json.loads((self.folder / "kept.json").read_text()), self.document("kept"))

    def test_how_far_it_has_come_is_kept_after_every_iteration(self):
        process = self.start("--out", "kept")
        self.wait_for(self.folder / "kept" / "progress.json")
        self.stop(process, signal.SIGKILL)
        running = json.loads((self.folder / "kept" / "progress.json").read_text())
        self.assertEqual(running["status"], "running")
        self.assertFalse(running["converged"])
        self.assertEqual(running.keys(), Resume.whole.keys())
        self.assertEqual(running["parameters"], running["iterations"][-1]["parameters"])
        self.finish("kept")
        self.assert_same_as_whole("kept")

    def test_what_the_answer_foretells_is_computed_once(self):
        self.finish_whole("done")
        file = self.folder / "done" / "predictive.json"
        foretold = json.loads(file.read_text())
        self.assertEqual([series["name"] for series in foretold["series"]], ["x"])
        self.assertEqual(foretold["statistics"]["observables"], ["m", "v"])
        for curve in ("density", "autocorrelation"):
            band = foretold["series"][0][curve]
            self.assertEqual(len(band["model_low"]), len(band["model_high"]))
            self.assertTrue(all(low <= high for low, high in zip(band["model_low"], band["model_high"])))
            self.assertEqual((band["record"], band["tail"]), ([], None))
        before = file.stat().st_mtime_ns
        self.finish("done")
        self.assertEqual(file.stat().st_mtime_ns, before)
        file.unlink()
        self.finish("done")
        self.assert_same_as_whole("done")

    def test_other_numbers_of_threads_are_the_same_run(self):
        self.stopped("kept")
        self.finish("kept", "--threads", "1")
        self.assertEqual(without_time(self.document("kept")), without_time(Resume.whole))

    def test_several_methods_go_on_where_they_were(self):
        arguments = ("--compare", "gaussian,kgmm", "--out", "two")
        process = self.start(*arguments)
        self.wait_for(self.folder / "two" / "kgmm" / "stages" / "0000-jacobian.json")
        code, _, err = self.stop(process, signal.SIGINT)
        self.assertEqual(code, 1)
        self.assertIn("--resume continues", err)
        first = self.document("two/gaussian")
        done = self.calibrate(self.problem, *arguments, "--resume", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        both = json.loads((self.folder / "two" / "comparison.json").read_text())["comparison"]
        self.assertEqual(without_time(both[0]), without_time(first))
        self.assertEqual(without_time(both[1]["iterations"]), without_time(Resume.whole["iterations"]))

    def test_a_finished_run_is_read_and_not_computed(self):
        self.finish_whole("done")
        before = self.document("done")
        times = {path: path.stat().st_mtime_ns for path in (self.folder / "done" / "stages").iterdir()}
        self.finish("done")
        self.assertEqual(without_time(self.document("done")), without_time(before))
        self.assertEqual(self.document("done")["wall_seconds"], before["wall_seconds"])
        self.assertEqual({path: path.stat().st_mtime_ns for path in (self.folder / "done" / "stages").iterdir()}, times)

    def finish_whole(self, folder):
        self.assertEqual(self.calibrate(self.problem, "--out", folder, "--quiet").returncode, 0)


class Refusals(Resume):
    def refused(self, words, *arguments, file=None):
        done = self.calibrate(file or self.problem, "--out", "kept", "--quiet", *arguments)
        self.assert_bad_input(done, *words)

    def test_another_run_is_not_gone_on_with(self):
        self.stopped("kept")
        self.refused(["'kept'", "seed", "5", "6"], "--resume", "--seed", "6")
        self.refused(["score", "kgmm", "gaussian"], "--resume", "--method", "gaussian")
        self.refused(["set", "iterations"], "--resume", "--set", "calibration.iterations=3")
        other = self.file("other.toml", LEARNED.replace("0.6, std", "0.61, std"))
        self.refused(["line 17", "0.61"], "--resume", file=other)
        self.refused(["'kept'", "unfinished", "--resume", "--overwrite", "--out"])
        self.finish("kept")
        self.assert_same_as_whole("kept")
        self.refused(["'kept'", "finished", "--resume", "--overwrite", "--out"])

    def test_a_comparison_looks_at_all_its_folders_first(self):
        only = self.calibrate(self.problem, "--method", "kgmm", "--out", "kept/kgmm", "--quiet", "--set",
                              "calibration.iterations=1")
        self.assertEqual(only.returncode, 1, only.stderr)
        self.refused(["kept/kgmm'", "finished", "--resume"], "--compare", "gaussian,kgmm")
        self.refused(["kept/kgmm'", "iterations"], "--compare", "gaussian,kgmm", "--resume")
        self.assertFalse((self.folder / "kept" / "gaussian").exists())

    def test_nothing_to_go_on_with(self):
        self.refused(["no folder 'kept'", "leave out --resume"], "--resume")
        self.assertFalse((self.folder / "kept").exists())
        (self.folder / "kept").mkdir()
        self.refused(["'kept'", "holds no run", "leave out --resume"], "--resume")

    def test_changed_measurements(self):
        values = list(autoregression(2000, 0.5, 0.5, 0.7, random.Random(1)))
        record = "time,x\n" + "".join(f"{0.5 * i},{value!r}\n" for i, value in enumerate(values))
        self.file("record.csv", record)
        measured = self.file("measured.toml", LINEAR + '[targets]\ndata = "record.csv"\n')
        done = self.calibrate(measured, "--out", "kept")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("40 runs as long as the record", done.stdout)
        foretold = json.loads((self.folder / "kept" / "predictive.json").read_text())
        self.assertEqual((foretold["length"], foretold["sampling"]), (1000, 0.5))
        self.assertEqual(foretold["series"][0]["column"], "x")
        self.assertEqual(len(foretold["series"][0]["density"]["record"]), len(foretold["series"][0]["density"]["x"]))
        self.assertAlmostEqual(foretold["statistics"]["record"][0], sum(values) / len(values))
        self.file("record.csv", record.replace(repr(values[100]), repr(values[100] + 1)))
        self.refused(["'kept'", "targets.value"], "--resume", file=measured)

    def test_a_folder_in_use(self):
        process = self.start("--out", "kept")
        self.wait_for(self.folder / "kept" / "run.json")
        for how in ("--resume", "--overwrite"):
            self.refused(["'kept'", f"process {process.pid}"], how)
        self.stop(process, signal.SIGKILL)
        self.finish("kept")
        self.assert_same_as_whole("kept")

    def test_damaged_files_are_named_and_can_be_deleted(self):
        self.stopped("kept")
        stages = self.folder / "kept" / "stages"
        for name in ("0001-jacobian.json", "0000-score-1.json"):
            text = (stages / name).read_text()
            (stages / name).write_text(text[:len(text) // 2])
            self.refused([name[:5], "Delete"], "--resume")
            self.assertIn(name, self.calibrate(self.problem, "--out", "kept", "--resume").stderr)
            (stages / (name[:5] + "jacobian.json")).unlink()
        self.finish("kept")
        self.assert_same_as_whole("kept")

    def test_overwriting_starts_anew(self):
        self.stopped("kept")
        (self.folder / "kept" / "notes.txt").write_text("mine")
        done = self.calibrate(self.problem, "--out", "kept", "--quiet", "--overwrite", "--set", "calibration.iterations=1")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(self.document("kept")["status"], "iterations")
        self.assertEqual(self.calibrate(self.problem, "--out", "kept", "--quiet", "--overwrite").returncode, 0)
        self.assert_same_as_whole("kept")
        self.assertEqual((self.folder / "kept" / "notes.txt").read_text(), "mine")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose"])
