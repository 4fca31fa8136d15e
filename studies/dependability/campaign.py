"""Many runs at once, with results that are kept as they come in."""

import json
import shutil
import signal
import sys
import traceback
from functools import partial
from multiprocessing import get_context


def guarded(run_case, gfdt, folder, time_limit, case):
    """An error of the harness itself is a result too: it must not end the study."""
    family, seed = case
    place = folder / f"{family}-{seed}"
    try:
        return run_case(gfdt, family, seed, place, folder / "cache", time_limit)
    except Exception:  # noqa: BLE001
        return {"family": family, "seed": seed, "class": "harness error", "reason": traceback.format_exc()[-1500:]}
    finally:
        shutil.rmtree(place, ignore_errors=True)


def prepare_worker():
    """Ctrl-C is for the main process, which terminates the workers; each then ends the run that it has started."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


def kept_lines(file, cases):
    """Results of earlier runs; a line that an interruption cut short is left out."""
    if not file.exists():
        return {}
    wanted, found = set(cases), {}
    for text in file.read_text().splitlines():
        try:
            line = json.loads(text)
        except ValueError:
            continue
        if (line["family"], line["seed"]) in wanted:
            found[line["family"], line["seed"]] = line
    return found


def run_campaign(run_case, gfdt, cases, file, jobs, folder, time_limit):
    """Runs what `file` does not hold yet, and returns the lines of all cases."""
    done = kept_lines(file, cases)
    open_cases = [case for case in cases if case not in done]
    if done:
        print(f"{len(done)} of {len(cases)} cases are in '{file}'.", file=sys.stderr)
    file.parent.mkdir(parents=True, exist_ok=True)
    work = partial(guarded, run_case, gfdt, folder, time_limit)
    with get_context("fork").Pool(jobs, prepare_worker) as pool, open(file, "a") as kept:
        if kept.tell() and not file.read_bytes().endswith(b"\n"):
            kept.write("\n")
        for number, line in enumerate(pool.imap_unordered(work, open_cases), 1):
            kept.write(json.dumps(line) + "\n")
            kept.flush()
            done[line["family"], line["seed"]] = line
            print(f"{number}/{len(open_cases)} {line['family']} {line['seed']}: {line['class']}"
                  f" ({line.get('cpu_seconds', 0):.1f} s)", file=sys.stderr, flush=True)
        # At the end of `with` idle workers are asked to end by a signal, which can be lost where they begin to wait.
        pool.close()
        pool.join()
    return [done[case] for case in cases]
