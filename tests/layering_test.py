"""Includes point one way: a folder of src/gfdt includes only itself and the folders before it in the list of its CMakeLists."""

import re
import sys
from pathlib import Path

# Scores are estimated from samples: what fits them must not look at formulas.
BLIND = {"network": {"expression", "model", "simulate"}, "score": {"expression", "model", "simulate"}}

SOURCE = Path(__file__).parent.parent / "src" / "gfdt"


def main():
    order = re.search(r"foreach\(folder ([^)]*)\)", (SOURCE / "CMakeLists.txt").read_text()).group(1).split()
    folders = sorted(path.name for path in SOURCE.iterdir() if path.is_dir())
    wrong = [f"src/gfdt/{name} is not in the list of src/gfdt/CMakeLists.txt" for name in folders if name not in order]
    included = 0
    for file in SOURCE.glob("*/*.[hc]pp"):
        here = order.index(file.parent.name)
        for target in re.findall(r'#include "gfdt/(\w+)/', file.read_text()):
            included += 1
            if target not in order or order.index(target) > here:
                wrong.append(f"{file.relative_to(SOURCE)} includes {target}/, which comes after {file.parent.name}/")
            if target in BLIND.get(file.parent.name, ()):
                wrong.append(f"{file.relative_to(SOURCE)} includes {target}/, which {file.parent.name}/ must not see")
    assert included > 100, "the test does not see the includes"
    print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
