"""Cases of the parts, several at a time, and the table of what became of them."""

import os
import shutil
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from sandbox import LeftProcesses, Sandbox, end_processes
from verdict import BAD, HARNESS, LEFT_PROCESSES, Fault


class Skipped(Exception):
    """A part that cannot run on this machine."""


@dataclass
class Case:
    name: str
    run: Callable[[Sandbox], str]   # returns the class of a good end, throws Fault


class Campaign:
    """The program under test, and where cases run. `places` limits how many cases are taken of each kind; none is without limit."""

    def __init__(self, gfdt, folder, places=None, launcher="mpirun", keep=None):
        self.gfdt, self.folder, self.places, self.launcher, self.keep = Path(gfdt), Path(folder), places, launcher, keep
        self.cache = self.new_folder("cache")

    def new_folder(self, name):
        folder = self.folder / name
        folder.mkdir(mode=0o700, parents=True)
        return folder

    def sandbox(self, name, cache=None):
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        return Sandbox(self.gfdt, folder, cache or self.cache)

    def some(self, items):
        """As many as are asked for, spread evenly."""
        items = list(items)
        if self.places is None or len(items) <= self.places:
            return items
        return [items[(2 * i + 1) * len(items) // (2 * self.places)] for i in range(self.places)]


def short(text, folder):
    """Without the folders of this run, which are gone when the line is read, and as text that can be stored."""
    return text.replace(str(folder), "CASE").encode("utf-8", "backslashreplace").decode()


def run_case(campaign, part, number, case):
    box = campaign.sandbox(f"{part}-{number}")
    start = time.monotonic()
    line = {"part": part, "case": case.name}
    try:
        line["class"] = case.run(box)
    except Fault as fault:
        line |= {"class": fault.kind, "reason": fault.reason}
    except LeftProcesses as left:
        line |= {"class": LEFT_PROCESSES, "reason": str(left)}
    except Exception:  # noqa: BLE001
        line |= {"class": HARNESS, "reason": traceback.format_exc()[-1500:]}
    finally:
        end_processes(str(box.folder), 0.0)
    line["seconds"] = round(time.monotonic() - start, 2)
    if line["class"] in BAD:
        line["reason"] = short(line["reason"], box.folder)
        line["commands"] = [short(command, box.folder).replace(str(campaign.gfdt), "gfdt") for command in box.commands]
    if campaign.keep:
        shutil.copytree(box.folder, campaign.keep, symlinks=True, dirs_exist_ok=True, ignore=lambda place, names: [
            name for name in names if not (Path(place, name).is_file() or Path(place, name).is_dir())])
    make_removable(box.folder)
    shutil.rmtree(box.folder, ignore_errors=True)
    return line


def make_removable(folder):
    for place, folders, _ in os.walk(folder):
        for name in folders:
            if not Path(place, name).is_symlink():
                Path(place, name).chmod(0o700)


def run_cases(campaign, part, cases, jobs):
    lines = []
    pool = ThreadPoolExecutor(jobs)
    try:
        futures = [pool.submit(run_case, campaign, part, number, case) for number, case in enumerate(cases)]
        for count, future in enumerate(as_completed(futures), 1):
            line = future.result()
            lines.append(line)
            if line["class"] in BAD:
                print(f"{part} {count}/{len(cases)} {line['case']}: {line['class']}: {line['reason'][:300]}", file=sys.stderr, flush=True)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return sorted(lines, key=lambda line: [case.name for case in cases].index(line["case"]))


def summary(lines):
    """Cases, how many ended as wanted and how, and each that did not."""
    counts = Counter(line["class"] for line in lines)
    return {"cases": len(lines),
            "as_wanted": {kind: count for kind, count in sorted(counts.items()) if kind not in BAD},
            "not_as_wanted": {kind: count for kind, count in sorted(counts.items()) if kind in BAD},
            "seconds": round(sum(line["seconds"] for line in lines), 1),
            "defects": [line for line in lines if line["class"] in BAD]}


def print_table(part, result):
    print(f"\n{part}: {result['cases']} cases, {result['seconds']:.0f} s of single cases")
    for kind, count in result["as_wanted"].items():
        print(f"  {count:6}  {kind}")
    for kind, count in result["not_as_wanted"].items():
        print(f"  {count:6}  NOT AS WANTED: {kind}")
    sys.stdout.flush()
