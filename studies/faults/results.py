"""What must be the same, to the last bit, however a result was computed."""

import json
from pathlib import Path


def without_cost(document):
    """All of a result but when, where and how fast it was computed."""
    if isinstance(document, dict):
        return {key: without_cost(value) for key, value in document.items() if "seconds" not in key and key not in ("provenance", "checksum")}
    return [without_cost(item) for item in document] if isinstance(document, list) else document


def read_json(file):
    """None where there is no such document."""
    try:
        return json.loads(Path(file).read_text())
    except (OSError, ValueError):
        return None


def files_of(folder):
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*") if not path.is_dir() or path.is_symlink())


def run_of(folder):
    """What a finished calibration is compared by: its documents and the names of its files."""
    folder = Path(folder)
    return {"result": without_cost(read_json(folder / "result.json")), "predictive": without_cost(read_json(folder / "predictive.json")),
            "files": files_of(folder)}


def differences(found, wanted, place=""):
    """The first places where two documents differ."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        for key in sorted(found.keys() | wanted.keys()):
            if key not in found or key not in wanted:
                yield f"{place}/{key} is {'missing' if key in wanted else 'new'}"
            else:
                yield from differences(found[key], wanted[key], f"{place}/{key}")
    elif isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        for index, pair in enumerate(zip(found, wanted)):
            yield from differences(*pair, f"{place}/{index}")
    elif found != wanted or type(found) is not type(wanted):
        yield f"{place} is {str(found)[:200]}, not {str(wanted)[:200]}"
