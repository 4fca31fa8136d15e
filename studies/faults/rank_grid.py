"""Every command by 1 to 8 threads and by 1 to 3 ranks: the same numbers, the same files, the same exit status.

A rank that is killed ends the others within seconds.
"""

import os
import shutil
import signal
import threading
import time
from functools import partial

from campaign import Case, Skipped
from materials import materials_of
from results import differences, files_of, read_json, without_cost
from sandbox import marked_processes
from verdict import HUNG, NO_MESSAGE, STATUS, WRONG, Fault, check_end, end_of

SAME, ENDED = "same result", "all ranks end with a message"
COMMANDS = {
    "simulate": ("simulate", "linear.toml", "--json", "result.json"),
    "simulate --trajectory": ("simulate", "linear.toml", "--trajectory", "states.csv", "--json", "result.json"),
    "check": ("check", "linear.toml", "--json", "result.json"),
    "jacobian": ("jacobian", "linear.toml", "--json", "result.json"),
    "jacobian --compare": ("jacobian", "learned.toml", "--compare", "gaussian,kgmm,finite-difference", "--json", "result.json"),
    "response": ("response", "linear.toml", "--parameter", "mu", "--until", "2", "--check", "--json", "result.json"),
    "score": ("score", "learned.toml", "--save", "saved.json", "--json", "result.json"),
    "calibrate": ("calibrate", "learned.toml", "--json", "result.json"),
    "calibrate --compare": ("calibrate", "linear.toml", "--compare", "auto,ensemble-kalman", "--json", "result.json"),
    "report": ("report", "jacobian"),
    "reproduce": ("reproduce", "ou", "--set", "simulation.length=20", "--set", "simulation.members=200", "--json", "result.json"),
    "models": ("models",),
    "bad problem": ("simulate", "linear.toml", "--set", "simulation.dt=-1"),
    "bad option": ("simulate", "linear.toml", "--nonsense"),
}
GRID = [(threads, 1) for threads in (1, 2, 3, 4, 5, 8)] + [(1, 2), (2, 2), (1, 3), (3, 3)]
PLAIN = ("linear.toml", "learned.toml", "jacobian")
WITHOUT_THREADS = ("report", "models")
ENDS_WITHIN = 30.0   # seconds after the death of a rank, on a busy machine


def launched(campaign, ranks):
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return [campaign.launcher, *root, "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] if ranks > 1 else []


def numbers(document):
    """All but what tells how it was computed."""
    if isinstance(document, dict):
        return {key: numbers(value) for key, value in document.items() if key not in ("threads", "ranks")}
    return [numbers(item) for item in document] if isinstance(document, list) else document


def outcome(campaign, box, name, threads, ranks):
    materials_of(campaign).copy(box, *PLAIN)
    more = () if name in WITHOUT_THREADS else ("--threads", str(threads))
    done = box.run(*COMMANDS[name], *more, through=launched(campaign, ranks))
    if ranks == 1:
        check_end(done)
    return done, {"status": done.status, "result": numbers(without_cost(read_json(box.work / "result.json"))), "files": files_of(box.work)}


def of_grid(campaign, wanted, name, threads, ranks, box):
    done, found = outcome(campaign, box, name, threads, ranks)
    if done.status is None:
        raise Fault(HUNG, end_of(done.text))
    if found["status"] != wanted["status"]:
        raise Fault(STATUS, f"status {found['status']}, alone {wanted['status']}: {end_of(done.text)}")
    if different := list(differences(found, wanted)):
        raise Fault(WRONG, "; ".join(different[:3]))
    return SAME


def rank_of(process):
    try:
        with open(f"/proc/{process}/environ", "rb") as file:
            words = dict(word.partition(b"=")[::2] for word in file.read().split(b"\0"))
        with open(f"/proc/{process}/cmdline", "rb") as file:
            program = file.read().split(b"\0")
    except OSError:
        return None
    return int(words[b"OMPI_COMM_WORLD_RANK"]) if b"OMPI_COMM_WORLD_RANK" in words and b"calibrate" in program[1:2] else None


def kill_rank(box, rank, after):
    """Waits for the rank, and some time more."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for process in marked_processes(str(box.folder)):
            if rank_of(process) == rank:
                time.sleep(after)
                try:
                    os.kill(process, signal.SIGKILL)
                except OSError:
                    pass
                return
        time.sleep(0.02)


def of_killed_rank(campaign, ranks, rank, after, box):
    materials_of(campaign).copy(box, *PLAIN)
    killer = threading.Thread(target=kill_rank, args=(box, rank, after))
    killer.start()
    done = box.run("calibrate", "learned.toml", "--out", "run", "--set", "simulation.length=4000", through=launched(campaign, ranks),
                   limit=60 + ENDS_WITHIN)
    killer.join()
    if done.status is None:
        raise Fault(HUNG, f"{ENDS_WITHIN:.0f} s after rank {rank} was killed the others run: {end_of(done.text)}")
    if done.status == 0:
        raise Fault(STATUS, f"status 0 although rank {rank} was killed")
    if not done.err.strip():
        raise Fault(NO_MESSAGE, f"rank {rank} was killed without a word")
    return ENDED


def why_not(campaign):
    """A reason, where there are no ranks here; else None."""
    if not shutil.which(campaign.launcher or ""):
        return "There is no MPI here."
    box = campaign.sandbox("launcher")
    done = box.run("--version", through=launched(campaign, 2))
    return None if done.status == 0 else "Ranks cannot be started here."


def cases(campaign, grid=GRID, commands=COMMANDS):
    if reason := why_not(campaign):
        raise Skipped(reason)
    for name in commands:
        wanted = outcome(campaign, campaign.sandbox(f"alone-{name}"), name, 1, 1)[1]
        for threads, ranks in grid[1:]:
            if name not in WITHOUT_THREADS or threads == 1:
                yield Case(f"{name}: {threads} threads, {ranks} ranks", partial(of_grid, campaign, wanted, name, threads, ranks))
    for ranks, rank, after in ((2, 0, 0.5), (2, 1, 0.5), (3, 2, 1.5), (3, 0, 0.0), (3, 1, 0.1)):
        yield Case(f"kill rank {rank} of {ranks} after {after} s", partial(of_killed_rank, campaign, ranks, rank, after))
