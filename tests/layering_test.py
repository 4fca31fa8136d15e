"""Includes point one way: a folder of src/gfdt includes only itself and the folders before it in the list of its CMakeLists.

A folder of gpu/ counts as the folder of the same name beside gpu/, except gpu/driver, which counts as gpu/ itself.
"""

import re
import sys
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "gfdt"

# Scores are estimated from samples: the estimators must not see a model.
SCORES_FROM_SAMPLES = {"network", "score/estimators", "score/fields"}
HIDDEN_FROM_SCORES = {"symbolic", "simulate"}


def layer_of(path):
    folder, _, rest = path.partition("/")
    part = rest.partition("/")[0]
    return part if folder == "gpu" and part != "driver" else folder


def main():
    order = re.search(r"foreach\(folder ([^)]*)\)", (SOURCE / "CMakeLists.txt").read_text()).group(1).split()
    wrong = [f"src/gfdt/{path.name} is not in the list of src/gfdt/CMakeLists.txt" for path in SOURCE.iterdir()
             if path.is_dir() and path.name not in order]
    included = 0
    for file in sorted(SOURCE.glob("*/**/*.[hc]*")):
        name = file.relative_to(SOURCE).as_posix()
        if file.suffix not in (".hpp", ".cpp") or layer_of(name) not in order:
            continue
        for target in re.findall(r'#include "gfdt/([\w/]+\.hpp)"', file.read_text()):
            included += 1
            if layer_of(target) not in order or order.index(layer_of(target)) > order.index(layer_of(name)):
                wrong.append(f"{name} includes {target}, which is in a later folder")
            if name.rpartition("/")[0] in SCORES_FROM_SAMPLES and target.partition("/")[0] in HIDDEN_FROM_SCORES:
                wrong.append(f"{name} includes {target}, which score estimators must not see")
    assert included > 1000, "the test does not find the includes"
    print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
