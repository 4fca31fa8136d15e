"""Runs that do not support a number give none, with status 1 and the reason. Run as: … GFDT PROJECT_FOLDER"""

import json
import sys
import unittest

from gfdt_command import Command

METASTABLE = """[model]
state = ["x"]
[model.parameters]
a = 1.0
h = 0.01
sigma = 0.2
[model.drift]
x = "a*x - x^3 + h"
[model.diffusion]
x = "sigma"
[observables]
mean = "x"
right = "x > 0"
[simulation]
length = 200.0
"""

LINEAR = """[model]
state = ["x"]
[model.parameters]
alpha = 1.0
beta = 1.0
[model.drift]
x = "-alpha*x"
[model.diffusion]
x = "beta"
[observables]
m = "x"
variance = "x^2"
[simulation]
dt = 0.02
members = 16
length = 60.0
"""

PROGRAM = """import json, random, sys
parameters = json.load(open(sys.argv[1]))
random.seed(int(sys.argv[2]))
x = 0.0
print("time,x")
for n in range(4000):
    for step in range(5):
        x += -parameters["alpha"] * x * 0.02 + parameters["beta"] * random.gauss(0, 0.02 ** 0.5)
    print(f"{n * 0.1},{x + 5}")
"""


class Unsupported(Command):
    def file(self, text):
        path = self.folder / "problem.toml"
        path.write_text(text)
        return path

    def result(self, command, path, *arguments, status):
        done = self.run_gfdt(command, path, "--json", "-", "--quiet", *arguments)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def finding(self, result, check):
        return next(finding for finding in result["findings"] if finding["check"] == check)

    def test_members_that_stay_in_their_wells_give_no_derivatives(self):
        result = self.result("jacobian", self.file(METASTABLE), "--no-report", status=1)
        self.assertEqual(result["jacobian"], [[None] * 3] * 2)
        self.assertEqual(result["status"], "failed")
        self.assertIn("have not mixed", result["remark"][1])
        self.assertIn("a lower bound", self.finding(result, "mixing")["advice"])

    def test_their_averages_have_the_error_of_one_member(self):
        result = self.result("simulate", self.file(METASTABLE), status=1)
        self.assertEqual(result["status"], "not mixed")
        for error, deviation in zip(result["statistics_error"], result["standard_deviation"]):
            self.assertGreater(error, 0.8 * deviation)

    def test_a_well_that_no_member_visits_is_found_by_every_command(self):
        text = METASTABLE.replace("0.01", "0.1") + """
[model.initial]
x = { mean = 1.0, std = 0.05 }
[targets]
mean = { value = 1.05, std = 0.02 }
[calibration]
free = ["h"]
"""
        for command, arguments in (("check", ()), ("simulate", ()), ("jacobian", ("--no-report",))):
            finding = self.finding(self.result(command, self.file(text), *arguments, status=0), "metastability")
            self.assertFalse(finding["passed"], command)
            self.assertIn("near x = -0.9", finding["verdict"], command)
        result = self.result("calibrate", self.file(text), "--no-report", "--out", str(self.folder / "run"), status=0)
        self.assertTrue(any("metastable state" in warning for warning in result["iterations"][-1]["warnings"]), result["iterations"][-1])

    def test_a_time_step_that_moves_the_answer_of_a_calibration_is_reported(self):
        text = """
model.state = ["q", "v"]
model.parameters = { w = 2.0, s = 1.0 }
model.drift = { q = "v", v = "-w^2*q - v" }
model.diffusion = { v = "s" }
observables = { above = "q > 0.5", speed = "abs(v)" }
[targets]
above = { value = 0.1, std = 0.01 }
speed = { value = 0.7, std = 0.02 }
[simulation]
length = 400
dt = 0.04
"""
        for name, scheme, passed in (("coarse", "euler-maruyama", False), ("fine", "weak2", True)):
            result = self.result("calibrate", self.file(text), "--no-report", "--out", str(self.folder / name), "--set",
                                 f"simulation.scheme={scheme}", status=0)
            warnings = result["iterations"][-1]["warnings"]
            self.assertEqual(any(warning.startswith("time step") for warning in warnings), not passed, warnings)

    def test_an_observable_of_another_state_stays_usable(self):
        text = METASTABLE.replace('["x"]', '["x", "z"]').replace("[model.diffusion]", 'z = "-alpha*z"\n[model.diffusion]\nz = "1"')
        text = text.replace("a = 1.0", "a = 1.0\nalpha = 1.0").replace("[simulation]", 'square = "z^2"\n[simulation]')
        result = self.result("jacobian", self.file(text), "--parameters", "alpha,h", "--no-report", status=1)
        self.assertEqual(result["jacobian"][:2], [[None] * 2] * 2)
        # <z²> = 1/2α, by 4.5 standard errors; h does nothing to it.
        self.assertLess(abs(result["jacobian"][2][0] + 0.5), 4.5 * result["jacobian_error"][2][0] + 0.01)
        self.assertLessEqual(abs(result["jacobian"][2][1]), 4.5 * result["jacobian_error"][2][1])

    def test_a_condition_that_never_held_has_an_error_and_no_derivative(self):
        text = LINEAR.replace("[simulation]", 'far = "x > 9"\n[simulation]')
        result = self.result("jacobian", self.file(text), "--no-report", status=0)
        self.assertEqual(result["statistics"][2], 0)
        self.assertGreater(result["statistics_error"][2], 1e-4)
        self.assertEqual(result["jacobian"][2], [None, None])
        self.assertIn("no entry for far: constant in this run", result["remark"][0])

    def test_derivatives_of_an_average_without_a_variance_are_doubtful(self):
        path = self.file("""
model.state = ["x"]
model.parameters = { a = 1.0, b = 1.6 }
model.drift = { x = "-x" }
model.diffusion = { x = "sqrt(a + b*x^2)" }
observables = { square = "x^2", far = "x > 3" }
""")
        result = self.result("jacobian", path, "--method", "finite-difference", status=0)
        tails = self.finding(result, "tails")
        self.assertFalse(tails["passed"])
        self.assertIn("square", tails["verdict"])

    def test_a_trajectory_that_never_varies_gives_status_1(self):
        (self.folder / "constant.csv").write_text("time,x\n" + "".join(f"{0.1 * n},1.0\n" for n in range(400)))
        result = self.result("jacobian", self.file(LINEAR), "--trajectory", "constant.csv", "--no-report", status=1)
        self.assertEqual(result["jacobian"], [[None] * 2] * 2)

    def test_the_burn_in_is_that_of_the_memory(self):
        text = LINEAR.replace("alpha = 1.0", "alpha = 0.25").replace("members = 16", "members = 4000")
        text += "[model.initial]\nx = { mean = 20.0, std = 0.0 }\n"
        result = self.result("simulate", self.file(text), "--no-control-variate", status=0)
        burn_in = self.finding(result, "burn-in")["verdict"]
        self.assertGreaterEqual(float(burn_in.split(":")[0]), 40, burn_in)
        given = self.result("simulate", self.file(text), "--set", "burn_in=6", "--no-control-variate", status=1)
        self.assertEqual(given["status"], "non-stationary")

    def test_a_simulator_of_the_users_is_run_by_simulate_and_jacobian(self):
        (self.folder / "program.py").write_text(PROGRAM)
        path = self.file(LINEAR + f"command = '{sys.executable} program.py {{parameters}} {{seed}} > {{output}}'\n")
        result = self.result("simulate", path, status=0)
        self.assertAlmostEqual(result["statistics"][0], 5, delta=1)  # the formulas have 0
        jacobian = self.result("jacobian", path, "--score", "gaussian", "--no-report", status=0)
        self.assertAlmostEqual(jacobian["statistics"][0], 5, delta=1)
        checked = self.run_gfdt("check", path)
        self.assertIn("simulation.command is not run by 'gfdt check'", checked.stderr)
        of_formulas = self.result("score", path, "--method", "exact", "--no-report", status=0)
        self.assertIn("simulation.command is not run here", self.finding(of_formulas, "simulator")["verdict"])

    def test_a_program_that_crashes_ends_with_status_1_and_its_own_words(self):
        path = self.file(LINEAR + "command = 'echo out of ink >&2; exit 3 > {output}'\n")
        done = self.run_gfdt("simulate", path)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("out of ink", done.stderr)
        self.assertNotIn("gfdt check", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose"])
