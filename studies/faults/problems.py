"""The problems of the campaign: small enough for a second, large enough to use every kind of file."""

# A score must be learned, so that scores and warm starts are part of the run.
LEARNED = """
[model]
state = ["x"]
[model.parameters]
F = 0.3
c = { value = 1.0, lower = 0.0 }
sigma = { value = 0.8, lower = 0.0 }
[model.drift]
x = "F - c*x^3"
[model.diffusion]
x = "sigma"
[observables]
m = "x"
v = "x^2"
[targets]
m = { value = 0.5, std = 0.01 }
v = { value = 0.6, std = 0.01 }
[simulation]
dt = 0.02
members = 16
length = 40.0
seed = 5
[score]
method = "kgmm"
samples = 2000
hidden = [8]
epochs = 5
[calibration]
free = ["F", "sigma"]
iterations = 3
"""

LINEAR = """
[model]
state = ["x"]
[model.parameters]
alpha = { value = 1.0, lower = 0.0 }
mu = 0.0
beta = { value = 1.2, lower = 0.0 }
[model.drift]
x = "-alpha*(x - mu)"
[model.diffusion]
x = "beta"
[observables]
m = "x"
v = "x^2"
[simulation]
dt = 0.05
members = 32
length = 50.0
scheme = "weak2"
seed = 3
"""
TARGETS = """
[targets]
m = { value = 0.5, std = 0.01 }
v = { value = 0.75, std = 0.02 }
[calibration]
free = ["mu", "beta"]
iterations = 2
"""
FROM_DATA = """
[targets]
data = "DATA"
[calibration]
free = ["mu", "beta"]
iterations = 2
"""


def record(rows=400):
    """A time series in CSV."""
    value, lines = 0.0, ["time,x"]
    for row in range(rows):
        value = 0.9 * value + ((row * 7919) % 101 - 50) / 100
        lines.append(f"{0.1 * row:.1f},{value:.6g}")
    return "\n".join(lines) + "\n"
