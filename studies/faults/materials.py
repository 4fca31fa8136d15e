"""Files that cases begin with, made once: a finished and an interrupted calibration, a score, trajectories, results."""

import shutil
import threading

from problems import FROM_DATA, LEARNED, LINEAR, TARGETS, record
from verdict import Fault, check_end

CALIBRATE = ("calibrate", "learned.toml", "--out", "run", "--threads", "1", "--quiet")
RESUME = (*CALIBRATE, "--resume")
SHORT = ("--set", "simulation.length=6", "--set", "simulation.members=4")


def write_problems(box):
    for name, text in (("learned.toml", LEARNED), ("linear.toml", LINEAR + TARGETS), ("record.csv", record()),
                       ("measured.toml", LINEAR + FROM_DATA.replace("DATA", "record.csv"))):
        box.file(name, text)


class Materials:
    """All in one folder, from which cases copy what they need."""

    lock = threading.Lock()

    def __init__(self, campaign):
        box = campaign.sandbox("materials")
        self.folder = box.work
        write_problems(box)
        for arguments, statuses in (
                (CALIBRATE, (0,)),
                (("calibrate", "learned.toml", "--quiet", "--backend", "interpreter", "--out", "interpreted"), (0,)),
                (("calibrate", "linear.toml", "--quiet", "--compare", "auto,finite-difference", "--out", "compared"), (0, 1)),
                (("score", "learned.toml", "--quiet", "--save", "fitted.json", "--json", "score.json"), (0, 1)),
                (("jacobian", "linear.toml", "--quiet", "--out", "jacobian"), (0, 1)),
                (("response", "linear.toml", "--quiet", "--out", "response", "--parameter", "mu", "--until", "2"), (0, 1)),
                (("simulate", "linear.toml", *SHORT, "--quiet", "--trajectory", "states.nc"), (0, 1)),
                (("simulate", "linear.toml", *SHORT, "--quiet", "--trajectory", "states.csv"), (0, 1))):
            done = check_end(box.run(*arguments), statuses)
        if not (self.folder / "run" / "result.json").exists():
            raise Fault("harness error", f"The calibration of the campaign leaves no result: {done.text}")
        self.interrupt()

    def interrupt(self):
        """The folder of a run that was killed after its third evaluation, but for progress.json."""
        part = self.folder / "interrupted"
        shutil.copytree(self.folder / "run", part)
        for name in ("result.json", "predictive.json", "report.html"):
            (part / name).unlink()
        for stage in (part / "stages").iterdir():
            if stage.name[:4] > "0002":
                stage.unlink()

    def copy(self, box, *names):
        for name in names:
            source, _, target = name.partition(" as ")
            source, target = self.folder / source, box.work / (target or source)
            (shutil.copytree if source.is_dir() else shutil.copy)(source, target)


def materials_of(campaign):
    """Made at the first call."""
    with Materials.lock:
        if not hasattr(campaign, "materials"):
            campaign.materials = Materials(campaign)
        return campaign.materials
