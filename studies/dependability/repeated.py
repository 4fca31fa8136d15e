"""The study of repeated runs: fixed models, many seeds of the simulation, and the spread of each column of the Jacobian about the exact one.

A run that is right by chance, or wrong by chance, says little. Over many seeds 95 % of the intervals should hold the truth, and the root mean
square of z = (value − truth)/standard error should be one.
"""

import json
from collections import Counter

import numpy as np

from classify import array, classify_jacobian, compare, freedom
from fixed_models import MODELS, fixed_problem
from run import run_gfdt
from toml_text import problem_text

STATISTICS = "statistics"   # the name of their column


def run_case(gfdt, model, seed, folder, cache, time_limit):
    problem, answer = fixed_problem(model)
    outcome = run_gfdt(gfdt, "jacobian", problem, seed, folder, cache, time_limit)
    return line_of(model, seed, problem, answer, outcome)


def line_of(model, seed, problem, answer, outcome):
    verdict = classify_jacobian(outcome, answer, list(problem.observables), problem.names)
    document = outcome.document or {}
    return {"family": model, "seed": seed, "class": verdict.kind, "reason": verdict.reason, "exit": outcome.exit, "failed_checks": verdict.failed_checks,
            "worst": verdict.worst, "columns": columns_of(document, problem, answer), "methods": document.get("method"),
            "wall_seconds": round(outcome.wall_seconds, 2), "cpu_seconds": round(outcome.cpu_seconds, 2),
            "version": (document.get("provenance") or {}).get("version")}


def columns_of(document, problem, answer):
    """Of the statistics, and of the entries of each parameter that are reported: z, whether the interval holds the truth, relative error."""
    shape, result = answer.jacobian.shape, {}
    values = {key: array(document.get(key), shape[:1] if key.startswith("statistics") else shape)
              for key in ("statistics", "statistics_error", "jacobian", "jacobian_error")}
    degrees = freedom(document, shape)
    for j, name in [(None, STATISTICS), *enumerate(problem.names)]:
        if j is None:
            own = (values["statistics"], values["statistics_error"], answer.statistics, answer.statistics_error, freedom(document, shape[:1]))
        else:
            own = (values["jacobian"][:, j], values["jacobian_error"][:, j], answer.jacobian[:, j], answer.jacobian_error[:, j], degrees[:, j])
        known, ratio, _, held = compare(*own)
        result[name] = {"z": [float(f"{z:.3g}") if k else None for z, k in zip(ratio, known)], "held": int(np.sum(held)),
                        "relative_error": relative_errors(known, *own[:1], *own[2:4])}
    return result


def relative_errors(known, value, truth, truth_error):
    """|value − truth| / |truth|; none where the truth is zero."""
    counted = known & (np.abs(truth) > 10 * truth_error)
    return [float(f"{abs(v - t) / abs(t):.3g}") if c else None for v, t, c in zip(value, truth, counted)]


def expand(lines):
    return lines


def column_summary(columns):
    z = [value for column in columns for value in column["z"] if value is not None]
    errors = [value for column in columns for value in column["relative_error"] if value is not None]
    held = sum(column["held"] for column in columns)
    return {"entries": len(z), "missing": sum(len(column["z"]) for column in columns) - len(z), "held": held, "share": held / len(z) if z else None,
            "rms_z": float(np.sqrt(np.mean(np.square(z)))) if z else None, "largest_z": float(np.max(np.abs(z))) if z else None,
            "median_relative_error": float(np.median(errors)) if errors else None}


def summary_of(lines):
    """By column where the lines are of one model; over all columns of parameters in any case."""
    judged = [line for line in lines if "columns" in line]
    every = [column for line in judged for name, column in line["columns"].items() if name != STATISTICS]
    result = {"exits": dict(Counter(str(line.get("exit")) for line in lines)), "jacobian": column_summary(every)}
    if judged and len({line["family"] for line in judged}) == 1:
        result["columns"] = {name: {**column_summary([line["columns"][name] for line in judged]), "methods": methods_of(judged, index - 1)}
                             for index, name in enumerate(judged[0]["columns"])}
    return result


def methods_of(lines, column):
    return dict(Counter(line["methods"][column] for line in lines if line["methods"] and 0 <= column < len(line["methods"])))


def text(value, form):
    return "–" if value is None else format(value, form)


def row(name, part, methods=""):
    share = "–" if part["share"] is None else f"{100 * part['share']:.1f} %"
    return (f"   {name:16}{part['entries']:>8}{share:>10}{text(part['rms_z'], '.2f'):>8}{text(part['largest_z'], '.1f'):>8}"
            f"{text(part['median_relative_error'], '.2g'):>10}   {methods}")


def print_document(document):
    print(f"\nrepeated, gfdt {document['gfdt_version']}: {document['pooled']['cases']} runs\n")
    print(f"   {'column':16}{'entries':>8}{'in 95 %':>10}{'rms z':>8}{'max z':>8}{'rel. err.':>10}   methods")
    for model, part in document["families"].items():
        exits = ", ".join(f"exit status {status} {count} times" for status, count in part["exits"].items())
        print(f"{model}: {exits}; {part['cpu_seconds'].get('median', 0):.1f} s per run")
        for name, column in part.get("columns", {}).items():
            print(row(name, column, ", ".join(f"{count} {method}" for method, count in column["methods"].items())))
    print(row("all parameters", document["pooled"]["jacobian"]))
    for case in document["failures"]:
        print(f"\n{case['class']}: {case['command']}\n   {json.dumps(case.get('worst'))} {case.get('reason', '')[:300]}")


def show(gfdt, model, seed, folder, cache):
    problem, answer = fixed_problem(model)
    print(problem_text(problem))
    outcome = run_gfdt(gfdt, "jacobian", problem, seed, folder, cache)
    print(" ".join(outcome.command), f"\nexact statistics: {answer.statistics}\nexact Jacobian:\n{answer.jacobian}")
    print(json.dumps(line_of(model, seed, problem, answer, outcome), indent=1))


def cases_of(options):
    return [(model, options.seed + i) for model in options.models for i in range(options.seeds)]


def add_options(parser):
    parser.add_argument("--seeds", type=int, default=16, help="number of runs per model")
    parser.add_argument("--models", nargs="+", choices=list(MODELS), default=list(MODELS))
