# %% [markdown]
# # El Niño as a stochastic oscillator
#
# x is the temperature anomaly of the eastern Pacific in °C, h the heat content that recharges it; time is in months.
# The noise, bursts of wind, grows with x: warm events are larger than cold ones.
# Each cell runs by itself in an editor that knows `# %%`; as a program it takes a few seconds.

# %%
import numpy as np

import gfdt

x, h = gfdt.state("x"), gfdt.state("h")
damping = gfdt.parameter("damping", 0.1)  # per month
omega = gfdt.parameter("omega", 0.13)  # per month: a period of four years
sigma = gfdt.parameter("sigma", 0.30, lower=0)
b = gfdt.parameter("b", 0.1)  # growth of the noise with x, per °C

problem = gfdt.Problem(
    drift={x: -damping * x + omega * h, h: -omega * x - damping * h},
    diffusion={x: sigma * gfdt.sqrt((1 + b * x) ** 2 + 0.01)},
    observables={"variance": x**2, "third": x**3, "warm": x > 1},
    targets={"variance": (0.70, 0.07), "third": (0.22, 0.11)},  # value and standard error
    simulation={"dt": 0.1, "members": 64, "length": 500, "scheme": "weak2", "cadence": 2},
    score={"samples": 20_000},
    calibration={"free": ["sigma", "b"]},
)
print(problem.text)

# %% [markdown]
# ## Averages with error bars
# A function of the states can be averaged as well: the share of the time in which the heat content is above normal.

# %%
run = gfdt.simulate(problem, trajectory=True, observables={"charged": lambda states: states[:, 1] > 0})
print(run)
print("states:", run.states.shape, "of", problem.components)

warmest = run.states[:, :, 0].max(axis=1)
print(f"the warmest month of {run.problem.simulation['length'] / 12:.0f} years: {np.median(warmest):.1f} °C in the median")

# %% [markdown]
# ## How the averages depend on the parameters
# All derivatives come from one run. Finite differences need two runs for each parameter.

# %%
S = gfdt.jacobian(problem)
print(S)
print(f"10 % more noise: the variance grows by {S['variance', 'sigma'] * 0.1 * 0.30:.3f} °C²")

# %% [markdown]
# ## When they answer
# The response of the variance to a step of the damping.

# %%
answer = gfdt.response(problem, damping, size=0.01, until=24)
print(answer)

# %% [markdown]
# ## Calibration
# The noise and its growth with x, such that variance and third moment are the observed ones.


# %%
def tell(so_far):
    latest = so_far.iterations[-1]
    print(f"  {len(so_far.iterations)}: mismatch {latest['mismatch']:.3f} at {latest['parameters']}")


calibration = gfdt.calibrate(problem, observer=tell)
print(calibration)
assert calibration.converged, calibration.explanation

# %%
print(gfdt.simulate(problem.changed(calibration.parameters)))
