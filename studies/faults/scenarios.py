"""Commands that are stopped or fail half way: what they begin with, how their work is repeated, and what must come out."""

from dataclasses import dataclass
from typing import Callable

from materials import CALIBRATE, RESUME, materials_of
from results import files_of, read_json, run_of, without_cost


def nothing_more(box):
    return {}


@dataclass
class Scenario:
    name: str
    needs: tuple            # materials, see Materials.copy
    command: tuple
    repeat: Callable        # box -> arguments of the command that repeats or resumes the work
    outcome: Callable       # box -> document that must be the same
    empty_cache: bool = False
    written: tuple = ()     # files that are there as a whole, old or new, or not at all

    def prepare(self, campaign, box):
        materials_of(campaign).copy(box, *self.needs)
        if self.empty_cache:
            box.cache = box.folder / "cache"
            box.cache.mkdir(mode=0o700)


def resume_or_begin(box):
    return RESUME if (box.work / "run" / "run.json").exists() else CALIBRATE


def calibrated(box):
    return run_of(box.work / "run")


def same_command(*command):
    return lambda box: command


def documents(*names):
    return lambda box: {name: without_cost(read_json(box.work / name)) for name in names}


def readable_trajectory(name):
    """States are compared by what another command computes from them."""
    def outcome(box):
        box.run("jacobian", "linear.toml", "--trajectory", name, "--score", "gaussian", "--no-report", "--quiet", "--json", "of-states.json")
        return documents("of-states.json")(box)
    return outcome


def comparison(box):
    folder = box.work / "run"
    return {"documents": without_cost(read_json(folder / "comparison.json")), "files": files_of(folder)}


ONE = ("--threads", "1", "--quiet")
OVERWRITE = (*CALIBRATE, "--overwrite")
SCORE = ("score", "learned.toml", *ONE, "--out", "kept", "--save", "fitted.json")
STATES = ("simulate", "linear.toml", *ONE, "--trajectory", "states.nc")
TABLE = ("simulate", "linear.toml", *ONE, "--trajectory", "states.csv")
READ = ("jacobian", "linear.toml", *ONE, "--trajectory", "states.nc", "--score", "gaussian", "--out", "from-states")
KEPT_SCORE = ("jacobian", "learned.toml", *ONE, "--score", "fitted.json", "--out", "from-score")
MEASURED = ("simulate", "measured.toml", *ONE, "--json", "result.json")
PAGE = ("report", "run")
COMPARE = ("calibrate", "linear.toml", *ONE, "--compare", "auto,finite-difference", "--out", "run")


def resume_or_begin_comparison(box):
    begun = any((box.work / "run").glob("*/run.json"))
    return (*COMPARE, "--resume") if begun else COMPARE


SCENARIOS = (
    Scenario("calibrate", ("learned.toml",), CALIBRATE, resume_or_begin, calibrated),
    Scenario("calibrate, empty cache", ("learned.toml",), CALIBRATE, resume_or_begin, calibrated, empty_cache=True),
    Scenario("calibrate --resume", ("learned.toml", "interrupted as run"), RESUME, resume_or_begin, calibrated),
    Scenario("calibrate --overwrite", ("learned.toml", "run"), OVERWRITE, same_command(*OVERWRITE), calibrated),
    Scenario("calibrate --compare", ("linear.toml",), COMPARE, resume_or_begin_comparison, comparison),
    Scenario("score --save", ("learned.toml",), SCORE, same_command(*SCORE), documents("kept/fitted.json", "kept/score.json"),
             written=("kept/fitted.json", "kept/score.json")),
    Scenario("simulate --trajectory, netCDF", ("linear.toml",), STATES, same_command(*STATES), readable_trajectory("states.nc")),
    Scenario("simulate --trajectory, CSV", ("linear.toml",), TABLE, same_command(*TABLE), readable_trajectory("states.csv")),
    Scenario("simulate with data", ("measured.toml", "record.csv"), MEASURED, same_command(*MEASURED), documents("result.json"),
             written=("result.json",)),
    Scenario("jacobian --trajectory", ("linear.toml", "states.nc"), READ, same_command(*READ), documents("from-states/jacobian.json"),
             written=("from-states/jacobian.json",)),
    Scenario("jacobian --score", ("learned.toml", "fitted.json"), KEPT_SCORE, same_command(*KEPT_SCORE), documents("from-score/jacobian.json"),
             written=("from-score/jacobian.json",)),
    Scenario("report", ("run",), PAGE, same_command(*PAGE), lambda box: {"page": (box.work / "run" / "report.html").read_text()}),
)
