"""What the tests of `gfdt calibrate` share: problems, how they are run and how results are compared."""

import json
import math
import sys

from gfdt_command import Command

# Mean mu and second moment mu² + beta²/(2 alpha): the answer is mu = 0.5, beta = 1.
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
tail = "x > 1"
[simulation]
dt = 0.05
members = 64
length = 100.0
scheme = "weak2"
seed = 3
[calibration]
free = ["mu", "beta"]
"""
TARGETS = """
[targets]
m = { value = 0.5, std = 0.01 }
v = { value = 0.75, std = 0.02 }
"""

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
members = 32
length = 100.0
seed = 5
[score]
method = "kgmm"
samples = 8000
hidden = [16]
epochs = 20
[calibration]
free = ["F", "sigma"]
"""

# The same process by a program of the user's, that fails above some value of beta.
SIMULATOR = """
import json, math, random, sys
parameters, seed, length, output = json.load(open(sys.argv[1])), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
alpha, mu, beta = (parameters[name] for name in ("alpha", "mu", "beta"))
if beta > FAILS:
    sys.exit("the model blew up at beta = %g" % beta)
draw, dt = random.Random(seed), 0.1
memory, deviation = math.exp(-alpha * dt), beta / math.sqrt(2 * alpha)
kick = deviation * math.sqrt(1 - memory * memory)
with open(output, "w") as file:
    file.write("member,time,x\\n")
    for member in range(16):
        x = mu + deviation * draw.gauss(0, 1)
        for i in range(int(length / dt)):
            file.write("%d,%.1f,%.17g\\n" % (member, i * dt, x))
            x = mu + memory * (x - mu) + kick * draw.gauss(0, 1)
"""


def own_simulator(folder, fails="1e9"):
    """The problem file of it."""
    (folder / "simulator.py").write_text(SIMULATOR.replace("FAILS", fails))
    command = f'command = "{sys.executable} simulator.py {{parameters}} {{seed}} {{length}} {{output}}"\nretries = 0\n'
    (folder / "own.toml").write_text(LINEAR.replace("[simulation]\n", "[simulation]\n" + command) + TARGETS)
    return folder / "own.toml"


METHODS = ("exact", "gaussian", "finite-difference", "likelihood-ratio", "ensemble-kalman")


def without_time(document):
    """All of a result that does not depend on when, where and how fast it was computed."""
    if isinstance(document, dict):
        return {key: without_time(value) for key, value in document.items() if key not in ("wall_seconds", "provenance", "checksum")}
    return [without_time(item) for item in document] if isinstance(document, list) else document


class Calibrate(Command):
    def file(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def setUp(self):
        super().setUp()
        self.linear = self.file("linear.toml", LINEAR + TARGETS)

    def calibrate(self, *arguments, **options):
        return self.run_gfdt("calibrate", *arguments, **options)

    def result(self, *arguments, status=0):
        done = self.calibrate(*arguments, "--json", "-", "--quiet", "--overwrite")
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def assert_found(self, result, standard_errors=4.0, **exact):
        """A false alarm in 1 of 10⁴ a parameter; seeds are fixed."""
        for name, value in exact.items():
            error = result["parameters_error"][name]
            self.assertGreater(error, 0)
            self.assertLess(abs(result["parameters"][name] - value), standard_errors * error, name)
            self.assertLess(error, 0.2, name)


def autoregression(count, interval, mean, deviation, draw):
    """An Ornstein–Uhlenbeck process of rate 1 at equal intervals."""
    memory = math.exp(-interval)
    value = draw.gauss(0, deviation)
    for _ in range(count):
        yield mean + value
        value = memory * value + deviation * math.sqrt(1 - memory * memory) * draw.gauss(0, 1)
