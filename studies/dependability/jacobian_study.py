"""The study of `gfdt jacobian`: one problem, one run, one verdict."""

from dataclasses import asdict

import numpy as np

from classify import classify_jacobian
from generate import jacobian_problem
from run import run_gfdt
from toml_text import problem_text


def run_case(gfdt, family, seed, folder, cache, time_limit):
    problem, answer = jacobian_problem(family, seed)
    outcome = run_gfdt(gfdt, "jacobian", problem, seed, folder, cache, time_limit)
    return line_of(problem, outcome, classify_jacobian(outcome, answer, list(problem.observables), problem.free or problem.names))


def line_of(problem, outcome, verdict):
    values = asdict(verdict)
    document = outcome.document or {}
    return {"family": problem.family, "seed": problem.seed, "kind": problem.kind, "class": values.pop("kind"), **values, "exit": outcome.exit,
            "methods": document.get("method"), "wall_seconds": round(outcome.wall_seconds, 2), "cpu_seconds": round(outcome.cpu_seconds, 2),
            "version": (document.get("provenance") or {}).get("version"), "notes": problem.notes}


def show(gfdt, family, seed, folder, cache):
    problem, answer = jacobian_problem(family, seed)
    print(problem_text(problem))
    outcome = run_gfdt(gfdt, "jacobian", problem, seed, folder, cache)
    parameters = problem.free or problem.names
    verdict = classify_jacobian(outcome, answer, list(problem.observables), parameters)
    document = outcome.document or {}
    print(" ".join(outcome.command), f"\nexit {outcome.exit}, {outcome.cpu_seconds:.1f} s of CPU time")
    for finding in document.get("findings", []):
        if not finding["passed"] or not finding.get("judged", True):
            print(f"{'failed' if not finding['passed'] else 'not judged'}: {finding['check']}: {finding['verdict']}")
    print(f"notes: {problem.notes}\n\n{'entry':44} {'reported':>13} {'error':>10} {'exact':>13} {'its error':>10} {'z':>8}  method")
    for i, name in enumerate(problem.observables):
        print_row(f"<{name}>", document.get("statistics"), document.get("statistics_error"), i, answer.statistics[i], answer.statistics_error[i], "")
    for i, name in enumerate(problem.observables):
        for j, parameter in enumerate(parameters):
            value, error = ((document.get(key) or [None] * 99)[i] for key in ("jacobian", "jacobian_error"))
            print_row(f"d<{name}>/d{parameter}", value, error, j, answer.jacobian[i, j], answer.jacobian_error[i, j],
                      (document.get("method") or [""] * 99)[j])
    print(f"\n{verdict.kind}{': ' if verdict.reason else ''}{verdict.reason}\nworst: {verdict.worst}")


def print_row(name, values, errors, index, truth, truth_error, method):
    value, error = (None if numbers is None else numbers[index] for numbers in (values, errors))
    if value is None or error is None:
        print(f"{name:44} {'missing':>13} {'':>10} {truth:13.6g} {truth_error:10.2g} {'':>8}  {method}")
        return
    ratio = (value - truth) / np.hypot(error, truth_error)
    print(f"{name:44} {value:13.6g} {error:10.2g} {truth:13.6g} {truth_error:10.2g} {ratio:8.2f}  {method}")


def expand(lines):
    return lines


MOSTLY_SAMPLED = 0.5 ** 0.5   # of a standard error: half of its square is sampling noise


def counted(details):
    held, judged = sum(entry["held"] for entry in details), len(details)
    return {"held": held, "judged": judged, "share": held / judged if judged else None}


def coverage(lines):
    """How many 95 % intervals hold the truth: of statistics and of entries, and of both by what dominates the standard error, sampling noise
    or bounds of systematic errors."""
    details = [entry for line in lines for entry in line.get("details", [])]
    return {"statistics": counted([entry for entry in details if entry["kind"] == "statistics"]),
            "jacobian": counted([entry for entry in details if entry["kind"] == "jacobian"]),
            "sampled": counted([entry for entry in details if entry["sampling_share"] >= MOSTLY_SAMPLED]),
            "bounded": counted([entry for entry in details if not entry["sampling_share"] >= MOSTLY_SAMPLED])}


def by_method(lines):
    """Coverage and quantiles of |z| of each method."""
    parts = {}
    for entry in (entry for line in lines for entry in line.get("details", [])):
        dominated = "sampled" if entry["sampling_share"] >= MOSTLY_SAMPLED else "bounded"
        parts.setdefault(f"{entry['method']}, {dominated}", []).append(entry)
    quantiles = (0.5, 0.9, 0.95, 0.99, 1.0)
    return {name: {**counted(own), "z_quantiles": {str(q): float(f"{np.quantile([abs(entry['z']) for entry in own], q):.3g}") for q in quantiles}}
            for name, own in sorted(parts.items())}


def summary_of(lines):
    clean = [line for line in lines if line.get("exit") == 0 and not line.get("failed_checks")]
    return {"coverage": coverage(lines), "coverage_without_failed_checks": coverage(clean), "methods": by_method(lines),
            "entries_left_out": sum(line.get("missing", 0) for line in lines)}
