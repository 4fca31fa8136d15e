"""System calls of gfdt that touch files, and how strace makes one of them fail or be the last one.

Counts of strace are those of one process: the compilers that gfdt runs are not traced, and one thread makes all calls.
"""

import os
import re
import subprocess
from dataclasses import dataclass

KINDS = ("openat", "read", "pread64", "write", "writev", "pwrite64", "rename", "renameat2", "fsync", "fdatasync", "unlink", "unlinkat", "mkdir",
         "close", "ftruncate", "flock", "fallocate", "fchmod", "lseek", "getdents64")
CALL = re.compile(r"^(\w+)\((.*)\)\s+= (-?\w+)(.*)$")
# What the system and the libraries read for themselves.
OF_THE_SYSTEM = re.compile(r"/(?:proc|sys|dev|etc|usr|lib|lib64|run)/|pipe:|socket:|anon_inode:")


@dataclass(frozen=True)
class Place:
    call: str
    number: int     # of this call in the process, from 1
    what: str       # arguments, for people
    result: str

    def __str__(self):
        return f"{self.call} {self.number}"


def why_not():
    """A reason, where strace is missing or may not trace here; else None."""
    try:
        done = subprocess.run(["strace", "-qq", "-o", os.devnull, "-e", "inject=getppid:error=EIO", "true"], capture_output=True, text=True)
    except OSError:
        return "strace is not installed."
    return None if done.returncode == 0 else "strace may not trace processes here."


def strace(*injections, file=os.devnull, kinds=KINDS):
    return ["strace", "-qq", "-y", "-o", str(file), "-e", "signal=none", "-e", f"trace={','.join(kinds)}",
            *(word for injection in injections for word in ("-e", f"inject={injection}"))]


def for_people(what, box):
    """The same in every run: without folders and numbers of processes."""
    for folder, name in ((box.cache, "CACHE"), (box.work, "WORK"), (box.folder, "CASE")):
        what = what.replace(str(folder), name)
    return re.sub(r"0x[0-9a-f]+", "ADDRESS", re.sub(r"(\.gfdt-|[0-9a-f]{32}\.)\d+", r"\1PROCESS", what))


def places(box, *arguments):
    """The calls of a command from its first look at a file of the user's on. Those on one file of the cache are alike: the first is taken."""
    file = box.folder / "trace"
    done = box.run(*arguments, through=strace(file=file))
    counts, seen, found, begun = {}, set(), [], False
    for line in file.read_text(errors="replace").splitlines():
        if not (match := CALL.match(line)):
            continue
        call, what, result, more = match.groups()
        counts[call] = counts.get(call, 0) + 1
        begun = begun or ".toml" in what or ".json" in what
        if not begun or OF_THE_SYSTEM.search(what + more) or "EEXIST" in more:
            continue
        if str(box.cache) in what + more:
            alike = call, re.sub(r"\b\d+<|\d{4,}", "", what)
            if alike in seen:
                continue
            seen.add(alike)
        found.append(Place(call, counts[call], for_people(what, box)[:160], result))
    return done, found


def killed_at(place):
    return strace(f"{place.call}:signal=SIGKILL:when={place.number}", kinds=(place.call,))


def failing_at(place, error, from_then_on, file):
    return strace(f"{place.call}:error={error}:when={place.number}{'+' if from_then_on else ''}", kinds=(place.call,), file=file)
