"""Files that gfdt has written are damaged: it computes the same result, or refuses and names the file.

`calibrate --resume` reads a folder of a run, `report` its documents, every command the cache of compiled code, and `jacobian --score` a score.
A result that differs is wrong; a page or a score that shows the damaged numbers is damage that was not noticed.
"""

import shutil
from dataclasses import dataclass
from typing import Callable

import damage
from campaign import Case
from materials import CALIBRATE, RESUME, materials_of
from results import differences, files_of, read_json, run_of, without_cost
from verdict import UNNOTICED, WRONG, Fault, check_end, check_named, end_of

SAME, REFUSED, WITHOUT = "same result", "refused, names the file", "page of the other files"
REMOVALS = (damage.delete, damage.dangling_link, damage.folder_instead, damage.link_to_itself)
DOCUMENTS = ("run.json", "result.json", "jacobian.json", "response.json", "comparison.json")   # without them a folder is none of gfdt's
TIME_LIMIT = 20.0   # seconds; commands take one at most


@dataclass
class Subject:
    name: str
    needs: tuple                # materials
    damaged: str                # file or folder below the working folder or, for the cache, "CACHE"
    command: tuple
    outcome: Callable           # box, Done -> document
    but: tuple = ()             # files that the command does not read


def page(name):
    return lambda box, done: {"page": (box.work / name).read_text(errors="replace")}


def resumed(box, done):
    return {key: value for key, value in run_of(box.work / "run").items() if key != "files"}


def document(name):
    return lambda box, done: without_cost(read_json(box.work / name))


JACOBIAN = ("jacobian", "learned.toml", "--quiet", "--no-report", "--json", "result.json")
SUBJECTS = (
    Subject("finished run", ("learned.toml", "run"), "run", RESUME, resumed),
    Subject("interrupted run", ("learned.toml", "interrupted as run"), "run", RESUME, resumed),
    Subject("overwritten run", ("learned.toml", "run"), "run", (*CALIBRATE, "--overwrite"), resumed, ("report.html", "stages")),
    Subject("page of a calibration", ("run",), "run", ("report", "run", "--output", "page.html"), page("page.html"), ("report.html", "lock")),
    Subject("page of a comparison", ("compared",), "compared", ("report", "compared", "--output", "page.html"), page("page.html"),
            ("report.html", "lock", "stages")),
    Subject("page of a Jacobian", ("jacobian",), "jacobian", ("report", "jacobian", "--output", "page.html"), page("page.html"), ("report.html",)),
    Subject("page of a response", ("response",), "response", ("report", "response", "--output", "page.html"), page("page.html"), ("report.html",)),
    Subject("score", ("learned.toml", "fitted.json"), "fitted.json", (*JACOBIAN, "--score", "fitted.json"), document("result.json")),
    Subject("compiled code", ("learned.toml", "compiled"), "compiled", JACOBIAN, document("result.json")),
)


def set_up(campaign, subject, box):
    materials = materials_of(campaign)
    with materials.lock:
        if not (materials.folder / "compiled").exists():
            filling = campaign.sandbox("filling", campaign.new_folder("filled"))
            materials.copy(filling, "learned.toml")
            filling.run(*JACOBIAN)
            shutil.copytree(filling.cache, materials.folder / "compiled")
    materials.copy(box, *subject.needs)
    if subject.damaged == "compiled":
        box.cache = box.work / "compiled"
        box.cache.chmod(0o700)


def damaged_files(subject, box):
    whole = box.work / subject.damaged
    if whole.is_file():
        return [subject.damaged]
    return [f"{subject.damaged}/{name}" for name in files_of(whole) if not any(part in subject.but for part in name.split("/"))]


def compare(subject, found, wanted, way, done):
    different = list(differences(found, wanted))
    if not different:
        return SAME
    shows = all(place.startswith(("/predictive", "/page")) for place in different) or subject.damaged == "fitted.json"
    if "page" in found and way in REMOVALS:
        return WITHOUT
    shown = "the page differs" if "page" in found else "; ".join(different[:2])[:300]
    raise Fault(UNNOTICED if shows else WRONG, f"status {done.status} and {len(different)} differences: {shown} {end_of(done.err)}")


def case_of(campaign, subject, wanted, way, file, other, seed):
    def run(box):
        set_up(campaign, subject, box)
        damage.apply(way, box.work / file, box.work / other, seed)
        done = check_end(box.run(*subject.command, limit=TIME_LIMIT))
        if done.status == wanted["status"]:
            found = subject.outcome(box, done)
            return compare(subject, found, wanted["outcome"], way, done)
        names = [file.split("/")[-1], other.split("/")[-1]]
        if "stages/" in file:
            names.append(names[0][:5])
        if names[0] in DOCUMENTS:
            folder = file.rpartition("/")[0]
            names += [f"'{folder}'", f"'{folder}/"]
        check_named(done, *names)
        return REFUSED
    return Case(f"{subject.name}: {way.__name__} {file.partition('/')[2] or file} {seed}", run)


def cases(campaign, subjects=SUBJECTS):
    for subject in subjects:
        box = campaign.sandbox(f"whole-{subject.name}")
        set_up(campaign, subject, box)
        files = damaged_files(subject, box)
        done = check_end(box.run(*subject.command), (0, 1))
        wanted = {"status": done.status, "outcome": subject.outcome(box, done)}
        for choice in campaign.some(damage.all_damages(files)):
            yield case_of(campaign, subject, wanted, *choice)
