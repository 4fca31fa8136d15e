"""The study of curved calibrations: does the truth lie in the regions and intervals that are reported, and does the program warn where not?

The truth is in 95 % of the regions {θ: χ²(θ) − χ²_min ≤ limit} by construction, as there are as many targets as parameters. The Gaussian region of
a covariance is an approximation, which `curvature` in the JSON judges.
"""

import json
from collections import Counter

import numpy as np
from scipy import stats

from calibration import Objective
from classify_calibration import classify_calibration
from curved_problem import FAMILY, FREE, curved_problem
from run import run_gfdt
from toml_text import problem_text

TOLERABLE = 0.3     # of `curvature`, above which the program calls standard errors rough
CONFIDENCE = 0.95
WARNED, TRUSTED, UNMEASURED = "warned", "trusted", "not measured"


def run_case(gfdt, family, seed, folder, cache, time_limit):
    case = curved_problem(seed)
    return line_of(seed, case, run_gfdt(gfdt, "calibrate", case.problems[0], seed, folder, cache, time_limit))


def line_of(seed, case, outcome):
    result, document = classify_calibration(outcome, case), outcome.document or {}
    result.update(family=FAMILY, seed=seed, notes=case.problems[0].notes, truth=[float(value) for value in case.theta[case.free]],
                  wall_seconds=round(outcome.wall_seconds, 2), cpu_seconds=round(outcome.cpu_seconds, 2),
                  version=(document.get("provenance") or {}).get("version"), exact=exact_regions(case))
    if outcome.exit == 0 and all((document.get("parameters") or {}).get(name) is not None for name in FREE):
        result["regions"] = regions(document, case.theta[case.free])
    return result


def squared_limit(count, degrees):
    """Hotelling's T² at the level of confidence; χ² where the degrees of freedom are infinite."""
    if degrees is None or not np.isfinite(degrees):
        return float(stats.chi2.ppf(CONFIDENCE, count))
    left = degrees - count + 1
    return float(count * degrees / left * stats.f.ppf(CONFIDENCE, count, left)) if left > 0 else np.inf


def squared_distance(difference, covariance):
    """δᵀP⁻¹δ, or None where P is not known or not positive."""
    matrix = np.array(covariance, dtype=float)
    if matrix.shape != (len(difference), len(difference)) or not np.all(np.isfinite(matrix)):
        return None
    try:
        return float(np.sum(np.linalg.solve(np.linalg.cholesky(matrix), difference) ** 2))
    except np.linalg.LinAlgError:
        return None


def within(lower, value, upper):
    return bool((lower is None or lower <= value) and (upper is None or value <= upper))


def regions(document, truth):
    """Whether the truth lies in the joint region, in the marginal intervals of the standard errors, and in `parameters_interval`."""
    answer = np.array([document["parameters"][name] for name in FREE], dtype=float)
    degrees = document.get("degrees_of_freedom")
    distance = squared_distance(truth - answer, document.get("parameters_covariance"))
    width = float(stats.t.ppf((1 + CONFIDENCE) / 2, degrees)) if degrees else float(stats.norm.ppf((1 + CONFIDENCE) / 2))
    errors, intervals = document.get("parameters_error") or {}, document.get("parameters_interval") or {}
    marginal = [bool(abs(t - value) <= width * errors[name]) for name, value, t in zip(FREE, answer, truth) if errors.get(name) is not None]
    following = [within(intervals[name][0], t, intervals[name][1]) for name, t in zip(FREE, truth) if name in intervals]
    return {"trust": trust(document), "curvature": document.get("curvature"), "squared_distance": distance,
            "joint": None if distance is None else bool(distance <= squared_limit(len(FREE), degrees)), "marginal": marginal, "interval": following}


def trust(document):
    """Without measured curvature there are no intervals; a curvature that is null beside intervals is infinite."""
    if not document.get("parameters_interval"):
        return UNMEASURED
    curvature = document.get("curvature")
    return WARNED if curvature is None or curvature > TOLERABLE else TRUSTED


def exact_regions(case):
    """The same with exact statistics: the region by χ², and the Gaussian one at the exact minimum."""
    objective, truth, limit = Objective(case), case.theta[case.free], squared_limit(len(FREE), None)
    jacobian = objective.jacobian(case.start)
    return {"likelihood": bool(np.sum(objective.residual(truth) ** 2) <= limit),
            "gaussian": bool(np.sum((jacobian @ (truth - case.start)) ** 2) <= limit)}


def expand(lines):
    return lines


def counted(values):
    known = [value for value in values if value is not None]
    return [int(sum(known)), len(known)]


def group(lines):
    """[held, judged] of each region, and quantiles of the curvature."""
    own = [line["regions"] for line in lines]
    curvatures = [region["curvature"] for region in own if region["curvature"] is not None]
    return {"cases": len(lines), "joint": counted([region["joint"] for region in own]),
            "marginal": counted([held for region in own for held in region["marginal"]]),
            "interval": counted([held for region in own for held in region["interval"]]),
            "exact likelihood": counted([line["exact"]["likelihood"] for line in lines]),
            "exact gaussian": counted([line["exact"]["gaussian"] for line in lines]),
            "curvature": [float(np.quantile(curvatures, q)) for q in (0, 0.5, 1)] if curvatures else None}


def summary_of(lines):
    answered = [line for line in lines if line.get("regions")]
    groups = {name: [line for line in answered if line["regions"]["trust"] == name] for name in (WARNED, TRUSTED, UNMEASURED)}
    return {"exits": dict(Counter(str(line.get("exit")) for line in lines)), "statuses": dict(Counter(str(line.get("status")) for line in lines)),
            "regions": {**{name: group(own) for name, own in groups.items() if own}, "all": group(answered)}}


def print_document(document):
    part = document["pooled"]
    print(f"\ncurved, gfdt {document['gfdt_version']}: {part['cases']} calibrations, {part['classes']}, exit status {part['exits']}\n"
          f"Truths within 95 % regions:\n")
    columns = ("joint", "marginal", "interval", "exact likelihood", "exact gaussian")
    print(f"{'':14}{'cases':>6}" + "".join(f"{name:>18}" for name in columns) + f"{'curvature':>24}")
    for name, row in part["regions"].items():
        curvature = "–" if row["curvature"] is None else " to ".join(f"{value:.2f}" for value in row["curvature"][::2])
        print(f"{name:14}{row['cases']:>6}" + "".join(f"{'{} of {}'.format(*row[column]):>18}" for column in columns) + f"{curvature:>24}")
    print(f"\n{part['cpu_seconds'].get('median', 0):.1f} s per calibration")
    for case in document["failures"]:
        print(f"\n{case['class']}: {case['command']}\n   {case.get('reason', '')[:300]}")


def show(gfdt, family, seed, folder, cache):
    case = curved_problem(seed)
    print(problem_text(case.problems[0]))
    outcome = run_gfdt(gfdt, "calibrate", case.problems[0], seed, folder, cache)
    print(" ".join(outcome.command))
    print(json.dumps(line_of(seed, case, outcome), indent=1))


def cases_of(options):
    return [(FAMILY, options.seed + i) for i in range(options.count)]


def add_options(parser):
    parser.add_argument("--count", type=int, default=40, help="number of calibrations")
