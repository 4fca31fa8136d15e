"""What becomes of gfdt when it is killed, disks fail, files are damaged, inputs are mutated, outputs cannot be written, or ranks die.

usage: study.py GFDT [PART ...] [--places N] [--jobs N] [--case NAME] [--keep FOLDER] [--mpiexec PROGRAM] [--out FILE.json]

Prints a table per part, and ends with status 1 where a case did not end as wanted. With --case only the cases whose names contain NAME run,
and --keep keeps the files of the last one. All random numbers have fixed seeds.
"""

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import corruption  # noqa: E402
import disk_errors  # noqa: E402
import kill  # noqa: E402
import mutated_inputs  # noqa: E402
import outputs  # noqa: E402
import rank_grid  # noqa: E402
from campaign import Campaign, Skipped, print_table, run_cases, summary  # noqa: E402

PARTS = {"kill": kill, "disk-errors": disk_errors, "corruption": corruption, "mutated-inputs": mutated_inputs, "outputs": outputs, "ranks": rank_grid}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gfdt", type=Path)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"all when left out: {', '.join(PARTS)}")
    parser.add_argument("--places", type=int, help="cases of each kind, spread evenly; all when left out")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--case", help="only cases whose names contain this")
    parser.add_argument("--keep", type=Path, help="keep the files of a case here")
    parser.add_argument("--mpiexec", default="mpirun")
    parser.add_argument("--out", type=Path, help="results as JSON; parts that are not run keep theirs")
    options = parser.parse_args()
    for part in options.parts:
        if part not in PARTS:
            parser.error(f"there is no part '{part}'; parts are {', '.join(PARTS)}")
    return options


def run_part(campaign, part, options):
    start = time.monotonic()
    cases = [case for case in PARTS[part].cases(campaign) if not options.case or options.case in case.name]
    lines = run_cases(campaign, part, cases, 1 if campaign.keep else options.jobs)
    return summary(lines) | {"wall_seconds": round(time.monotonic() - start, 1), "places": options.places}


def main():
    options = parse()
    gfdt = options.gfdt.resolve()
    if not gfdt.is_file():
        sys.exit(f"'{gfdt}' does not exist.")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = Path(tempfile.mkdtemp(prefix="gfdt-faults-"))
    kept = json.loads(options.out.read_text()) if options.out and options.out.exists() else {}
    bad = 0
    try:
        campaign = Campaign(gfdt, folder, options.places, options.mpiexec, options.keep)
        for part in options.parts or PARTS:
            try:
                kept[part] = run_part(campaign, part, options)
            except Skipped as skipped:
                print(f"{part}: skipped: {skipped}")
                continue
            print_table(part, kept[part])
            bad += sum(kept[part]["not_as_wanted"].values())
            if options.out:
                text = json.dumps(kept, indent=1, ensure_ascii=False) + "\n"
                options.out.write_text(text, encoding="utf-8")
        return 1 if bad else 0
    except KeyboardInterrupt:
        return 130
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
