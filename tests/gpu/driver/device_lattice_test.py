"""Models of many state variables on a GPU, where a group of threads takes the steps of a member, against the host."""

import json
import unittest
from pathlib import Path

from device_command import EMULATED, ROOT, SCRATCH, Comparison, compiled, gfdt, main, simulate, trajectories

# A ring of two fields and a scalar, coupled by sums of both kinds: over all sites, and one at each.
RING = """
[model]
state = ["X[k]", "y", "Z[k,l]"]
[model.sites]
k = 150
l = 2
[model.parameters]
a = 1.0
s = { value = 0.4, lower = 0.0 }
[model.drift]
X = "-X[k-1]*(X[k-2] - X[k+1])/4 - 2*X[k] + y/2 + mean(l, Z[k,l]) + min(X[k], 1)*(X[k] > 0)"
y = "-a*y + tanh(mean(k, X[k])) + mean(k, X[k]^2)/4"
Z = "-Z[k,l] + X[k-7]*Z[k,l+1]/4"
[model.diffusion]
X = "s*sqrt(1 + X[k]^2)/2"
y = "s"
Z = "s/2"
[model.initial]
X = { mean = 0.5, std = 1.0 }
y = { mean = 0.0, std = 1.0 }
Z = { mean = 0.0, std = 0.5 }
[observables]
m = "mean(k, X[k])"
q = "mean(k, X[k]*X[k+1])"
c = "mean(k, X[k]*sum(l, Z[k,l]))"
over = "y > 0.5"
[simulation]
dt = 0.01
members = 67
length = 0.24
burn_in = 0.1
"""

SHEET = """
[model]
state = ["u[a,b]"]
[model.sites]
a = 61
b = 41
[model.parameters]
r = 1.0
[model.drift]
u = "u[a+1,b] + u[a-1,b] + u[a,b+1] + u[a,b-1] - 4*u[a,b] - u[a,b]^3 + r*u[a,b]"
[model.diffusion]
u = "0.5"
[model.initial]
u = { mean = 0.2, std = 0.5 }
[observables]
m = "mean(a, mean(b, u[a,b]*u[a+1,b]))"
rows = "mean(a, mean(b, u[a,b])^2)"
[simulation]
dt = 0.01
members = 3
length = 0.06
burn_in = 0.02
"""

CLOCK = """
[model]
state = ["X[k]", "y"]
time = true
[model.sites]
k = 130
[model.drift]
X = "-X[k] + cos(t)*(1 + X[k-1]/4) + y/4"
y = "-y + 0.35*y^3"
[model.diffusion]
X = "0.8"
y = "0.3"
[model.initial]
X = { mean = 0.0, std = 1.0 }
y = { mean = 0.0, std = 1.0 }
[observables]
m = "mean(k, X[k])"
[simulation]
dt = 0.02
members = 23
length = 11.0
burn_in = 0.2
cadence = 50
"""

FAST = """
[model]
state = ["X[k]"]
[model.sites]
k = 110
[model.parameters]
a = 1.0
[model.drift]
X = "8*a - 8*X[k] + X[k-1]*X[k+1]/4"
[model.diffusion]
X = "1 + X[k]^2/8"
[model.initial]
X = { mean = 1.0, std = 0.3 }
[observables]
m = "mean(k, X[k])"
q = "mean(k, X[k]^2)"
[simulation]
dt = 0.02
members = 33
length = 6.0
burn_in = 1.0
"""


class Lattice(Comparison):
    def file(self, text):
        file = Path(SCRATCH.name) / "lattice.toml"
        file.write_text(text)
        return file

    def test_paths_of_the_two_scale_model_are_those_of_the_host(self):
        settings = ("--set", "simulation.members=3", "--set", "simulation.length=0.3", "--set", "simulation.burn_in=0.05", "--set", "simulation.cadence=3")
        text = (ROOT / "models/lorenz96-two-scale.toml").read_text() + '[observables]\nm = "mean(k, X[k])"\n'
        self.assert_same_paths(trajectories(self.file(text), *settings), 1e-4)
        self.assertTrue(compiled("take_step"))

    def test_statistics_are_those_of_the_host(self):
        for scheme, precision, members, tolerance in (("euler-maruyama", "float", 67, 2e-3), ("rk4", "double", 5, 1e-5), ("weak2", "double", 21, 1e-5)):
            settings = ("--set", f"simulation.scheme={scheme}", "--set", f"simulation.precision={precision}", "--set", f"simulation.members={members}")
            with self.subTest(scheme=scheme, precision=precision):
                file = self.file(RING)
                self.assert_agree(simulate(file, *settings, "--device", "cuda"), simulate(file, *settings), tolerance)

    def test_members_that_blow_up_are_replaced_alike_and_time_goes_on(self):
        """Cubic growth loses members; more than 512 steps set the time anew."""
        file = self.file(CLOCK)
        here, there = simulate(file), simulate(file, "--device", "cuda")
        self.assertGreater(here["replaced_members"], 0)
        self.assertEqual(here["replaced_members"], there["replaced_members"])
        self.assert_agree(there, here, 1e-4)

    def test_observables_too_long_to_be_written_out_are_evaluated_in_loops(self):
        file = self.file(SHEET)
        self.assert_agree(simulate(file, "--device", "cuda"), simulate(file), 1e-5)
        self.assertTrue(compiled("Real scratch["))

    def test_observables_with_many_sums_are_evaluated_on_the_host(self):
        file = self.file(SHEET.replace("a = 61", "a = 700").replace("b = 41", "b = 9"))
        self.assert_agree(simulate(file, "--device", "cuda"), simulate(file), 1e-5)
        self.assertFalse(EMULATED and compiled("Real scratch[7"))
        self.assertTrue(compiled("state_rows = 6300"))

    def test_likelihood_ratios_are_those_of_the_host_within_their_errors(self):
        options = ("--method", "likelihood-ratio", "--parameters", "a", "--no-report", "--json", "-", "--quiet")
        here, there = (json.loads(gfdt("jacobian", self.file(FAST), *options, "--device", device).stdout) for device in ("cpu", "cuda"))
        for row, other, errors in zip(here["jacobian"], there["jacobian"], here["jacobian_error"]):
            for value, expected, error in zip(row, other, errors):
                self.assertLess(abs(value - expected), 0.05 * error)
        self.assertTrue(compiled("gfdt_products"))

    def test_what_is_too_large_for_a_group_runs_on_the_host(self):
        file = self.file(SHEET.replace("a = 61", "a = 400"))
        done = gfdt("simulate", file, "--no-control-variate", "--device", "cuda")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertIn("too large for the threads of a GPU", done.stderr)


main()
