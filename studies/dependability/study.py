"""How dependable the default path of gfdt is, on random problems with exact answers.

usage: study.py GFDT jacobian|calibrate --count N --seed S [--jobs J] [--families F ...] [--out FILE]
       study.py GFDT sample [--jobs J]
       study.py GFDT show FAMILY SEED [--command jacobian|calibrate]

Every problem is reproducible from its family and seed. Results are appended to FILE as JSON lines, and a study that was interrupted
continues from there; FILE with the ending .json holds the summary. `sample` is a fixed small study that ends with status 1 where a run is
wrong silently, crashed or hung.
"""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")
sys.path.insert(0, str(Path(__file__).resolve().parent))

import calibrate_study  # noqa: E402
import jacobian_study  # noqa: E402
from campaign import run_campaign  # noqa: E402
from generate import FAMILIES  # noqa: E402
from sample import run_sample  # noqa: E402
from summary import print_summary, summarize, write_summary  # noqa: E402

STUDIES = {"jacobian": jacobian_study, "calibrate": calibrate_study}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gfdt", type=Path)
    commands = parser.add_subparsers(dest="task", required=True)
    for name in STUDIES:
        study = commands.add_parser(name)
        study.add_argument("--count", type=int, default=100, help="problems, spread over the families")
        study.add_argument("--seed", type=int, default=1, help="first seed; the others follow")
        study.add_argument("--jobs", type=int, default=os.cpu_count())
        study.add_argument("--families", nargs="+", choices=list(FAMILIES), default=list(FAMILIES))
        study.add_argument("--out", type=Path, default=Path(f"{name}.jsonl"))
        study.add_argument("--time-limit", type=float, default=300.0, help="seconds per run")
    sample = commands.add_parser("sample")
    sample.add_argument("--jobs", type=int, default=os.cpu_count())
    show = commands.add_parser("show")
    show.add_argument("family", choices=list(FAMILIES))
    show.add_argument("problem_seed", type=int)
    show.add_argument("--command", choices=list(STUDIES), default="jacobian")
    show.add_argument("--folder", type=Path, help="keep the problem file and the results here")
    return parser.parse_args()


def main():
    options = parse()
    gfdt = options.gfdt.resolve()
    if not gfdt.is_file():
        sys.exit(f"'{gfdt}' does not exist.")
    folder = Path(tempfile.mkdtemp(prefix="gfdt-dependability-"))
    try:
        if options.task == "show":
            STUDIES[options.command].show(gfdt, options.family, options.problem_seed, options.folder or folder / "show", folder / "cache")
            return 0
        if options.task == "sample":
            return 1 if run_sample(gfdt, options.jobs, folder) else 0
        study = STUDIES[options.task]
        cases = [(options.families[i % len(options.families)], options.seed + i // len(options.families)) for i in range(options.count)]
        lines = run_campaign(study.run_case, gfdt, cases, options.out, options.jobs, folder, options.time_limit)
        document = summarize(options.task, study, lines, gfdt, sys.argv)
        write_summary(document, options.out.with_suffix(".json"))
        print_summary(document)
        return 0
    except KeyboardInterrupt:
        print("Interrupted. The same command resumes the study.", file=sys.stderr)
        return 130
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
