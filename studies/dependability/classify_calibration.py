"""What became of a run of `gfdt calibrate`, judged by the exact minimiser of its objective."""

import numpy as np
from scipy import stats

from calibration import Objective, covariance_distance
from classify import CRASHED, NOT_JUDGED, REFUSED, RIGHT, SILENT, WARNED, program_failure

FAR = 1.0             # posterior standard errors per determined direction, beyond which an answer is wrong
ACCEPTABLE = 1e-3     # p-value of another local minimum that counts as an answer


def classify_calibration(outcome, case):
    """A dictionary: class, status, distances, and whether the truth lies in the intervals."""
    failure = program_failure(outcome, ["status", "parameters"])
    if failure:
        return {"class": failure.kind, "reason": failure.reason, "exit": outcome.exit}
    document = outcome.document
    if document is None:
        return {"class": REFUSED, "reason": outcome.message.strip()[-400:], "exit": outcome.exit, "status": None}
    names = case.problems[0].free
    answer = np.array([np.nan if document["parameters"].get(name) is None else document["parameters"][name] for name in names], dtype=float)
    result = {"class": REFUSED, "exit": outcome.exit, "status": document.get("status"), "reason": document.get("explanation", "")[:400],
              "answer": [float(f"{value:.6g}") for value in answer], "steps": len(document.get("iterations", []))}
    if not np.all(np.isfinite(answer)):
        if outcome.exit == 0:
            result.update({"class": CRASHED, "reason": "success without parameters"})
        return result
    result.update(measure(document, case, answer, names))
    if outcome.exit == 0:
        allowed = max(FAR, 4 * np.sqrt(result["simulation_share"]))
        distance = result["distance"]
        warned = any(iteration.get("warnings") for iteration in document.get("iterations", [])[-1:])
        if distance is None:
            result["class"] = NOT_JUDGED
        else:
            result["class"] = RIGHT if distance <= allowed else WARNED if warned else SILENT
    return result


def simulation_share(document, case):
    """The largest share of simulation noise in the variance of a mismatch."""
    names = list(case.problems[0].observables)
    errors = reported_errors(document, case)
    return 1.0 if errors is None or len(names) == 0 else float(np.max(errors**2 / (errors**2 + case.std**2)))


def reported_errors(document, case):
    """Of the statistics that have targets, in the order of the targets; None where they are not known."""
    names = list(case.problems[0].observables)
    order = (document.get("targets") or {}).get("observables")
    values = document.get("statistics_error")
    if not values or not order or any(value is None for value in values):
        return None
    table = dict(zip(order if len(order) == len(values) else names, values))
    return np.array([table.get(names[i], np.nan) for i in case.rows], dtype=float)


def measure(document, case, answer, names):
    """Distances to the exact minimiser. Of several local minima that fit, the nearest counts."""
    errors = reported_errors(document, case)
    known = errors is not None and np.all(np.isfinite(errors))
    objective = Objective(case, errors**2 if known else None)
    minima = [objective.minimum(case.start)]
    best = distances(objective, minima[0], answer, document, names)
    share = simulation_share(document, case) if known else 1.0
    if best["distance"] is None or best["distance"] > FAR:
        minima.append(objective.minimum(answer))
        other = distances(objective, minima[1], answer, document, names)
        if other["distance"] is not None and minima[1].p_value > ACCEPTABLE and (best["distance"] is None or other["distance"] < best["distance"]):
            best = {**other, "other_minimum": True, "chi_square_of_other": minima[1].chi_square}
    truth = minima[0]
    best.update(simulation_share=share, minimum=None if truth is None else [float(f"{v:.6g}") for v in truth.parameters],
                chi_square_of_minimum=None if truth is None else truth.chi_square, reachable=truth is not None and truth.p_value > ACCEPTABLE)
    if case.noisy and "other_minimum" not in best and truth is not None:
        best["held"] = coverage(document, case, names, truth)
    return best


def distances(objective, minimum, answer, document, names):
    if minimum is None:
        return {"distance": None}
    exact = objective.distance(minimum, answer)
    reported = covariance_distance(answer - minimum.parameters, document.get("parameters_covariance")) if minimum.whole else None
    result = {"distance": exact if reported is None else reported, "exact_distance": exact, "reported_distance": reported,
              "determined": len(minimum.directions)}
    errors = [document["parameters_error"].get(name) for name in names]
    if minimum.whole and all(error is not None for error in errors):
        result["error_ratio"] = [float(f"{error / exact:.3g}") for error, exact in zip(errors, minimum.errors)]
    return result


def coverage(document, case, names, minimum):
    """[held, judged]: parameters that are determined and have an interval."""
    held = judged = 0
    if not minimum.whole:
        return [0, 0]
    width = 1.959963984540054
    degrees = document.get("degrees_of_freedom")
    if degrees:
        width = float(stats.t.ppf(0.975, max(degrees, 1.0)))
    intervals = document.get("parameters_interval") or {}
    for index, name in enumerate(names):
        error, truth = document["parameters_error"].get(name), case.theta[case.free[index]]
        if error is None or case.free[index] in case.priors:
            continue
        lower, upper = intervals.get(name) or (document["parameters"][name] - width * error, document["parameters"][name] + width * error)
        judged += 1
        held += (lower is None or lower <= truth) and (upper is None or truth <= upper)
    return [int(held), judged]
