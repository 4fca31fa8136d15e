"""The command as a user meets it: what it prints, what it writes, how it ends. Run as: command_test.py GFDT PROJECT_FOLDER"""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from gfdt_command import CACHE, Command, GFDT, PROJECT

SMALL = """
[model]
state = ["x"]
[model.parameters]
alpha = 1.0
beta = 1.0
[model.drift]
x = "-alpha*x"
[model.diffusion]
x = "beta"
[observables]
variance = "x^2"
[simulation]
dt = 0.01
members = 32
length = 50.0
"""


class SmallProblem(Command):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "small.toml"
        self.file.write_text(SMALL)

    def simulate_json(self, *arguments, **options):
        done = self.run_gfdt("simulate", self.file, "--json", "-", *arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)


class Simulate(SmallProblem):
    def test_prints_statistics_with_errors_and_checks(self):
        done = self.run_gfdt("simulate", self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"variance +0\.\d+\(\d\d\)")
        self.assertIn("No problems detected.", done.stdout)

    def test_json_has_the_documented_fields_in_the_order_of_the_file(self):
        self.file.write_text(SMALL.replace('variance = "x^2"', 'z = "x^2"\na = "x"\nm = "x > 1"'))
        result = self.simulate_json()
        self.assertEqual(result["observables"], ["z", "a", "m"])
        for field in ("statistics", "statistics_error", "autocorrelation_time"):
            self.assertEqual(len(result[field]), 3)
            self.assertTrue(all(isinstance(value, float) for value in result[field]))
        self.assertEqual(result["replaced_members"], 0)
        self.assertEqual(result["seed"], 1)
        self.assertAlmostEqual(result["simulated_time"], 32 * (50 + self.burn_in(result)), places=6)
        self.assertGreater(result["wall_seconds"], 0)
        self.assertEqual(result["provenance"]["problem_text"], self.file.read_text())

    def test_same_seed_same_bits_on_any_number_of_threads(self):
        results = [self.simulate_json("--threads", n)["statistics"] for n in (1, 2, 3, 8)]
        self.assertTrue(all(result == results[0] for result in results))
        self.assertNotEqual(self.simulate_json("--seed", 2)["statistics"], results[0])

    def test_models_that_depend_on_time(self):
        forced = SMALL.replace("-alpha*x", "-alpha*x + cos(t)")
        self.file.write_text(forced)
        self.assert_bad_input(self.run_gfdt("simulate", self.file), "'time = true'")
        for change, words in (("model.period=2.5", "21 whole periods of 2.5"), ("model.time=true", "no long-run averages")):
            set_time = ("--set", change, "--set", "length=53")
            done = self.run_gfdt("simulate", self.file, *set_time)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(words, done.stdout)
            self.assert_bad_input(self.run_gfdt("score", self.file, *set_time), "depends on time")
            checked = self.run_gfdt("check", self.file, *set_time)
            self.assertIn("Model: x (1 state variable)", checked.stdout)
            self.assertIn("depends on the time t", checked.stdout)

    def test_interpreter_agrees_with_generated_code(self):
        native = self.simulate_json("--backend", "native")["statistics"][0]
        interpreted = self.simulate_json("--backend", "interpreter")["statistics"][0]
        self.assertAlmostEqual(native, interpreted, places=9)

    def burn_in(self, result):
        verdict = next(f for f in result["findings"] if f["check"] == "burn-in")["verdict"]
        return float(verdict.split(":")[0])

    def test_set_changes_an_entry(self):
        result = self.simulate_json("--set", "simulation.members=16", "--set", "beta=2")
        self.assertAlmostEqual(result["simulated_time"], 16 * (50 + self.burn_in(result)), places=6)
        # Variance beta^2/(2 alpha) = 2; 16 members of 50 time units: a deviation of 7 standard errors has odds below 1e-5.
        self.assertLess(abs(result["statistics"][0] - 2), 7 * result["statistics_error"][0])

    def test_quiet_prints_nothing(self):
        done = self.run_gfdt("simulate", self.file, "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_writes_results_and_trajectory_to_a_folder(self):
        done = self.run_gfdt("simulate", self.file, "--out", "runs/first", "--trajectory", "states.csv", "--set", "simulation.length=1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads((self.folder / "runs/first/simulate.json").read_text())["observables"], ["variance"])
        lines = [line for line in (self.folder / "runs/first/states.csv").read_text().splitlines() if not line.startswith("#")]
        self.assertEqual(len(lines), 1 + 32 * 100)

    def test_memory_does_not_depend_on_the_length(self):
        def peak(length, *options):
            variables = {**os.environ, "GFDT_CACHE": CACHE}
            arguments = [GFDT, "simulate", str(self.file), "--quiet", "--set", f"simulation.length={length}", *options]
            _, status, usage = os.wait4(os.posix_spawn(GFDT, arguments, variables), 0)
            self.assertEqual(os.waitstatus_to_exitcode(status), 0)
            return usage.ru_maxrss

        peak(10)
        # A run of length 1000 has filled all buffers. A control variate keeps some of the states, of a longer run no more.
        for options in ([], ["--no-control-variate"]):
            self.assertLess(peak(20000, *options), 1.1 * peak(1000, *options))

    def test_an_unstable_model_ends_with_status_1_and_says_why(self):
        self.file.write_text(SMALL.replace("-alpha*x", "alpha*x^3"))
        done = self.run_gfdt("simulate", self.file)
        self.assertEqual(done.returncode, 1)
        self.assertIn("blew up", done.stdout)

    def test_brownian_motion_is_not_stationary(self):
        self.file.write_text(SMALL.replace("-alpha*x", "0").replace("members = 32", "members = 100"))
        done = self.run_gfdt("simulate", self.file)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, "✗ (stationarity|mixing)")
        self.assertNotIn("No problems detected", done.stdout)

    def test_without_a_compiler_it_interprets_and_says_so_once(self):
        done = self.run_gfdt("simulate", self.file, environment={"GFDT_CXX": "/nowhere/c++"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("No C++ compiler"), 1)

    def test_with_a_compiler_that_fails_it_interprets_and_says_so_once(self):
        compiler = self.folder / "compiler"
        compiler.write_text('#!/bin/sh\n[ "$1" = --version ] && echo mine 1.0 && exit\necho no licence >&2\nexit 3\n')
        compiler.chmod(0o755)
        self.file.write_text(SMALL + '\n[targets]\nvariance = { value = 0.6, std = 0.01 }\n[calibration]\nfree = ["beta"]\n')
        failing = {"GFDT_CXX": str(compiler)}
        for command in (("simulate",), ("check",), ("jacobian", "--out", "jacobian"), ("calibrate", "--out", "run")):
            done = self.run_gfdt(command[0], self.file, *command[1:], environment=failing)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(done.stderr.count("no licence"), 1, done.stderr)
            self.assertIn("interpreted instead", done.stderr)
        self.assertEqual(json.loads((self.folder / "run" / "run.json").read_text())["identity"]["backend"], "interpreter")
        done = self.run_gfdt("simulate", self.file, "--backend", "native", environment=failing)
        self.assert_bad_input(done, "no licence", "--backend interpreter needs no compiler")

    def test_interrupt_ends_with_status_1(self):
        arguments = [GFDT, "simulate", str(self.file), "--set", "simulation.length=1e8"]
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "GFDT_CACHE": CACHE})
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 1)
        self.assertIn("stopped", output)


class Outcomes(SmallProblem):
    def test_quiet_still_says_why_a_run_cannot_be_used(self):
        self.file.write_text(SMALL.replace("-alpha*x", "alpha*x^3"))
        done = self.run_gfdt("simulate", self.file, "--quiet")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("blew up", done.stderr)

    def test_an_observable_that_is_not_a_number_ends_with_status_1(self):
        self.file.write_text(SMALL.replace('"x^2"', '"log(x)"'))
        done = self.run_gfdt("simulate", self.file, "--json", "-")
        self.assertEqual(done.returncode, 1)
        result = json.loads(done.stdout)
        self.assertEqual((result["status"], result["statistics"], result["statistics_error"]), ("undefined", [None], [None]))
        self.assertIn("undefined", done.stderr)

    def test_targets_stand_beside_the_statistics(self):
        self.file.write_text(SMALL + "[targets]\nvariance = { value = 5.0, std = 0.1 }\n")
        self.assertRegex(self.run_gfdt("simulate", self.file).stdout, r"5\.00\(10\) +-\d+\.\d σ")

    def test_targets_may_have_a_covariance_or_come_from_data(self):
        self.file.write_text(SMALL + "[targets]\nvariance = 5.0\ncovariance = [[0.01]]\n")
        self.assertRegex(self.run_gfdt("simulate", self.file).stdout, r"5\.00\(10\) +-\d+\.\d σ")
        (self.folder / "d.csv").write_text("measured\n" + "".join(f"{i * i % 97 % 7 - 3}\n" for i in range(400)))
        self.file.write_text(SMALL + "[targets]\ndata = 'd.csv'\ncolumns = { x = 'measured' }\n")
        self.assertRegex(self.run_gfdt("simulate", self.file).stdout, r"3\.26\(\d\d\) +-\d+\.\d σ")
        self.file.write_text(SMALL + "[targets]\ndata = 'e.csv'\n")
        self.assert_bad_input(self.run_gfdt("simulate", self.file), "small.toml:18:9: The file '", "e.csv' cannot be opened")

    def test_the_record_of_el_nino_gives_targets(self):
        done = self.run_gfdt("simulate", PROJECT / "examples" / "enso.toml", "--set", "length=100")
        self.assertEqual(done.returncode, 0, done.stderr)
        # Mean, mean square and share above 1 °C of the record's 912 values.
        for value in (r"-0\.177\(", r"0\.79\(", r"0\.090\("):
            self.assertRegex(done.stdout, value)
        self.assertIn("The record is short", done.stdout)

    def test_the_triad_of_el_nino_knows_the_memory_of_the_record(self):
        data = PROJECT / "examples" / "data"
        made = subprocess.run([sys.executable, data / "filter.py", data / "nino34.csv", "nino34", "3", "12"],
                              stdout=subprocess.PIPE, check=True, text=True)
        self.assertEqual(made.stdout, (data / "nino34_filtered.csv").read_text())
        done = self.run_gfdt("simulate", PROJECT / "examples" / "enso_triad.toml", "--set", "length=200", "--set", "members=16")
        self.assertEqual(done.returncode, 0, done.stderr)
        # Mean squares of the record and of its two filtered copies.
        for value in (r"square .*0\.79\(", r"memory3 .*0\.590\(", r"memory12 .*0\.252\("):
            self.assertRegex(done.stdout, value)

    def test_check_finds_a_time_step_that_matters(self):
        self.file.write_text(SMALL.replace("dt = 0.01", "dt = 0.5").replace("length = 50.0", "length = 5000.0"))
        done = self.run_gfdt("check", self.file)
        self.assertIn("✗ time step: Halving dt moves variance", done.stdout)
        self.assertNotIn("No problems detected", done.stdout)


class BadInput(SmallProblem):
    def test_commands_and_seeds(self):
        self.assert_bad_input(self.run_gfdt("simluate", self.file), "Did you mean 'simulate'?")
        for seed in ("-3", "18446744073709551616", "x", "1.5"):
            self.assert_bad_input(self.run_gfdt("simulate", self.file, "--seed", seed), "whole number")

    def test_errors_have_file_line_column_and_caret(self):
        self.file.write_text(SMALL.replace("-alpha*x", "-alpah*x"))
        done = self.run_gfdt("simulate", self.file)
        self.assert_bad_input(done, "Did you mean 'alpha'?")
        self.assertRegex(done.stderr, r"small\.toml:8:7: ")
        lines = done.stderr.splitlines()
        self.assertEqual(lines[2].index("^"), lines[1].index("alpah"))

    def test_unknown_keys_name_the_nearest(self):
        self.file.write_text(SMALL.replace("members", "membres"))
        self.assert_bad_input(self.run_gfdt("simulate", self.file), "Did you mean 'members'?")

    def test_bad_values(self):
        for wrong in ("dt = 0.0", "dt = -1.0", "dt = nan", "dt = inf", 'dt = "x"'):
            self.file.write_text(SMALL.replace("dt = 0.01", wrong))
            self.assert_bad_input(self.run_gfdt("simulate", self.file), "small.toml:14")
        for wrong in ("members = 0", "members = -3", "members = 1.5"):
            self.file.write_text(SMALL.replace("members = 32", wrong))
            self.assert_bad_input(self.run_gfdt("simulate", self.file), "small.toml:15")
        for wrong in ("alpha = nan", "alpha = inf"):
            self.file.write_text(SMALL.replace("alpha = 1.0", wrong))
            self.assert_bad_input(self.run_gfdt("simulate", self.file), "small.toml:5")

    def test_hostile_formulas(self):
        for formula in ("1/0", "x/(1-1)", "((x)", "(" * 1000000, "sin(" * 5000 + "x" + ")" * 5000, "x +", ""):
            self.file.write_text(SMALL.replace("-alpha*x", formula))
            self.assert_bad_input(self.run_gfdt("simulate", self.file, timeout=20), "small.toml:8")
        self.file.write_bytes(SMALL.encode().replace(b"-alpha*x", b"-alpha*\xff\xfe"))
        self.assert_bad_input(self.run_gfdt("simulate", self.file), "UTF-8")

    def test_recursive_definitions(self):
        self.file.write_text(SMALL.replace("[model.drift]", '[model.formulas]\np = "q"\nq = "p + 1"\n[model.drift]').replace("-alpha*x", "p"))
        self.assert_bad_input(self.run_gfdt("simulate", self.file), "recursive")

    def test_missing_things(self):
        self.assert_bad_input(self.run_gfdt("simulate", "nowhere.toml"), "nowhere.toml")
        self.assert_bad_input(self.run_gfdt("simulate", self.folder), str(self.folder))
        self.assert_bad_input(self.run_gfdt("simulate"), "file")
        self.assert_bad_input(self.run_gfdt("simluate", self.file))
        self.assert_bad_input(self.run_gfdt())
        self.file.write_text(SMALL.replace('x = "-alpha*x"', ""))
        self.assert_bad_input(self.run_gfdt("simulate", self.file), "no drift")

    def test_an_unwritable_folder_is_found_out_before_the_run(self):
        (self.folder / "file").write_text("")
        self.assert_bad_input(self.run_gfdt("simulate", self.file, "--out", "file/below"), "cannot be written")
        self.assert_bad_input(self.run_gfdt("simulate", self.file, "--json", "nowhere/result.json"), "nowhere")

    def test_a_full_disk_is_reported(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([GFDT, "simulate", str(self.file), "--json", "-"], stdout=full, stderr=subprocess.PIPE, text=True,
                                  env={**os.environ, "GFDT_CACHE": CACHE})
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot be written", done.stderr)

    def test_no_output_is_lost_without_a_word(self):
        for arguments in (("simulate", self.file), ("models",), ("reference",), ("man",), ("--help",), ("--version",), ("simulate", "--help")):
            with open("/dev/full", "w") as full:
                done = subprocess.run([GFDT, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE, text=True, cwd=self.folder,
                                      env={**os.environ, "GFDT_CACHE": CACHE})
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn("cannot be written", done.stderr)

    def test_deep_formulas_need_no_large_stack(self):
        deep = 199
        self.file.write_text(SMALL.replace('"-alpha*x"', f'"-alpha*x + {"sin(" * deep}x{")" * deep}"'))
        small = lambda: resource.setrlimit(resource.RLIMIT_STACK, (1 << 18, 1 << 18))
        done = self.run_gfdt("check", self.file, "--backend", "interpreter", preexec_fn=small)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_limit_of_the_size_of_files_is_reported(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        for arguments in (("--json", "result.json"), ("--trajectory", "states.csv")):
            done = self.run_gfdt("simulate", self.file, "--backend", "interpreter", *arguments, preexec_fn=limit)
            self.assert_bad_input(done, "cannot be written: File too large")
        self.assertEqual([path.name for path in self.folder.iterdir()], [self.file.name])

    @unittest.skipIf(os.environ.get("GFDT_SANITIZE"), "sanitizers reserve more address space than this test allows")
    def test_a_run_that_needs_too_much_memory_is_refused_with_a_value_that_fits(self):
        self.file.write_text(SMALL + "\n[targets]\nvariance = { value = 0.5, std = 0.1 }\n")
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        short = ("--set", "simulation.length=2", "--backend", "interpreter", "--threads", "2")
        for command in ("calibrate", "jacobian", "simulate"):
            done = self.run_gfdt(command, self.file, *short, "--set", "simulation.members=3000000", preexec_fn=limit)
            self.assert_bad_input(done, "GB of memory", "available", "simulation.members = ")
        fits = re.search(r"simulation\.members = (\d+) would fit", done.stderr)[1]
        done = self.run_gfdt("simulate", self.file, *short, "--set", f"simulation.members={fits}", preexec_fn=limit)
        self.assertNotIn("memory", done.stderr)
        self.assertNotEqual(done.returncode, 2, done.stderr)

    def test_results_do_not_replace_what_is_read(self):
        self.file.write_text(SMALL + "\n[targets]\nvariance = { value = 0.5, std = 0.1 }\n")
        before = self.file.read_text()
        (self.folder / "link.json").symlink_to(self.file)
        os.link(self.file, self.folder / "other-name.json")
        for command in ("simulate", "check", "jacobian", "score", "calibrate"):
            for name in (self.file, "link.json", "other-name.json"):
                self.assert_bad_input(self.run_gfdt(command, self.file, "--json", name), "is an input of this command")
        self.assert_bad_input(self.run_gfdt("score", self.file, "--save", self.file), "is an input of this command")
        (self.folder / "states.csv").symlink_to(self.file)
        self.assert_bad_input(self.run_gfdt("simulate", self.file, "--trajectory", "states.csv"), "is an input of this command")
        self.assertEqual(self.file.read_text(), before)

    def test_data_files_are_not_replaced(self):
        data = self.folder / "data.csv"
        rows = "time,x\n" + "".join(f"{n},{n % 7}\n" for n in range(2000))
        data.write_text(rows)
        self.file.write_text(SMALL + '\n[targets]\ndata = "data.csv"\n')
        for command in ("simulate", "calibrate"):
            self.assert_bad_input(self.run_gfdt(command, self.file, "--json", data), "is an input of this command")
        self.assert_bad_input(self.run_gfdt("jacobian", self.file, "--trajectory", data, "--json", data), "is an input of this command")
        self.assertEqual(data.read_text(), rows)

    def test_code_in_a_cache_that_others_can_write_is_not_run(self):
        shared = self.folder / "shared"
        shared.mkdir()
        shared.chmod(0o777)
        done = self.run_gfdt("simulate", self.file, environment={"GFDT_CACHE": str(shared)})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Others may write", done.stderr)
        done = self.run_gfdt("simulate", self.file, "--backend", "native", environment={"GFDT_CACHE": str(shared)})
        self.assert_bad_input(done, "Others may write")
        self.assertEqual(list(shared.iterdir()), [])


class OtherCommands(SmallProblem):
    def test_models_lists_and_prints(self):
        listing = self.run_gfdt("models").stdout
        for path in (PROJECT / "models").glob("*.toml"):
            self.assertIn(path.stem, listing)
            self.assertEqual(self.run_gfdt("models", path.stem).stdout, path.read_text())
        self.assert_bad_input(self.run_gfdt("models", "traid"), "Did you mean 'triad'?")

    def test_init_gives_a_file_that_checks_and_simulates(self):
        self.assertEqual(self.run_gfdt("init", "mine").returncode, 0)
        checked = self.run_gfdt("check", "mine.toml", "--derivatives")
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        self.assertIn("g_sigma = ", checked.stdout)
        self.assertNotIn("✗", checked.stdout)
        self.assertEqual(self.run_gfdt("simulate", "mine.toml", "--set", "simulation.length=100").returncode, 0)
        before = (self.folder / "mine.toml").read_text()
        self.assert_bad_input(self.run_gfdt("init", "mine"), "there already")
        self.assertEqual((self.folder / "mine.toml").read_text(), before)

    def test_check_prints_the_conjugates_of_the_paper(self):
        done = self.run_gfdt("check", PROJECT / "experiments/triad.toml", "--derivatives")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for line in ("g_d_u = 2 + s.u1*u1 + s.u2*u2", "g_omega = s.u1*u2 - s.u2*u1", "g_d_tau = 1 + s.tau*tau",
                     "g_sigma1 = sigma1*(ds.u1.u1 + s.u1^2)", "g_sigma3 = sigma3*(1 + tanh(u1))^2*(ds.tau.tau + s.tau^2)"):
            self.assertIn(line, done.stdout)
        self.assertIn("The run of this file takes", done.stdout)

    def test_check_shortens_formulas_that_are_endless_when_written_out(self):
        levels = "\n".join(f'e{i} = "sin(e{i - 1})*e{i - 1} + 0.5"' for i in range(1, 61))
        file = self.folder / "nested.toml"
        file.write_text(SMALL.replace("-alpha*x", "-x + 0.1*alpha*tanh(e60)") + f'[model.formulas]\ne0 = "x"\n{levels}\n')
        done = self.run_gfdt("check", file, timeout=120)
        self.assertIn("drift of x: ", done.stdout, done.stderr)
        self.assertLess(len(done.stdout), 100_000)

    def test_every_shipped_experiment_checks(self):
        for path in sorted((PROJECT / "experiments").glob("*.toml")):
            done = self.run_gfdt("check", path, "--derivatives")
            self.assertEqual(done.returncode, 0, path.name + done.stdout + done.stderr)

    def test_version_and_help(self):
        self.assertRegex(self.run_gfdt("--version").stdout, r"^gfdt \d+\.\d+\.\d+$")
        self.assertIn("simulate", self.run_gfdt("--help").stdout)

    def test_the_example_in_the_readme_runs(self):
        text = re.search(r"```toml\n(.*?)```", (PROJECT / "README.md").read_text(), re.S).group(1)
        self.file.write_text(text)
        self.assertEqual(self.run_gfdt("simulate", self.file).returncode, 0)

    def test_ten_lines_of_toml_and_twenty_of_cpp_say_the_same(self):
        toml = PROJECT / "examples/ornstein_uhlenbeck.toml"
        self.assertLessEqual(len(toml.read_text().splitlines()), 10)
        done = self.run_gfdt("simulate", toml, "--json", "-")
        mean = json.loads(done.stdout)["plain_statistics"][0]
        program = Path(GFDT).parent / "examples/example_ornstein_uhlenbeck"
        printed = subprocess.run([program], capture_output=True, text=True, env={**os.environ, "GFDT_CACHE": CACHE}).stdout
        self.assertIn(f"variance = {mean:.4f}", printed)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose"])
