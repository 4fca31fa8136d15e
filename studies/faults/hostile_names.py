"""Names of files, folders, states and parameters that shells, terminals and file systems trip over."""

from functools import partial

from campaign import Case
from problems import TARGETS
from results import differences, read_json, without_cost
from verdict import STATUS, WRONG, Fault, check_end, check_messages, end_of

NAMES = {
    "spaces": "two words", "quotes": "it's \"so\"", "newline": "two\nlines", "tab": "a\tb", "escape": "\x1b[31mred", "bell": "\x07",
    "long": "n" * 240, "too long": "n" * 300, "unicode": "ζωή 气候 🌍", "right to left": "\u202ename", "leading dash": "-dash",
    "two dashes": "--json", "dot": ".hidden", "percent": "100%s%n", "braces": "{} {0} {{", "shell": "$(touch hit)`touch hit`;touch hit",
    "backslash": "a\\b", "HTML": "<script>alert(1)<", "star": "*?[a]", "not UTF-8": "\udcff\udcfe", "space at the end": "name ",
    "many dots": "..a..", "comma": "a,b", "equals": "a=b", "hash": "#a", "JSON": '","x":"',
}
TAKEN, REFUSED = "same result", "refused with a sentence"
PLAIN = "plain"


def outcome(box, done, result):
    if (box.work / "hit").exists():
        raise Fault(WRONG, "A command in the name was run.")
    check_end(done)
    return without_cost(read_json(box.work / result)) if done.status == 0 else None


def of_file(text, name, box):
    """The problem file, the folder of its results, and a result have the name."""
    try:
        for folder in (PLAIN, name):
            box.file(f"{folder}.toml", text)
    except OSError:
        return "refused by the file system"
    done = [box.run("calibrate", f"./{folder}.toml", "--json", f"./{folder}.json", "--out", f"./{folder}") for folder in (PLAIN, name)]
    plain, found = (outcome(box, one, f"{folder}.json") for one, folder in zip(done, (PLAIN, name)))
    if done[1].status == 2:
        return REFUSED
    if done[0].status != done[1].status:
        raise Fault(STATUS, f"status {done[1].status}, for another name {done[0].status}: {end_of(done[1].text)}")
    if list(differences(found, plain)):
        raise Fault(WRONG, "; ".join(list(differences(found, plain))[:3]))
    check_end(box.run("report", f"./{name}"), (0,))
    again = check_end(box.run("calibrate", f"./{name}.toml", "--out", f"./{name}", "--resume"), (done[0].status,))
    check_messages(again)
    return TAKEN


def quoted(name):
    """As a key of TOML."""
    return '"' + "".join(f"\\u{ord(letter):04X}" if ord(letter) < 32 or letter in '"\\' else letter for letter in name) + '"'


def of_parameter(text, name, box):
    box.file("named.toml", text.replace("mu = 0.0", f"{quoted(name)} = 0.0\nmu = 0.0").encode("utf-8", "surrogateescape"))
    done = check_end(box.run("simulate", "named.toml"))
    return TAKEN if done.status == 0 else REFUSED


def of_argument(arguments, name, box):
    """Where a command expects something else."""
    box.file("linear.toml", arguments[0])
    check_end(box.run(*(name if word == "NAME" else word for word in arguments[1])), (0, 1, 2))
    if (box.work / "hit").exists():
        raise Fault(WRONG, "A command in the name was run.")
    return REFUSED


ARGUMENTS = (("simulate", "NAME"), ("NAME",), ("simulate", "linear.toml", "--set", "NAME"),
             ("simulate", "linear.toml", "--set", "simulation.dt=NAME"),
             ("simulate", "linear.toml", "NAME"), ("jacobian", "linear.toml", "--parameters", "NAME"), ("jacobian", "linear.toml", "--score", "NAME"),
             ("calibrate", "linear.toml", "--method", "NAME"), ("report", "NAME"), ("models", "NAME"), ("simulate", "linear.toml", "--seed", "NAME"),
             ("simulate", "linear.toml", "--threads", "NAME"), ("simulate", "linear.toml", "--backend", "NAME"),
             ("reproduce", "NAME"), ("completion", "NAME"))


def cases(text):
    for kind, name in NAMES.items():
        yield Case(f"name of a file: {kind}", partial(of_file, text + TARGETS, name))
        yield Case(f"name of a parameter: {kind}", partial(of_parameter, text, name))
        for words in ARGUMENTS:
            yield Case(f"argument: {' '.join(words)}, {kind}", partial(of_argument, (text, words), name))
