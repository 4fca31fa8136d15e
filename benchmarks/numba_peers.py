"""The models of benchmarks/simulation.cpp as a user would write them in numba, on all cores. One line a figure."""

import math
import time

import numba
import numpy as np


@numba.njit(fastmath=True)
def lorenz_drift(x, a0, a1, a2, a3, out):
    n = x.size
    for k in range(n):
        out[k] = x[k - 1] * (x[(k + 1) % n] - x[k - 2]) - x[k] + 10.0 - (a0 + x[k] * (a1 + x[k] * (a2 + x[k] * a3)))


@numba.njit(fastmath=True, parallel=True)
def lorenz_rk4(members, steps, seed):
    sites, dt, sigma = 36, 0.005, 1.0359
    a0, a1, a2, a3 = 0.1494, 0.3945, -0.0084, -0.0017
    totals = np.zeros(members)
    for m in numba.prange(members):
        np.random.seed(seed + m)
        x = 2.5 + 3.5 * np.random.randn(sites)
        k1, k2, k3, k4, y = np.empty(sites), np.empty(sites), np.empty(sites), np.empty(sites), np.empty(sites)
        scale = sigma * math.sqrt(dt)
        for _ in range(steps):
            lorenz_drift(x, a0, a1, a2, a3, k1)
            for k in range(sites):
                y[k] = x[k] + 0.5 * dt * k1[k]
            lorenz_drift(y, a0, a1, a2, a3, k2)
            for k in range(sites):
                y[k] = x[k] + 0.5 * dt * k2[k]
            lorenz_drift(y, a0, a1, a2, a3, k3)
            for k in range(sites):
                y[k] = x[k] + dt * k3[k]
            lorenz_drift(y, a0, a1, a2, a3, k4)
            for k in range(sites):
                x[k] += dt / 6 * (k1[k] + 2 * k2[k] + 2 * k3[k] + k4[k]) + scale * np.random.randn()
            totals[m] += x[0]
    return totals / steps


@numba.njit(fastmath=True, parallel=True)
def triad_euler(members, steps, seed):
    d_u, omega, d_tau, s1, s2, s3, dt = 0.24, 0.32, 2.2, 0.36, 0.27, 1.575, 0.01
    totals = np.zeros(members)
    root = math.sqrt(dt)
    for m in numba.prange(members):
        np.random.seed(seed + m)
        u1, u2, tau = np.random.randn(), np.random.randn(), np.random.randn()
        total = 0.0
        for _ in range(steps):
            du1 = dt * (-d_u * u1 - omega * u2 + tau) + root * s1 * np.random.randn()
            du2 = dt * (-d_u * u2 + omega * u1) + root * s2 * np.random.randn()
            dtau = dt * (-d_tau * tau) + root * s3 * (1 + math.tanh(u1)) * np.random.randn()
            u1, u2, tau = u1 + du1, u2 + du2, tau + dtau
            total += u1 * u1
        totals[m] = total / steps
    return totals


def rate(function, members, steps, states):
    function(2, 10, 0)
    start = time.perf_counter()
    function(members, steps, 1)
    return members * steps * states / (time.perf_counter() - start)


print(f"numba-lorenz96-rk4 {rate(lorenz_rk4, 32, 20000, 36):.4e} site-steps/s")
print(f"numba-triad-euler {rate(triad_euler, 64, 200000, 3):.4e} state-steps/s")
