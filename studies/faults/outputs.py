"""Outputs that cannot be written, and surroundings that gfdt did not choose: streams, limits, folders, caches, names.

A command either writes the results that it writes undisturbed, or says what it could not write and ends with a status other than 0.
"""

import os
import shutil
import signal
from functools import partial

from campaign import Case
from hostile_names import cases as cases_of_names
from materials import materials_of
from problems import LINEAR
from results import differences, files_of, read_json, without_cost
from verdict import LEFT_FILES, STATUS, WRONG, Fault, check_end, check_named, end_of

SAME, REFUSED, BROKEN_PIPE, INTERPRETED = "same result", "refused with a sentence", "ended by the pipe", "interpreted with a notice"

COMMANDS = {
    "simulate": ("simulate", "linear.toml", "--json", "result.json"),
    "check": ("check", "linear.toml", "--json", "result.json"),
    "jacobian": ("jacobian", "linear.toml", "--json", "result.json"),
    "response": ("response", "linear.toml", "--parameter", "mu", "--until", "2", "--json", "result.json"),
    "score": ("score", "learned.toml", "--save", "saved.json", "--json", "result.json"),
    "calibrate": ("calibrate", "linear.toml", "--json", "result.json"),
    "simulate --trajectory": ("simulate", "linear.toml", "--trajectory", "states.csv", "--json", "result.json"),
    "simulate --trajectory, netCDF": ("simulate", "linear.toml", "--trajectory", "states.nc", "--json", "result.json"),
    "simulate --json -": ("simulate", "linear.toml", "--quiet", "--json", "-"),
    "report": ("report", "jacobian"),
    "models": ("models",),
    "reference": ("reference",),
    "man": ("man",),
    "init": ("init", "new"),
    "bad problem": ("simulate", "nowhere.toml"),
}
NEEDED = ("linear.toml", "learned.toml", "jacobian")

STREAMS = {"closed": ">&-", "full": "> /dev/full"}
LIMITS = {"file size 512": "ulimit -f 1", "file size 20 kB": "ulimit -f 40", "file size 200 kB": "ulimit -f 400", "stack 256 kB": "ulimit -s 256",
          "4 open files": "ulimit -n 4", "5 open files": "ulimit -n 5", "6 open files": "ulimit -n 6", "8 open files": "ulimit -n 8",
          "12 open files": "ulimit -n 12",
          **{f"memory {size} MB": f"ulimit -v {size * 1000}" for size in (60, 80, 100, 120, 150, 200, 300, 500, 1000)}}
UNWRITABLE = ("/proc/nowhere", "/sys/nowhere", "/dev/null/below", "linear.toml/below", "nowhere/below/result")
CACHES = {"unwritable": "/proc/nowhere", "a file": "linear.toml", "dangling link": "dangling", "pipe": "pipe", "empty name": "", "relative": "here",
          "long name": "/tmp/" + "n" * 300, "with spaces and quotes": "it's \"here\" $(touch hit)", "with newline": "two\nlines",
          "device": "/dev/null"}


def shell(script):
    return ("sh", "-c", f'{script}; exec "$@"', "sh")


def redirected(streams):
    """Reading of a script that redirects; failures of the shell itself are none of gfdt's."""
    return ("sh", "-c", f'exec "$@" {streams}', "sh")


class Undisturbed:
    """What each command leaves when nothing is in its way."""

    def __init__(self, campaign):
        self.campaign, self.known = campaign, {}

    def of(self, name, more=()):
        if (name, more) not in self.known:
            box = self.campaign.sandbox(f"undisturbed-{len(self.known)}")
            materials_of(self.campaign).copy(box, *NEEDED)
            done = check_end(box.run(*COMMANDS[name], *more))
            self.known[name, more] = done.status, without_cost(read_json(box.work / "result.json")), files_of(box.work)
        return self.known[name, more]


def judge(undisturbed, name, box, done, created=()):
    """Same files and numbers, or a refusal that leaves no temporary file."""
    check_end(done)
    status, result, files = undisturbed.of(name)
    found = without_cost(read_json(box.work / "result.json"))
    if left := [file for file in files_of(box.work) if ".part" in file]:
        raise Fault(LEFT_FILES, ", ".join(left))
    if done.status == status:
        if list(differences(found, result)):
            interpreted = undisturbed.of(name, ("--backend", "interpreter"))[1] if result else None
            if "interpret" in done.err and not list(differences(found, interpreted)):
                return INTERPRETED
            raise Fault(WRONG, f"status {status} and {'; '.join(list(differences(found, result))[:3])}: {end_of(done.err)}")
        if missing := set(files) - set(files_of(box.work)) - set(created):
            if missing <= {name for name in missing if name.endswith("report.html")} and done.err.strip():
                return "no page, with a notice"
            raise Fault(WRONG, f"status {status}, but {sorted(missing)} are missing: {end_of(done.err)}")
        return SAME
    if done.status == 0:
        raise Fault(STATUS, f"status 0 instead of {status}: {end_of(done.text)}")
    return REFUSED


def of_stream(undisturbed, name, words, silent, box):
    materials_of(undisturbed.campaign).copy(box, *NEEDED)
    done = box.run(*COMMANDS[name], through=redirected(words))
    if silent and done.status in (1, 2):   # nowhere to say it
        return REFUSED
    return judge(undisturbed, name, box, done)


def of_pipe(undisturbed, name, box):
    """The reader of the pipe has left before the first line."""
    materials_of(undisturbed.campaign).copy(box, *NEEDED)
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = box.run(*COMMANDS[name], stdout=writer)
    finally:
        os.close(writer)
    if done.status == -signal.SIGPIPE:
        if left := [file for file in files_of(box.work) if ".part" in file]:
            raise Fault(LEFT_FILES, ", ".join(left))
        return BROKEN_PIPE
    return judge(undisturbed, name, box, done)


def of_limit(undisturbed, name, script, box):
    materials_of(undisturbed.campaign).copy(box, *NEEDED)
    done = box.run(*COMMANDS[name], through=shell(script))
    if "error while loading shared libraries" in done.err:
        return "not loaded by the system"
    return judge(undisturbed, name, box, done)


def of_target(undisturbed, option, target, name, box):
    materials_of(undisturbed.campaign).copy(box, *NEEDED)
    before = (box.work / "linear.toml").read_bytes()
    done = check_end(box.run(*COMMANDS[name][:2], option, target), (2,))
    check_named(done, target, target.partition("/")[0] or target, *target.split("/")[1:2])
    if (box.work / "linear.toml").read_bytes() != before:
        raise Fault(WRONG, "The problem file was replaced.")
    return REFUSED


def of_cache(undisturbed, target, box):
    materials_of(undisturbed.campaign).copy(box, *NEEDED)
    (box.work / "dangling").symlink_to("nowhere-at-all")
    os.mkfifo(box.work / "pipe")
    done = box.run(*COMMANDS["simulate"], environment={"GFDT_CACHE": target})
    if (box.work / "hit").exists():
        raise Fault(WRONG, "A command in the name of the cache was run.")
    return judge(undisturbed, "simulate", box, done)


def of_environment(undisturbed, change, box):
    materials_of(undisturbed.campaign).copy(box, *NEEDED)
    return judge(undisturbed, "simulate", box, box.run(*COMMANDS["simulate"], environment=change))


ENVIRONMENTS = {
    "no home": {"GFDT_CACHE": None, "HOME": None}, "home that is missing": {"GFDT_CACHE": None, "HOME": "/proc/nowhere"},
    "home that is a file": {"GFDT_CACHE": None, "HOME": "/dev/null"}, "empty home": {"GFDT_CACHE": None, "HOME": ""},
    "no path": {"PATH": "", "GFDT_CACHE": "new"}, "path without a compiler": {"PATH": "/proc", "GFDT_CACHE": "new"},
    "temporary folder that is missing": {"TMPDIR": "/proc/nowhere", "GFDT_CACHE": "new"}, "compiler that is missing": {"GFDT_CXX": "/nowhere/c++"},
    "compiler that fails": {"GFDT_CXX": shutil.which("false") or "/bin/false"},
    "compiler that does nothing": {"GFDT_CXX": shutil.which("true") or "/bin/true"},
    "locale that is missing": {"LC_ALL": "xx_XX.UTF-8"}, "locale with decimal commas": {"LC_ALL": "de_DE.UTF-8"}, "plain locale": {"LC_ALL": "C"},
    "narrow terminal": {"COLUMNS": "1"}, "columns that are no number": {"COLUMNS": "many"}, "negative columns": {"COLUMNS": "-5"},
}


def onto_input(undisturbed, arguments, target, box):
    materials_of(undisturbed.campaign).copy(box, "linear.toml", "states.csv", "fitted.json", "learned.toml", "jacobian")
    file = box.work / target
    before = file.read_bytes()
    os.link(file, box.work / "other-name")
    (box.work / "link").symlink_to(target)
    for name in (target, "other-name", "link", f"./{target}"):
        check_end(box.run(*arguments, name), (2,))
        if file.read_bytes() != before:
            raise Fault(WRONG, f"'{target}' was replaced as '{name}'.")
    return REFUSED


ONTO = (
    (("simulate", "linear.toml", "--json"), "linear.toml"), (("calibrate", "linear.toml", "--json"), "linear.toml"),
    (("simulate", "linear.toml", "--trajectory"), "linear.toml"), (("score", "learned.toml", "--save"), "learned.toml"),
    (("jacobian", "linear.toml", "--trajectory", "states.csv", "--json"), "states.csv"),
    (("jacobian", "learned.toml", "--score", "fitted.json", "--json"), "fitted.json"),
    (("jacobian", "learned.toml", "--score", "fitted.json", "--save"), "fitted.json"),
    (("score", "learned.toml", "--start", "fitted.json", "--save"), "fitted.json"),
    (("calibrate", "linear.toml", "--out"), "linear.toml"), (("jacobian", "linear.toml", "--out"), "linear.toml"),
    (("report", "jacobian", "--output"), "jacobian/jacobian.json"),
)


def all_cases(campaign):
    undisturbed = Undisturbed(campaign)
    for name in COMMANDS:
        undisturbed.of(name)
    for name in COMMANDS:
        for kind, words in STREAMS.items():
            yield Case(f"standard output {kind}: {name}", partial(of_stream, undisturbed, name, words, False))
            yield Case(f"standard error {kind}: {name}", partial(of_stream, undisturbed, name, f"2{words}", True))
            yield Case(f"both {kind}: {name}", partial(of_stream, undisturbed, name, f"{words} 2{words}", True))
        yield Case(f"all streams closed: {name}", partial(of_stream, undisturbed, name, "<&- >&- 2>&-", True))
        yield Case(f"pipe without a reader: {name}", partial(of_pipe, undisturbed, name))
        for kind, script in LIMITS.items():
            yield Case(f"{kind}: {name}", partial(of_limit, undisturbed, name, script))
    for name in ("simulate", "calibrate", "jacobian", "score"):
        for option in ("--json", "--out"):
            for target in UNWRITABLE[:4] if option == "--out" else UNWRITABLE:
                yield Case(f"{option} {target}: {name}", partial(of_target, undisturbed, option, target, name))
    for kind, target in CACHES.items():
        yield Case(f"cache: {kind}", partial(of_cache, undisturbed, target))
    for kind, change in ENVIRONMENTS.items():
        yield Case(f"environment: {kind}", partial(of_environment, undisturbed, change))
    for arguments, target in ONTO:
        yield Case(f"onto an input: {' '.join(arguments)} {target}", partial(onto_input, undisturbed, arguments, target))
    yield from cases_of_names(LINEAR)


def cases(campaign):
    yield from campaign.some(all_cases(campaign)) if campaign.places is None else some_of_each(campaign)


def some_of_each(campaign):
    """Groups are the words before the colon."""
    groups = {}
    for case in all_cases(campaign):
        groups.setdefault(case.name.partition(":")[0], []).append(case)
    for group in groups.values():
        yield from campaign.some(group)
