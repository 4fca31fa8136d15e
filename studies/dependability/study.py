"""How dependable the default path of gfdt is, on random problems with exact answers.

usage: study.py GFDT jacobian|calibrate --count N --seed S [--jobs J] [--families F ...] [--out FILE]
       study.py GFDT repeated [--seeds N] [--seed S] [--jobs J] [--models M ...] [--out FILE]
       study.py GFDT curved [--count N] [--seed S] [--jobs J] [--out FILE]
       study.py GFDT sample [--jobs J]
       study.py GFDT show FAMILY|MODEL SEED [--command jacobian|calibrate]

Every problem is reproducible from its family and seed. Results are appended to FILE as JSON lines, and a study that was interrupted
continues from there; FILE with the ending .json holds the summary. `repeated` runs fixed models with many seeds, `curved` calibrates a model
whose statistics curve; both append their results to FILE with the ending .jsonl. `sample` is a fixed small study that ends with status 1
where a run is wrong silently, crashed or hung.
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
import curved  # noqa: E402
import jacobian_study  # noqa: E402
import repeated  # noqa: E402
from campaign import run_campaign  # noqa: E402
from curved_problem import FAMILY as CURVED_FAMILY  # noqa: E402
from fixed_models import MODELS  # noqa: E402
from generate import FAMILIES  # noqa: E402
from sample import run_sample  # noqa: E402
from summary import print_summary, summarize, write_summary  # noqa: E402

STUDIES = {"jacobian": jacobian_study, "calibrate": calibrate_study}
FIXED = {"repeated": repeated, "curved": curved}


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
    for name, module in FIXED.items():
        study = commands.add_parser(name)
        module.add_options(study)
        study.add_argument("--seed", type=int, default=1, help="first seed; the others follow")
        study.add_argument("--jobs", type=int, default=os.cpu_count())
        study.add_argument("--out", type=Path, default=Path(f"{name}.json"))
        study.add_argument("--time-limit", type=float, default=300.0, help="seconds per run")
    sample = commands.add_parser("sample")
    sample.add_argument("--jobs", type=int, default=os.cpu_count())
    show = commands.add_parser("show")
    show.add_argument("family", choices=[*FAMILIES, *MODELS, CURVED_FAMILY])
    show.add_argument("problem_seed", type=int)
    show.add_argument("--command", choices=[*STUDIES, *FIXED], default="jacobian", help="fixed models have one command only")
    show.add_argument("--folder", type=Path, help="keep the problem file and the results here")
    return parser.parse_args()


def study_of(family, command):
    if family in MODELS:
        return repeated
    return curved if family == CURVED_FAMILY else STUDIES[command]


def cases_of(options):
    if options.task in FIXED:
        return FIXED[options.task].cases_of(options)
    return [(options.families[i % len(options.families)], options.seed + i // len(options.families)) for i in range(options.count)]


def main():
    options = parse()
    gfdt = options.gfdt.resolve()
    if not gfdt.is_file():
        sys.exit(f"'{gfdt}' does not exist.")
    folder = Path(tempfile.mkdtemp(prefix="gfdt-dependability-"))
    try:
        if options.task == "show":
            study = study_of(options.family, options.command)
            study.show(gfdt, options.family, options.problem_seed, options.folder or folder / "show", folder / "cache")
            return 0
        if options.task == "sample":
            return 1 if run_sample(gfdt, options.jobs, folder) else 0
        study = {**STUDIES, **FIXED}[options.task]
        kept = options.out.with_suffix(".jsonl") if options.task in FIXED else options.out
        lines = run_campaign(study.run_case, gfdt, cases_of(options), kept, options.jobs, folder, options.time_limit)
        document = summarize(options.task, study, lines, sys.argv)
        write_summary(document, options.out.with_suffix(".json"))
        getattr(study, "print_document", print_summary)(document)
        return 0
    except KeyboardInterrupt:
        print("Interrupted. The same command resumes the study.", file=sys.stderr)
        return 130
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
