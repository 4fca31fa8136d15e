"""A fixed small sample for the test suite: about a minute on two cores.

Cases were chosen for being short and for covering all families; what became of them did not matter. Those of REGRESSIONS have been wrong
without a failed check.
"""

import jacobian_study
import calibrate_study
from campaign import run_campaign
from classify import CRASHED, HUNG, SILENT

JACOBIAN = {
    "one-dimensional": [3, 5, 8, 9, 10],
    "linear": [2, 4, 5, 8, 10, 15],
    "gibbs": [2, 4, 7, 14],
    "lattice": [6, 7, 8, 10],
    "planar": [3, 5, 8, 9, 12],
    "units": [110, 118],
}
REGRESSIONS = {"one-dimensional": [30104, 30178], "gibbs": [43015]}
CALIBRATE = {"one-dimensional": [2], "linear": [2], "gibbs": [1], "planar": [1]}
BAD = {SILENT, CRASHED, HUNG, "harness error"}
TIME_LIMIT = 120.0


def run_sample(gfdt, jobs, folder):
    """Prints what became of each run; returns the number of those that are wrong silently, crashed or hung."""
    bad = 0
    for study, name, sets in ((jacobian_study, "jacobian", (JACOBIAN, REGRESSIONS)), (calibrate_study, "calibrate", (CALIBRATE,))):
        cases = [(family, seed) for seeds in sets for family, own in seeds.items() for seed in own]
        lines = study.expand(run_campaign(study.run_case, gfdt, cases, folder / f"{name}.jsonl", jobs, folder, TIME_LIMIT))
        for line in lines:
            if line["class"] in BAD:
                bad += 1
                print(f"{line['class']}: study.py GFDT show {line['family']} {line['seed']} --command {name}: {line.get('worst') or line.get('reason')}")
        counts = {kind: sum(line["class"] == kind for line in lines) for kind in sorted({line["class"] for line in lines})}
        print(f"{name}: {counts}")
    return bad
