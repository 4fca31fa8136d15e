"""Composite Gauss-Legendre quadrature with integrals up to every node."""

import numpy as np

NODES = 16
POINTS, WEIGHTS = np.polynomial.legendre.leggauss(NODES)


def running_matrix():
    """M with M f = integrals from -1 to the nodes of the polynomial through f."""
    powers = np.vander(POINTS, increasing=True)
    integrals = np.stack([(POINTS ** (k + 1) - (-1.0) ** (k + 1)) / (k + 1) for k in range(NODES)], axis=1)
    return integrals @ np.linalg.inv(powers)


RUNNING = running_matrix()


class Panels:
    """Panels between edges: nodes and weights [panel, node], integrals, and running integrals."""

    def __init__(self, lower, upper, count, breaks=()):
        inner = [b for b in breaks if lower < b < upper]
        edges = np.unique(np.concatenate([np.linspace(lower, upper, count + 1), inner]))
        keep = np.concatenate([[True], np.diff(edges) > 1e-12 * (upper - lower)])
        edges = edges[keep]
        self.half = np.diff(edges)[:, None] / 2
        self.nodes = (edges[:-1, None] + edges[1:, None]) / 2 + self.half * POINTS
        self.weights = self.half * WEIGHTS

    def running(self, values):
        """Integrals from the lower end to every node."""
        whole = np.sum(self.weights * values, axis=1)
        before = np.concatenate([[0.0], np.cumsum(whole)[:-1]])
        return before[:, None] + self.half * (values @ RUNNING.T)
