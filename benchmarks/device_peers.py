"""JAX on the card that benchmark_device_simulation runs on, and the ratios, in one run.

usage: device_peers.py PROGRAM [EXPERIMENTS]     prints the program's figures, JAX's, and their ratios
"""

import subprocess
import sys
import time

import jax
import jax.numpy as jnp

SITES, DT, SIGMA = 36, 0.005, 1.0359
ALPHA = (0.1494, 0.3945, -0.0084, -0.0017)


def drift(x):
    closure = ALPHA[0] + x * (ALPHA[1] + x * (ALPHA[2] + x * ALPHA[3]))
    return -jnp.roll(x, 1, 0) * (jnp.roll(x, 2, 0) - jnp.roll(x, -1, 0)) - x + 10.0 - closure


def lorenz_step(x, key):
    k1 = drift(x)
    k2 = drift(x + 0.5 * DT * k1)
    k3 = drift(x + 0.5 * DT * k2)
    k4 = drift(x + DT * k3)
    noise = jax.random.normal(key, x.shape, x.dtype)
    return x + DT / 6 * (k1 + 2 * k2 + 2 * k3 + k4) + SIGMA * DT**0.5 * noise


def linear_step(x, key):
    f = jnp.stack([-x[0] + 0.5 * x[1], -x[1] + 0.5 * x[2] - 0.5 * x[0], -x[2] - 0.5 * x[1]])
    return x + 0.01 * f + 0.7 * 0.1 * jax.random.normal(key, x.shape, x.dtype)


def rate(step, rows, members, steps, unroll):
    """Rows times members times steps a second, with the sums of the state and its square every tenth step; the best of a few."""

    @jax.jit
    def run(x, key):
        def tenth(carry, sub):
            x, first, second = carry
            x = jax.lax.scan(lambda y, k: (step(y, k), None), x, jax.random.split(sub, 10), unroll=unroll)[0]
            return (x, first + x.mean(0), second + (x * x).mean(0)), None

        zero = jnp.zeros(members)
        return jax.lax.scan(tenth, (x, zero, zero), jax.random.split(key, steps // 10))[0]

    best = 0
    x = jnp.ones((rows, members), jnp.float32)
    for i in range(4):
        begin = time.perf_counter()
        jax.block_until_ready(run(x, jax.random.key(i, impl="threefry2x32")))
        best = max(best, rows * members * steps / (time.perf_counter() - begin))
    return best


def main():
    program, experiments = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "experiments"
    own = {}
    for line in subprocess.run([program, experiments], check=True, capture_output=True, text=True).stdout.splitlines():
        print(line, flush=True)
        name, value, _ = line.split()
        own[name] = float(value)
    jax.config.update("jax_threefry_partitionable", True)
    lorenz = max(rate(lorenz_step, SITES, members, 1000, unroll) for members in (131072, 524288) for unroll in (1, 5))
    linear = max(rate(linear_step, 3, 1 << 20, 2000, unroll) for unroll in (1, 10)) / 3
    print(f"jax-{jax.__version__}-lorenz96 {lorenz:.4e} site-steps/s")
    print(f"jax-{jax.__version__}-linear {linear:.4e} path-steps/s")
    print(f"ratio-lorenz96 {own['lorenz96-statistics-131072'] / lorenz:.3g}")
    print(f"ratio-linear {own['linear-statistics'] / linear:.3g}")


main()
