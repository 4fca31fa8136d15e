"""The problem file of a problem, written as a user would write it."""


def value_text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_text(entry) for entry in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key_text(key)} = {value_text(entry)}" for key, entry in value.items()) + " }"
    return repr(value)


def key_text(key):
    return key if key.replace("_", "").isalnum() else f'"{key}"'


def table(name, entries):
    if not entries:
        return ""
    width = max(len(key_text(key)) for key in entries)
    return f"\n[{name}]\n" + "".join(f"{key_text(key):{width}} = {value_text(value)}\n" for key, value in entries.items())


def parameter_entry(parameter):
    if parameter.lower is None and parameter.upper is None:
        return parameter.value
    entry = {"value": parameter.value}
    if parameter.lower is not None:
        entry["lower"] = parameter.lower
    if parameter.upper is not None:
        entry["upper"] = parameter.upper
    return entry


def problem_text(problem):
    text = f"# {problem.family}, {problem.kind}, seed {problem.seed}\n"
    text += "[model]\nstate = " + value_text(problem.states) + "\n"
    text += table("model.sites", problem.sites)
    text += table("model.parameters", {name: parameter_entry(p) for name, p in problem.parameters.items()})
    text += table("model.formulas", problem.formulas)
    text += table("model.drift", problem.drift)
    text += table("model.diffusion", problem.diffusion)
    text += table("model.initial", problem.initial)
    text += table("observables", {name: observable.formula for name, observable in problem.observables.items()})
    text += table("targets", problem.targets)
    text += table("simulation", problem.simulation)
    calibration = {key: value for key, value in problem.calibration.items() if key != "priors"}
    text += table("calibration", calibration)
    text += table("calibration.priors", problem.calibration.get("priors", {}))
    return text
