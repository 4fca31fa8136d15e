"""Every reader of gfdt gets mutated files: it takes them, or refuses with a sentence. Nothing crashes, hangs, or prints the text of a library.

Runs are a few time steps long and interpret formulas, so that no mutant is compiled; memory is limited to keep the machine alive.
"""

import random
from dataclasses import dataclass

from campaign import Case
from materials import materials_of
from mutations import RANDOM, WHOLE
from problems import FROM_DATA, LEARNED, LINEAR, TARGETS
from verdict import check_end

TAKEN, UNUSABLE, REFUSED = "taken", "result not usable", "refused with a sentence"
TIME_LIMIT = 20.0
RANDOM_CASES = 400
MEMORY = ("sh", "-c", 'ulimit -v 8000000; exec "$@"', "sh")
FEW_STEPS = ("--set", "simulation.length=6", "--set", "simulation.members=4", "--set", "simulation.dt=0.05", "--backend", "interpreter",
             "--threads", "1", "--quiet")
NO_PAGE = (*FEW_STEPS, "--no-report")

MODEL = LINEAR[:LINEAR.index("[observables]")].replace("[model]\n", "").replace("[model.", "[")
WITH_MODEL_FILE = '[model]\nfile = "model.toml"\n' + LINEAR[LINEAR.index("[observables]"):]
RICH = LEARNED.replace("[calibration]", """[response]
method = "auto"
window = [0.0, 1.0]
[model.initial]
x = 0.1
[calibration]""") + """
[calibration.priors]
F = { mean = 0.4, std = 0.5 }
"""
FORCING = "time,value\n" + "".join(f"{0.1 * row:.1f},{0.01 * row:.2f}\n" for row in range(21))


@dataclass
class Reader:
    name: str
    file: str           # that is mutated
    command: tuple
    needs: tuple = ()   # materials
    files: tuple = ()   # (name, text)


OF_LINEAR = ("linear.toml", LINEAR + TARGETS)
READERS = (
    Reader("problem, simulate", "problem.toml", ("simulate", "problem.toml", *FEW_STEPS), files=(("problem.toml", LINEAR + TARGETS),)),
    Reader("problem, check", "problem.toml", ("check", "problem.toml", *FEW_STEPS), files=(("problem.toml", RICH),)),
    Reader("problem, calibrate", "problem.toml", ("calibrate", "problem.toml", "--dry-run", *NO_PAGE), files=(("problem.toml", LINEAR + TARGETS),)),
    Reader("model", "model.toml", ("simulate", "problem.toml", *FEW_STEPS), files=(("problem.toml", WITH_MODEL_FILE), ("model.toml", MODEL))),
    Reader("data, CSV", "record.csv", ("simulate", "measured.toml", *FEW_STEPS), ("measured.toml", "record.csv")),
    Reader("data, netCDF", "states.nc", ("simulate", "problem.toml", *FEW_STEPS), ("states.nc",),
           (("problem.toml", LINEAR + FROM_DATA.replace("DATA", "states.nc")),)),
    Reader("trajectory, CSV", "states.csv", ("jacobian", "linear.toml", "--trajectory", "states.csv", "--score", "gaussian", *NO_PAGE),
           ("linear.toml", "states.csv")),
    Reader("trajectory, netCDF", "states.nc", ("jacobian", "linear.toml", "--trajectory", "states.nc", "--score", "gaussian", *NO_PAGE),
           ("linear.toml", "states.nc")),
    Reader("forcing", "forcing.csv", ("response", "linear.toml", "--parameter", "mu", "--forcing", "forcing.csv", "--score", "exact", *NO_PAGE),
           ("linear.toml",), (("forcing.csv", FORCING),)),
    Reader("score", "fitted.json", ("jacobian", "learned.toml", "--score", "fitted.json", *NO_PAGE), ("learned.toml", "fitted.json")),
    Reader("first network", "fitted.json", ("score", "learned.toml", "--start", "fitted.json", *NO_PAGE), ("learned.toml", "fitted.json")),
    Reader("result", "run/result.json", ("report", "run"), ("run",)),
    Reader("predictive check", "run/predictive.json", ("report", "run"), ("run",)),
    Reader("comparison", "compared/comparison.json", ("report", "compared"), ("compared",)),
    Reader("Jacobian", "jacobian/jacobian.json", ("report", "jacobian"), ("jacobian",)),
    Reader("response", "response/response.json", ("report", "response"), ("response",)),
    Reader("description of a run", "run/run.json", ("calibrate", "learned.toml", "--out", "run", "--resume", "--quiet"), ("learned.toml", "run")),
    Reader("stage of a run", "run/stages/0001-jacobian.json", ("calibrate", "learned.toml", "--out", "run", "--resume", "--quiet"),
           ("learned.toml", "run")),
)


def mutant(content, reader, seed):
    """By chance, but the same for a reader and a seed."""
    draw = random.Random(f"{reader} {seed}")
    mutations = [RANDOM[seed % len(RANDOM)]] + [draw.choice(RANDOM) for _ in range(draw.choice((0, 0, 0, 1, 2)))]
    for mutation in mutations:
        content = mutation(content, draw)
    return content, " then ".join(mutation.__name__ for mutation in mutations)


def case_of(campaign, reader, name, mutate):
    def run(box):
        materials_of(campaign).copy(box, *reader.needs)
        for file, text in reader.files:
            box.file(file, text)
        file = box.work / reader.file
        file.write_bytes(mutate(file.read_bytes()))
        done = check_end(box.run(*reader.command, through=MEMORY, limit=TIME_LIMIT))
        return (TAKEN, UNUSABLE, REFUSED)[done.status]
    return Case(f"{reader.name}: {name}", run)


def cases(campaign, readers=READERS):
    for reader in readers:
        for name, change in campaign.some(WHOLE.items()):
            yield case_of(campaign, reader, name, change)
        for seed in range(1, 1 + (RANDOM_CASES if campaign.places is None else min(campaign.places, RANDOM_CASES))):
            named = mutant(b"", reader.name, seed)[1]
            yield case_of(campaign, reader, f"seed {seed}, {named}", lambda content, seed=seed, name=reader.name: mutant(content, name, seed)[0])
