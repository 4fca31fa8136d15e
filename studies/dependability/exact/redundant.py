"""A solver with one more parameter, whose product with another is all that matters."""

import numpy as np

from exact.answer import solver_jacobian


class Redundant:
    def __init__(self, solver, index):
        self.solver, self.index = solver, index
        if hasattr(solver, "parameter_scale"):
            self.parameter_scale = np.append(solver.parameter_scale, 1.0)
        if hasattr(solver, "exists"):
            self.exists = lambda theta: solver.exists(self.reduced(theta))

    def reduced(self, theta):
        inner = np.array(theta[:-1], dtype=float)
        inner[self.index] *= theta[-1]
        return inner

    def prepare(self, theta):
        if hasattr(self.solver, "prepare"):
            self.solver.prepare(self.reduced(theta))

    def statistics(self, theta, level):
        return self.solver.statistics(self.reduced(theta), level)

    def deviations(self, theta):
        return self.solver.deviations(self.reduced(theta))

    def jacobian(self, theta, columns, level):
        count = len(theta) - 1
        inner = solver_jacobian(self.solver, self.reduced(theta), list(range(count)), level)[0]
        whole = np.concatenate([inner, theta[self.index] * inner[:, [self.index]]], axis=1)
        whole[:, self.index] *= theta[-1]
        return whole[:, columns]
