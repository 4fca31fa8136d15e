"""What became of a run of `gfdt jacobian`, judged by the exact answer and by what the program reports in its JSON.

Verdicts of the program are taken from the exit status and from `findings` (`passed`), never from text.
"""

from dataclasses import dataclass, field

import numpy as np
from scipy import stats

RIGHT, REFUSED, WARNED, SILENT, CRASHED, HUNG = "right", "refused", "wrong with a failed check", "wrong silently", "crashed", "hung"
NOT_JUDGED = "not judged"   # there is no exact answer to compare with
CLASSES = [RIGHT, REFUSED, WARNED, SILENT, CRASHED, HUNG, NOT_JUDGED]
LIMIT = 4.0   # standard errors, beyond which an entry is wrong


@dataclass
class Verdict:
    kind: str
    reason: str = ""
    failed_checks: list = field(default_factory=list)
    worst: dict = field(default_factory=dict)
    missing: int = 0                                   # entries that the program left out
    entries: int = 0                                   # entries and statistics that it reports
    details: list = field(default_factory=list)        # of each entry and statistic that it reports, see `detail`


def array(values, shape):
    """Numbers of the JSON with null as NaN; NaN everywhere when they are missing."""
    if values is None:
        return np.full(shape, np.nan)
    numbers = np.array(values, dtype=float)
    return numbers if numbers.shape == shape else np.full(shape, np.nan)


def freedom(document, shape):
    """Degrees of freedom: one number for all entries, or one for each; infinite when missing."""
    given = np.array(document.get("degrees_of_freedom"), dtype=float)
    return np.where(np.isfinite(given), np.maximum(given, 1.0), np.inf) * np.ones(shape) if given.ndim == 0 or given.shape == shape \
        else np.full(shape, np.inf)


def quantile(normal, degrees):
    """The Student t that is exceeded as often as `normal` is by a standard normal."""
    return np.where(np.isinf(degrees), normal, stats.t.isf(stats.norm.sf(normal), np.where(np.isinf(degrees), 1e9, degrees)))


def compare(value, error, truth, truth_error, degrees):
    """Ratio of the difference to the combined error, and which entries count."""
    known = np.isfinite(value) & np.isfinite(error)
    combined = np.hypot(np.where(known, error, 1.0), truth_error)
    ratio = np.where(known, (np.where(known, value, 0.0) - truth) / combined, 0.0)
    return known, ratio, known & (np.abs(ratio) >= quantile(LIMIT, degrees)), known & (np.abs(ratio) <= quantile(1.959963984540054, degrees))


def program_failure(outcome, needed):
    """A crash or a hang, or None. `needed`: keys that usable JSON has."""
    if outcome.exit is None:
        return Verdict(HUNG, "no end within the time limit")
    if outcome.exit not in (0, 1):
        text = f"signal {-outcome.exit}" if outcome.exit < 0 else f"exit status {outcome.exit}"
        return Verdict(CRASHED, f"{text}: {outcome.message[-400:]}")
    if outcome.exit == 0 and (outcome.document is None or any(key not in outcome.document for key in needed)):
        return Verdict(CRASHED, "exit status 0 without a readable result")
    return None


def failed_findings(document):
    return [finding for finding in document.get("findings", []) if not finding.get("passed", True)]


def reason_of(outcome, failures):
    if failures:
        return "; ".join(f"{finding['check']}: {finding['verdict']}" for finding in failures)[:600]
    return outcome.message.strip()[-400:]


def classify_jacobian(outcome, answer, observables, parameters):
    failure = program_failure(outcome, ["statistics", "jacobian"])
    if failure:
        return failure
    document = outcome.document or {}
    failures = failed_findings(document)
    shape = answer.jacobian.shape
    pairs = {
        "statistics": (array(document.get("statistics"), shape[:1]), array(document.get("statistics_error"), shape[:1]), answer.statistics,
                       answer.statistics_error, freedom(document, shape[:1]), array(document.get("statistics_sampling_error"), shape[:1])),
        "jacobian": (array(document.get("jacobian"), shape), array(document.get("jacobian_error"), shape), answer.jacobian,
                     answer.jacobian_error, freedom(document, shape), array(document.get("sampling_error"), shape)),
    }
    verdict = Verdict(RIGHT, failed_checks=[finding["check"] for finding in failures])
    any_wrong, worst = False, 0.0
    for kind, (value, error, truth, truth_error, degrees, sampling) in pairs.items():
        known, ratio, wrong, held = compare(value, error, truth, truth_error, degrees)
        any_wrong |= bool(np.any(wrong))
        verdict.missing += int(np.sum(~known))
        verdict.entries += int(np.sum(known))
        share = sampling / np.where(error > 0, error, np.inf)
        verdict.details += [detail(kind, document, place, value, error, truth_error, ratio, held, share) for place in zip(*np.nonzero(known))]
        if np.any(known) and np.max(np.abs(ratio)) > worst:
            place = np.unravel_index(np.argmax(np.abs(ratio)), ratio.shape)
            worst = float(np.abs(ratio[place]))
            verdict.worst = describe(kind, place, observables, parameters, document, (value, error, truth, truth_error, ratio))
    if any_wrong:
        verdict.kind = WARNED if failures or outcome.exit == 1 else SILENT
        verdict.reason = reason_of(outcome, failures)
    elif outcome.exit == 1 or verdict.entries == 0:
        verdict.kind, verdict.reason = REFUSED, reason_of(outcome, failures)
    return verdict


def detail(kind, document, place, value, error, truth_error, ratio, held, share):
    """What it is of, method, z, whether the interval holds the truth, error over value, error of the truth and sampling error over error."""
    if kind == "jacobian":
        method = (document.get("method") or ["?"] * 999)[place[1]]
    else:
        plain, own = ((document.get(key) or [None] * 999)[place[0]] for key in ("plain_statistics_error", "statistics_error"))
        method = "controlled average" if plain is not None and plain != own else "plain average"
    size = abs(value[place]) or 1.0
    numbers = [ratio[place], error[place] / size, truth_error[place] / max(error[place], 1e-300), share[place]]
    z, relative, of_truth, sampling = (float(f"{number:.3g}") for number in numbers)
    return {"of": list(map(int, place)), "kind": kind, "method": method, "z": z, "held": bool(held[place]), "error_over_value": relative,
            "truth_error_over_error": of_truth, "sampling_share": sampling}


def describe(kind, place, observables, parameters, document, numbers):
    entry = {"of": observables[place[0]]}
    if kind == "jacobian":
        entry["with respect to"] = parameters[place[1]]
        entry["method"] = (document.get("method") or [None] * len(parameters))[place[1]]
    return {**entry, **{key: float(f"{number[place]:.6g}") for key, number in zip(("value", "error", "truth", "truth_error", "z"), numbers)}}
