"""Time scales of models in several dimensions, from points of their stationary distribution."""

import numpy as np

from formula import Formula


def derivatives(formulas, states, values, points):
    """∂f_i/∂x_j at all points, by central differences: [i, j, point]."""
    columns = []
    for j, _ in enumerate(states):
        h = 1e-5 * np.maximum(np.std(points[j]), 1e-6)
        sides = []
        for sign in (1, -1):
            moved = [p + sign * h if k == j else p for k, p in enumerate(points)]
            at = {**values, **dict(zip(states, moved))}
            sides.append([f(at) + 0 * points[j] for f in formulas])
        columns.append((np.array(sides[0]) - np.array(sides[1])) / (2 * h))
    return np.array(columns).transpose(1, 0, 2)


def fastest_time(drift, noises, states, values, points, share=0.9):
    """One over the quantile of the largest singular value of the drift's Jacobian, plus squared derivatives of the noise."""
    formulas = [Formula(drift[state]) for state in states]
    jacobian = derivatives(formulas, states, values, points).transpose(2, 0, 1)
    speed = np.linalg.norm(jacobian, ord=2, axis=(1, 2))
    noise = derivatives([Formula(text) for text in noises], states, values, points)
    speed = speed + np.sum(noise**2, axis=(0, 1))
    return 1 / np.quantile(speed, share)


def slowest_reversible_time(points, diffusions):
    """The longest relaxation time of a reversible diffusion, from below: Var f over ⟨∇f·D∇f⟩/2 for polynomials f.

    `points`: [state, sample] of the stationary distribution; `diffusions`: D per state, numbers or values per sample.
    """
    n, count = points.shape
    z = (points - points.mean(axis=1, keepdims=True)) / points.std(axis=1, keepdims=True)
    values, gradients = [], []
    for i in range(n):
        for f, g in ((z[i], 1 + 0 * z[i]), (z[i] ** 2, 2 * z[i]), (np.tanh(2 * z[i]), 2 / np.cosh(2 * z[i]) ** 2)):
            gradient = np.zeros((n, count))
            gradient[i] = g / points[i].std()
            values.append(f - f.mean())
            gradients.append(gradient)
    values, gradients = np.array(values), np.array(gradients)
    weights = np.array([d + np.zeros(count) for d in diffusions]) / 2
    variance = values @ values.T / count
    dirichlet = np.einsum("aip,ip,bip->ab", gradients, weights, gradients) / count
    whitening = np.linalg.pinv(np.linalg.cholesky(dirichlet + 1e-9 * np.trace(dirichlet) * np.eye(len(values))))
    return float(np.max(np.linalg.eigvalsh(whitening @ variance @ whitening.T)))
