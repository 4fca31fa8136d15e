"""What the tests of `gfdt jacobian` share: problems and how they are run."""

import json

from gfdt_command import Command

SCALAR = """
[model]
state = ["x"]
[model.parameters]
F0 = 0.6
a = -0.0222
b = -0.2
c = 0.0494
sigma = { value = 0.7071, lower = 0.0 }
[model.drift]
x = "F0 + a*x + b*x^2 - c*x^3"
[model.diffusion]
x = "sigma"
[observables]
second = "x^2"
m = "x"
cold = "x <= 0"
[simulation]
dt = 0.02
members = 128
length = 100.0
seed = 4
"""

LINEAR = """
[model]
state = ["x"]
[model.parameters]
alpha = 1.0
beta = 1.0
idle = 3.0
level = 0.5
[model.drift]
x = "-alpha*x"
[model.diffusion]
x = "beta"
[observables]
v = "x^2"
[simulation]
dt = 0.02
members = 64
length = 60.0
scheme = "weak2"
seed = 2
"""

DRIFT_ONLY = """
[model]
state = ["x"]
[model.parameters]
F0 = 0.6
c = 0.0494
[model.drift]
x = "F0 - c*x^3"
[observables]
m = "x"
"""

SHARED_NOISE = """
[model]
state = ["X[k]"]
[model.sites]
k = 6
[model.parameters]
a = 1.0
s = 0.5
r = 1.0
[model.drift]
X = "-a*X[k]"
[model.diffusion]
X = { w = "s", "v[k]" = "r" }
[observables]
V = "mean(k, X[k]^2)"
[simulation]
dt = 0.02
members = 64
length = 60.0
"""

# A fit that is quick and good enough to tell numbers apart.
QUICK = ("--set", "score.samples=20000", "--set", "score.epochs=10", "--set", "score.hidden=[16]")
KEYS = ["observables", "parameters", "statistics", "statistics_error", "jacobian", "jacobian_error", "method", "window",
        "simulated_time", "wall_seconds", "seed"]


class Jacobian(Command):
    def setUp(self):
        super().setUp()
        self.scalar = self.file("scalar.toml", SCALAR)
        self.linear = self.file("linear.toml", LINEAR)

    def file(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def jacobian(self, *arguments):
        return self.run_gfdt("jacobian", *arguments)

    def result(self, *arguments, status=0):
        done = self.jacobian(*arguments, "--json", "-", "--quiet")
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def numbers(self, result):
        return result["jacobian"], result["jacobian_error"]

    def finding(self, result, check):
        found = [finding for finding in result["findings"] if finding["check"] == check]
        self.assertEqual(len(found), 1, [finding["check"] for finding in result["findings"]])
        return found[0]

    def assert_close(self, result, row, column, exact, standard_errors=4.5, bias=0.0):
        """A false alarm in 1 of 10⁴ with more than 40 degrees of freedom; seeds are fixed."""
        value, error = result["jacobian"][row][column], result["jacobian_error"][row][column]
        self.assertGreater(error, 0)
        self.assertLess(abs(value - exact), standard_errors * error + bias)
