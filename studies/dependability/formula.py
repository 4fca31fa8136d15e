"""Formulas of problem files as numpy functions.

The text of a formula is the single source: gfdt reads it from the problem file, and the exact solvers evaluate it here.
"""

import ast

import numpy as np

FUNCTIONS = {
    "exp": np.exp, "log": np.log, "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos, "tan": np.tan, "sinh": np.sinh,
    "cosh": np.cosh, "tanh": np.tanh, "atan": np.arctan, "abs": np.abs, "sign": np.sign, "min": np.minimum, "max": np.maximum,
}
OPERATORS = {ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide, ast.Pow: np.power}
COMPARISONS = {ast.Lt: np.less, ast.LtE: np.less_equal, ast.Gt: np.greater, ast.GtE: np.greater_equal}


class Formula:
    """A formula in the language of problem files; call it with the values of its names."""

    def __init__(self, text):
        self.text = text
        self.tree = ast.parse(text.replace("^", "**"), mode="eval").body

    def __call__(self, values):
        return evaluate(self.tree, values)

    def names(self):
        return {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)} - set(FUNCTIONS) - {"pi"}


def evaluate(node, values):
    if isinstance(node, ast.Constant):
        return float(node.value)
    if isinstance(node, ast.Name):
        return np.pi if node.id == "pi" else values[node.id]
    if isinstance(node, ast.BinOp):
        return OPERATORS[type(node.op)](evaluate(node.left, values), evaluate(node.right, values))
    if isinstance(node, ast.UnaryOp):
        inner = evaluate(node.operand, values)
        return 1.0 - inner if isinstance(node.op, ast.Not) else -inner
    if isinstance(node, ast.Call):
        return FUNCTIONS[node.func.id](*(evaluate(argument, values) for argument in node.args))
    if isinstance(node, ast.BoolOp):
        parts = [evaluate(part, values) != 0 for part in node.values]
        joined = parts[0]
        for part in parts[1:]:
            joined = joined & part if isinstance(node.op, ast.And) else joined | part
        return 1.0 * joined
    if isinstance(node, ast.Compare):
        sides = [evaluate(side, values) for side in (node.left, *node.comparators)]
        joined = True
        for left, operator, right in zip(sides, node.ops, sides[1:]):
            joined = joined & COMPARISONS[type(operator)](left, right)
        return 1.0 * joined
    raise ValueError(f"The formula holds '{ast.dump(node)}', which the harness cannot evaluate.")
