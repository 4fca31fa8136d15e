"""The calibration of Lorenz-96 at the paper's size, kept: its Jacobians at the guess, its way, and where they come from.

    gfdt reproduce lorenz96 --calibrate --paper-scale --device cuda --out FOLDER
    paper_scale.py FOLDER experiments/paper_scale

writes lorenz96.json (what was found, without what is behind the last Jacobian), lorenz96.md (the table) and lorenz96.svg (the way).
"""

import json
import math
import sys
from pathlib import Path

TRUTH = Path(__file__).parent / "truth_lorenz96.json"  # for the standard deviations of the observables
COLOURS = {"unet": "#1d6fb8", "gaussian": "#c2410c", "finite-difference": "#15803d"}
LEFT, TOP, WIDTH, HEIGHT = 70, 40, 560, 300


def kept(document):
    """All but what the page shows of the last Jacobian, and the text that every calibration repeats."""
    result = {key: value for key, value in document.items() if key != "calibrations"}
    result["calibrations"] = [{key: value for key, value in one.items() if key not in ("answer", "provenance")} for one in document["calibrations"]]
    return result


def column_error(jacobian, other, scale, column):
    off = sum(((a[column] - b[column]) / s) ** 2 for a, b, s in zip(jacobian, other, scale))
    return math.sqrt(off / sum((b[column] / s) ** 2 for b, s in zip(other, scale)))


def table(document):
    scale = json.loads(TRUTH.read_text())["standard_deviations"]
    first = {one["name"]: one["iterations"][0] for one in document["calibrations"]}
    differences = first["finite-difference"]["jacobian"]
    parameters = list(first["finite-difference"]["parameters"])
    observables = document["calibrations"][0]["targets"]["observables"]
    where = document["provenance"]
    lines = [
        "# Lorenz-96 at the paper's size",
        "",
        f"`{where['command_line']}`, {where['date'][:10]}, {where['device']}, seed {document['seed']}: "
        f"{document['wall_seconds']:.0f} s in all.",
        "",
        *(f"- {sentence}" for sentence in document["origin"]),
        "",
        "Jacobians at the guess, with standard errors:",
        "",
        f"| | method | {' | '.join(parameters)} |",
        "|---|---|" + "---|" * len(parameters),
    ]
    for m, observable in enumerate(observables):
        for name, at in first.items():
            cells = [f"{value:.4g} ± {error:.2g}" for value, error in zip(at["jacobian"][m], at["jacobian_error"][m])]
            lines.append(f"| {observable} | {name} | {' | '.join(cells)} |")
    lines += ["", "Columns against those of finite differences, rows in standard deviations of the observables, in per cent:", ""]
    lines += [f"| | {' | '.join(parameters)} |", "|---|" + "---|" * len(parameters)]
    for name, at in first.items():
        if name != "finite-difference":
            cells = [f"{100 * column_error(at['jacobian'], differences, scale, j):.2g}" for j in range(len(parameters))]
            lines.append(f"| {name} | {' | '.join(cells)} |")
    lines += ["", "The calibrations:", "", "| | steps | taken back | mismatch at the guess | at the answer | simulated time | clock, s |", "|---|---|---|---|---|---|---|"]
    for one in document["calibrations"]:
        back = sum(not iteration["accepted"] for iteration in one["iterations"])
        lines.append(f"| {one['name']} | {len(one['iterations']) - 1} | {back} | {one['iterations'][0]['mismatch']:.3g} | {one['mismatch']:.3g} | "
                     f"{one['simulated_time']:.3g} | {one['wall_seconds']:.0f} |")
    return "\n".join([*lines, "", "![The mismatch from step to step](lorenz96.svg)", ""])


def figure(document):
    """The norm of the mismatch from step to step, on a logarithmic scale; what was taken back is hollow."""
    paths = {one["name"]: [(i, iteration["mismatch"], iteration["accepted"]) for i, iteration in enumerate(one["iterations"])] for one in document["calibrations"]}
    norms = [norm for path in paths.values() for _, norm, _ in path]
    low, high = math.log10(min(norms)) - 0.05, math.log10(max(norms)) + 0.05
    steps = max(i for path in paths.values() for i, _, _ in path)

    def place(step, norm):
        return LEFT + WIDTH * step / steps, TOP + HEIGHT * (high - math.log10(norm)) / (high - low)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 30}" height="{TOP + HEIGHT + 50}" role="img">',
             "<title>Lorenz-96 at the paper's size: the mismatch from step to step</title>",
             "<style>text { font: 12px system-ui, sans-serif; fill: #333 } .grid { stroke: #e4e4e4 } path { fill: none; stroke-width: 1.7 }</style>",
             '<rect width="100%" height="100%" fill="#fff"/>']
    for exponent in range(math.floor(low), math.ceil(high) + 1):
        for factor in (1, 2, 5):
            norm = factor * 10.0**exponent
            if low <= math.log10(norm) <= high:
                y = place(0, norm)[1]
                parts.append(f'<line class="grid" x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/><text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{norm:g}</text>')
    for step in range(0, steps + 1, 5):
        parts.append(f'<text x="{place(step, 1)[0]:.1f}" y="{TOP + HEIGHT + 20}" text-anchor="middle">{step}</text>')
    parts.append(f'<text x="{LEFT + WIDTH / 2}" y="{TOP + HEIGHT + 40}" text-anchor="middle">step</text><text x="{LEFT}" y="20">‖mismatch‖</text>')
    for number, (name, path) in enumerate(paths.items()):
        colour = COLOURS.get(name, "#555")
        stood = [place(i, norm) for i, norm, accepted in path if accepted]
        parts.append(f'<path stroke="{colour}" d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in stood)}"/>')
        for i, norm, accepted in path:
            x, y = place(i, norm)
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" stroke="{colour}" fill="{colour if accepted else "#fff"}"/>')
        parts.append(f'<text x="{LEFT + 110 + 130 * number}" y="20" style="fill: {colour}">● {name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main():
    document, folder = json.loads((Path(sys.argv[1]) / "reproduce.json").read_text()), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lorenz96.json").write_text(json.dumps(kept(document), indent=1) + "\n")
    (folder / "lorenz96.md").write_text(table(document))
    (folder / "lorenz96.svg").write_text(figure(document))


main()
