"""The summary of a study: counts by family and class, what else the study measures, times, and how to reproduce each failure."""

import json
from collections import Counter
from datetime import datetime, timezone

import numpy as np

from classify import CLASSES, NOT_JUDGED, REFUSED, RIGHT


def times(lines, key):
    seconds = [line[key] for line in lines if key in line]
    return {"median": float(np.median(seconds)), "max": float(np.max(seconds)), "total": float(np.sum(seconds))} if seconds else {}


def part(study, lines):
    return {"cases": len(lines), "classes": dict(Counter(line["class"] for line in lines)), **study.summary_of(lines),
            "cpu_seconds": times(lines, "cpu_seconds"), "wall_seconds": times(lines, "wall_seconds")}


def failure(task, line):
    keys = ("family", "seed", "kind", "class", "reason", "failed_checks", "worst", "methods", "exit", "notes", "distance", "exact_distance", "simulation_share", "status",
            "guess", "answer", "minimum", "guess_number")
    return {**{key: line[key] for key in keys if key in line},
            "command": f"study.py GFDT show {line['family']} {line['seed']} --command {task}"}


def summarize(task, study, cases, command_line):
    by_family, lines = {}, study.expand(cases)
    for line in lines:
        by_family.setdefault(line["family"], []).append(line)
    return {
        "study": task,
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "gfdt_version": next((line["version"] for line in lines if line.get("version")), None),
        "command_line": " ".join(command_line),
        "pooled": part(study, lines),
        **({"pairs": study.pairs_of(cases)} if hasattr(study, "pairs_of") else {}),
        "families": {family: part(study, own) for family, own in by_family.items()},
        "refusals": dict(Counter(check for line in lines if line["class"] == REFUSED for check in line.get("failed_checks", []))),
        "failures": [failure(task, line) for line in lines if line["class"] not in (RIGHT, REFUSED, NOT_JUDGED)],
    }


def write_summary(document, file):
    file.write_text(json.dumps(document, indent=1) + "\n")


def percent(part_of):
    return "–" if part_of["share"] is None else f"{100 * part_of['share']:.1f} %"


def print_summary(document):
    classes = [*CLASSES, *sorted({c for p in document["families"].values() for c in p["classes"]} - set(CLASSES))]
    short = {"wrong with a failed check": "warned", "wrong silently": "silent"}
    print(f"\n{document['study']}, gfdt {document['gfdt_version']}: {document['pooled']['cases']} cases\n")
    extra = [key for key in ("coverage",) if key in document["pooled"]]
    header = f"{'family':18}" + "".join(f"{short.get(c, c):>10}" for c in classes)
    print(header + "".join(f"{name:>13}" for key in extra for name in document["pooled"][key]) + f"{'median s':>10}{'max s':>8}")
    for family, row in [*document["families"].items(), ("all", document["pooled"])]:
        line = f"{family:18}" + "".join(f"{row['classes'].get(c, 0):>10}" for c in classes)
        line += "".join(f"{percent(value):>13}" for key in extra for value in row[key].values())
        seconds = row["cpu_seconds"]
        print(line + f"{seconds.get('median', 0):10.1f}{seconds.get('max', 0):8.1f}")
    for key in ("coverage_without_failed_checks", "distances", "error_ratio", "statuses", "reachable_but_refused"):
        if key in document["pooled"]:
            print(f"{key}: {json.dumps(document['pooled'][key])}")
    if "pairs" in document:
        print(f"pairs: {json.dumps(document['pairs'])}")
    for case in document["failures"]:
        numbers = case.get("worst") or {key: case.get(key) for key in ("status", "distance", "exact_distance", "answer", "minimum")}
        print(f"\n{case['class']}: {case['command']}\n   {json.dumps(numbers)} {case.get('reason', '')[:300]}")
