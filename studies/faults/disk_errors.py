"""System calls that touch files fail: a full or broken disk, a quota, a file system that has become read-only.

A failure without consequences ends as without it. Any other is reported with the reason or the name of a file, and once it is gone the
work can be resumed or repeated with the same result.
"""

import errno
import os
import re

import system_calls
from campaign import Case, Skipped
from kill import check_no_temporary_files, check_repeated, check_same, check_whole_files, reference
from materials import materials_of
from results import differences, run_of
from scenarios import SCENARIOS, calibrated
from verdict import NO_MESSAGE, WRONG, Fault, check_end, check_named, end_of

HARMLESS, REFUSED, INTERPRETED = "same result", "refused, then same result", "interpreted with a notice"
WITHOUT_PAGE = "page or check missing, with a notice"
FULL = ("ENOSPC", "EDQUOT", "EIO")
ERRORS = {"openat": ("EIO", "ENOSPC", "EROFS", "EDQUOT", "EMFILE", "EACCES"), "read": ("EIO",), "pread64": ("EIO",), "write": FULL, "writev": FULL,
          "pwrite64": FULL, "rename": ("EIO", "ENOSPC", "EROFS", "EDQUOT"), "fsync": FULL, "fdatasync": FULL, "unlink": ("EROFS", "EIO"),
          "unlinkat": ("EROFS", "EIO"), "mkdir": ("ENOSPC", "EROFS", "EDQUOT"), "close": ("EIO", "EDQUOT", "ENOSPC"), "ftruncate": ("EIO", "EROFS"),
          "flock": ("ENOLCK", "EIO"), "fallocate": ("ENOSPC", "EOPNOTSUPP", "EDQUOT"), "fchmod": ("EROFS", "EIO"), "lseek": ("EIO",),
          "getdents64": ("EIO",)}
ERRORS["renameat2"] = ERRORS["rename"]


def names_of(place, error):
    """Words of which a message must hold one: what the system calls the error, or the name of a file."""
    files = re.findall(r"[\w.-]+\.(?:json|toml|html|csv|nc|cpp|so|part)\b|stages|lock|CACHE|run\b", place.what)
    return [os.strerror(getattr(errno, error)), *files, "cannot be written", "cannot be read", "cannot be opened", "GFDT_CACHE"]


def check_harmless(campaign, box, scenario, done, wanted):
    """The end of a command whose status is that of an undisturbed one."""
    found = scenario.outcome(box)
    if "files" in found:  # what cannot be deleted stays; the result has precedence over the progress
        found["files"] = [name for name in found["files"] if not name.endswith("progress.json") or name in wanted["files"]]
    if not list(differences(found, wanted)):
        return HARMLESS
    if "files" in wanted and not list(differences({**found, "files": 0, "predictive": 0}, {**wanted, "files": 0, "predictive": 0})):
        missing = set(wanted["files"]) - set(found["files"])
        if missing and all(name.endswith(("report.html", "predictive.json")) for name in missing):
            if not done.err.strip():
                raise Fault(NO_MESSAGE, f"{missing} is missing without a word")
            return WITHOUT_PAGE
    if scenario.outcome is calibrated:
        interpreted = run_of(materials_of(campaign).folder / "interpreted")
        if found["result"] == interpreted["result"]:
            if "interpret" not in done.err:
                raise Fault(NO_MESSAGE, f"interpreted without a word: {end_of(done.err)}")
            return INTERPRETED
    if "interpret" in done.err:
        return INTERPRETED
    raise Fault(WRONG, f"status {done.status} and {'; '.join(list(differences(found, wanted))[:3])}")


def failing(campaign, scenario, place, error, from_then_on, wanted, status):
    def run(box):
        scenario.prepare(campaign, box)
        done = box.run(*scenario.command, through=system_calls.failing_at(place, error, from_then_on, box.folder / "trace"))
        can_speak = not (from_then_on and place.call in ("write", "writev"))  # messages cannot be written either
        check_end(done, can_speak=can_speak)
        if not place.call.startswith("unlink"):
            check_no_temporary_files(box)
        if done.status == status:
            return check_harmless(campaign, box, scenario, done, wanted)
        if can_speak:
            check_named(done, *names_of(place, error))
        check_whole_files(box, scenario, wanted)
        if began_interpreted(box):
            check_same(run_after_interpretation(box, scenario), run_of(materials_of(campaign).folder / "interpreted"))
        else:
            check_repeated(box, scenario, wanted, (status,))
        return REFUSED
    return Case(f"{scenario.name}: {place} {error}{' from then on' if from_then_on else ''} ({place.what})", run)


def began_interpreted(box):
    return '"backend": "interpreter"' in read_if_there(box.work / "run" / "run.json")


def read_if_there(file):
    return file.read_text() if file.exists() else ""


def run_after_interpretation(box, scenario):
    """A run that began with interpreted formulas goes on with them."""
    check_end(box.run(*scenario.repeat(box), "--backend", "interpreter"), (0,))
    return scenario.outcome(box)


def cases(campaign, scenarios=SCENARIOS):
    if reason := system_calls.why_not():
        raise Skipped(reason)
    for scenario in scenarios:
        places, wanted, status = reference(campaign, scenario)
        for number, place in enumerate(campaign.some(places)):
            errors = ERRORS[place.call]
            for from_then_on in (False, True):
                yield failing(campaign, scenario, place, errors[(number + from_then_on) % len(errors)], from_then_on, wanted, status)
