"""A folder of its own in which the commands of one case run: with time limits, and without a process that is left behind."""

import os
import shlex
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

TIME_LIMIT = 120.0      # seconds; commands take a few at most
PROCESSES_END = 10.0    # seconds after the end of a command until its compilers must have ended too
MARK = "GFDT_FAULTS_CASE"
MOST_OUTPUT = 4_000_000


@dataclass
class Done:
    status: int | None      # None: stopped after the time limit; negative: a signal
    out: str                # bytes that are not UTF-8 are surrogates
    err: str
    command: str            # as it can be typed
    seconds: float

    @property
    def text(self):
        return self.out + self.err


class LeftProcesses(Exception):
    pass


def read_text(file):
    with open(file, "rb") as stream:
        return stream.read(MOST_OUTPUT).decode("utf-8", "surrogateescape")


def marked_processes(mark):
    """Ids of the processes whose environment holds the mark."""
    wanted, found = f"{MARK}={mark}\0".encode(), []
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                environment = Path(entry.path, "environ").read_bytes() + b"\0"
                state = Path(entry.path, "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if wanted in environment and state != "Z":
                found.append(int(entry.name))
    return found


def end_processes(mark, patience):
    """Ends those that do not end by themselves, and returns their names."""
    deadline = time.monotonic() + patience
    while (left := marked_processes(mark)) and time.monotonic() < deadline:
        time.sleep(0.02)
    names = []
    for process in left:
        try:
            names.append(Path(f"/proc/{process}/cmdline").read_text(errors="replace").replace("\0", " ").strip()[:100])
            os.kill(process, signal.SIGKILL)
        except OSError:
            pass
    return names


class Sandbox:
    def __init__(self, gfdt, folder, cache):
        self.gfdt, self.folder, self.cache = str(gfdt), Path(folder), Path(cache)
        self.commands = []
        self.work = self.folder / "work"
        for place in (self.work, self.folder / "home", self.folder / "tmp"):
            place.mkdir(parents=True, exist_ok=True)

    def variables(self, more):
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("GFDT_", "OMPI_", "PMIX_")) and key != "COLUMNS"}
        own = {"GFDT_CACHE": str(self.cache), "HOME": str(self.folder / "home"), "TMPDIR": str(self.folder / "tmp"), "NO_COLOR": "1",
               "LC_ALL": "C.UTF-8", "ASAN_OPTIONS": "detect_leaks=0", MARK: str(self.folder)}
        return {key: value for key, value in {**kept, **own, **(more or {})}.items() if value is not None}

    def file(self, name, content):
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def run(self, *arguments, through=(), environment=None, limit=TIME_LIMIT, stdout=None, stderr=None):
        """Runs gfdt, under another program such as strace where `through` gives one. A variable that is None is unset."""
        line = [*map(str, through), self.gfdt, *map(str, arguments)]
        changed = " ".join(f"-u {key}" if value is None else shlex.quote(f"{key}={value}") for key, value in (environment or {}).items())
        command = (f"env {changed} " if changed else "") + shlex.join(line)
        self.commands.append(command)
        out, err = self.folder / "stdout", self.folder / "stderr"
        start = time.monotonic()
        with open(out, "wb") as own_out, open(err, "wb") as own_err:
            process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=own_out if stdout is None else stdout,
                                       stderr=own_err if stderr is None else stderr,
                                       cwd=self.work, env=self.variables(environment), start_new_session=True)
            status = self.wait(process, limit)
        left = end_processes(str(self.folder), PROCESSES_END if status is not None else 0.0)
        if left and status is not None:
            raise LeftProcesses(f"{command}: {'; '.join(left)}")
        return Done(status, read_text(out), read_text(err), command, time.monotonic() - start)

    def wait(self, process, limit):
        """The exit status, or None where the process was stopped after the time limit."""
        try:
            return process.wait(limit)
        except BaseException as reason:  # noqa: BLE001
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
            if not isinstance(reason, subprocess.TimeoutExpired):
                raise
            return None
