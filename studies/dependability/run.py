"""One run of gfdt in a folder of its own, with a time limit."""

import json
import os
import resource
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from toml_text import problem_text

TIME_LIMIT = 300.0   # seconds, after which a run counts as hung


@dataclass
class Outcome:
    exit: int | None            # None: stopped after the time limit; negative: a signal
    document: dict | None       # None: no JSON, or JSON that cannot be read
    wall_seconds: float
    cpu_seconds: float
    message: str                # the end of the standard error
    command: list


def gfdt_command(gfdt, command, file, out, seed, free=()):
    line = [str(gfdt), command, str(file), "--json", str(out / "result.json"), "--no-report", "--out", str(out / "run"), "--threads", "1",
            "--seed", str(seed)]
    return line + (["--parameters", ",".join(free)] if free else [])


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_gfdt(gfdt, command, problem, seed, folder, cache, time_limit=TIME_LIMIT):
    """Writes the problem file below `folder` and runs it. One run at a time per process, so that the CPU time is its own."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "problem.toml"
    file.write_text(problem_text(problem))
    line = gfdt_command(gfdt, command, file, folder, seed, problem.free if command == "jacobian" else ())
    environment = {**os.environ, "GFDT_CACHE": str(cache)}
    start, before = time.monotonic(), children_seconds()
    with open(folder / "stderr", "w") as errors:
        process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, env=environment,
                                   start_new_session=True)
        try:
            status = process.wait(time_limit)
        except BaseException as reason:  # noqa: BLE001
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if not isinstance(reason, subprocess.TimeoutExpired):
                raise
            status = None
    message = (folder / "stderr").read_text(errors="replace")[-2000:]
    return Outcome(status, read_json(folder / "result.json"), time.monotonic() - start, children_seconds() - before, message, line)


def read_json(file):
    try:
        return json.loads(file.read_text())
    except (OSError, ValueError):
        return None
