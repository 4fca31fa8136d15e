"""The study of `gfdt calibrate`: one problem, two guesses, two runs."""

import json

import numpy as np

from calibration import Objective, covariance_distance
from calibration_problem import calibration_problem
from classify import CLASSES
from classify_calibration import classify_calibration, reported_errors
from run import run_gfdt
from toml_text import problem_text

CLOSE = 0.3     # posterior standard errors per determined direction: two answers that agree
LITTLE = 0.05   # share of simulation noise in the variance of a mismatch that hardly moves an answer


def run_case(gfdt, family, seed, folder, cache, time_limit):
    case = calibration_problem(family, seed)
    runs, documents = [], []
    for index, problem in enumerate(case.problems):
        outcome = run_gfdt(gfdt, "calibrate", problem, 2 * seed + index, folder / f"guess{index}", cache, time_limit)
        result = classify_calibration(outcome, case)
        document = outcome.document or {}
        result.update(wall_seconds=round(outcome.wall_seconds, 2), cpu_seconds=round(outcome.cpu_seconds, 2),
                      version=(document.get("provenance") or {}).get("version"), guess=[problem.parameters[name].value for name in problem.free])
        runs.append(result)
        documents.append(document)
    first = case.problems[0]
    worst = max(runs, key=lambda run: CLASSES.index(run["class"]))
    return {"family": family, "seed": seed, "kind": first.kind, "class": worst["class"], "runs": runs, "pair_distance": pair_distance(case, runs, documents),
            "cpu_seconds": sum(run["cpu_seconds"] for run in runs), "version": worst.get("version"), "notes": first.notes}


def pair_distance(case, runs, documents):
    """Between the two answers, where both are claimed to have converged."""
    if not all(run.get("exit") == 0 and document.get("converged") and run.get("answer") for run, document in zip(runs, documents)):
        return None
    answers = [np.array(run["answer"]) for run in runs]
    errors = [reported_errors(document, case) for document in documents]
    known = all(error is not None and np.all(np.isfinite(error)) for error in errors)
    objective = Objective(case, np.mean(np.square(errors), axis=0) if known else None)
    minimum = objective.minimum(case.start)
    if minimum is None:
        return None
    if minimum.whole:
        distances = [covariance_distance(answers[0] - answers[1], document.get("parameters_covariance")) for document in documents]
        if all(distance is not None for distance in distances):
            return float(np.sqrt(np.prod(distances)))
    return objective.distance(minimum, answers[0], answers[1])


def expand(lines):
    """One line per run."""
    return [{**{key: line[key] for key in ("family", "seed", "kind", "notes")}, **run, "guess_number": index}
            for line in lines if "runs" in line for index, run in enumerate(line["runs"])] + [line for line in lines if "runs" not in line]


def quantiles(values):
    return {str(q): float(np.quantile(values, q)) for q in (0.1, 0.5, 0.9, 0.95, 1.0)} if values else {}


def summary_of(lines):
    """`lines`: of runs, by `expand`."""
    claimed = [line for line in lines if line.get("exit") == 0 and line.get("distance") is not None]
    held = [line["held"] for line in lines if line.get("held")]
    pooled = [sum(part) for part in zip(*held)] if held else [0, 0]
    precise = [line["distance"] for line in claimed if line["simulation_share"] < LITTLE]
    return {
        "coverage": {"parameters": {"held": pooled[0], "judged": pooled[1], "share": pooled[0] / pooled[1] if pooled[1] else None}},
        "distances": {"all": quantiles([line["distance"] for line in claimed]), "little simulation noise": quantiles(precise),
                      "beyond 0.5": sum(d > 0.5 for d in precise), "of": len(precise)},
        "error_ratio": quantiles([ratio for line in claimed for ratio in line.get("error_ratio", [])]),
        "statuses": {str(status): sum(line.get("status") == status for line in lines) for status in {line.get("status") for line in lines}},
        "reachable_but_refused": sum(line["class"] == "refused" and bool(line.get("reachable")) for line in lines),
    }


def pairs_of(lines):
    """Pairs whose answers belong to different exact minima are counted, but are no errors of the search."""
    both = [line for line in lines if line.get("pair_distance") is not None]
    minima = lambda line: {bool(run.get("other_minimum")) for run in line["runs"]}
    same = [line for line in both if len(minima(line)) == 1]
    distances = [line["pair_distance"] for line in same]
    precise = [line["pair_distance"] for line in same if all(run["simulation_share"] < LITTLE for run in line["runs"])]
    return {"pairs": len(both), "of different minima": len(both) - len(distances), f"within {CLOSE}": sum(d <= CLOSE for d in distances),
            "little simulation noise": {"pairs": len(precise), f"within {CLOSE}": sum(d <= CLOSE for d in precise)}, "quantiles": quantiles(distances),
            "apart": [{"family": line["family"], "seed": line["seed"], "distance": line["pair_distance"]} for line in both if line["pair_distance"] > CLOSE]}


def show(gfdt, family, seed, folder, cache):
    case = calibration_problem(family, seed)
    print(problem_text(case.problems[0]))
    print(f"truth: {dict(zip(case.problems[0].free, case.theta[case.free]))}")
    minimum = Objective(case).minimum(case.start)
    if minimum is not None:
        print(f"exact minimum: {minimum.parameters}, errors {minimum.errors}, chi square {minimum.chi_square:.3g}, p = {minimum.p_value:.3g}, "
              f"singular values {minimum.singular_values}")
    line = run_case(gfdt, family, seed, folder, cache, 300.0)
    for run in line["runs"]:
        print(json.dumps(run, indent=1))
    print(f"distance between the two answers: {line['pair_distance']}\n{line['class']}")
