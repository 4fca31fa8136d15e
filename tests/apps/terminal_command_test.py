"""The command on a terminal: help, colours, widths, charts, completion and the manual page. Run as: terminal_command_test.py GFDT PROJECT_FOLDER"""

import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios
import unittest

from gfdt_command import CACHE, Command, GFDT

# A dozen parameters, whose sum is the mean.
MANY = "[model]\nstate = ['x']\n[model.parameters]\n" + "".join(f"force_{i} = 0.1\n" for i in range(1, 13)) + """
[model.drift]
x = "-x + {}"
[model.diffusion]
x = "0.7"
[observables]
m = "x"
v = "x^2"
[simulation]
dt = 0.02
members = 32
length = 50.0
""".format(" + ".join(f"force_{i}" for i in range(1, 13)))

CALIBRATED = """
[model]
state = ["温度"]
[model.parameters]
a_parameter_with_a_long_name = 3.0
[model.drift]
"温度" = "a_parameter_with_a_long_name - 温度"
[model.diffusion]
"温度" = "0.7"
[observables]
mean = "温度"
[targets]
mean = { value = 0.5, std = 0.01 }
[simulation]
dt = 0.02
members = 32
length = 100.0
"""


def help_of(*words):
    return subprocess.run([GFDT, *words, "--help"], capture_output=True, text=True, check=True).stdout


def commands():
    return re.findall(r"^  ([a-z]+) ", help_of(), re.M)


class Help(unittest.TestCase):
    def test_every_command_has_an_example_that_it_understands(self):
        self.assertGreater(len(commands()), 10)
        for command in commands():
            with self.subTest(command=command):
                text = help_of(command)
                examples = re.findall(r"^Example: (.*)$", text, re.M)
                self.assertTrue(examples)
                self.assertTrue(any(f"gfdt {command}" in example for example in examples))
                for option in re.findall(r" (--[a-z-]+)", " ".join(examples)):
                    self.assertIn(f"  {option}", text)

    def test_an_unknown_option_is_named_with_the_nearest_one(self):
        for words, expected in ((("calibrate", "a.toml", "--thread", "1"), "'gfdt calibrate' has no option '--thread'. Did you mean '--threads'?"),
                                (("simulate", "a.toml", "--zzz"), "'gfdt simulate' has no option '--zzz'. 'gfdt simulate --help'")):
            with self.subTest(words=words):
                done = subprocess.run([GFDT, *words], capture_output=True, text=True)
                self.assertEqual(done.returncode, 2)
                self.assertIn(expected, done.stderr)

    def test_commands_stand_in_the_order_of_work(self):
        self.assertEqual(commands(), ["init", "models", "reference", "check", "simulate", "score", "jacobian", "response", "calibrate",
                                      "report", "reproduce", "completion", "man"])
        self.assertLess(help_of().index("To begin:"), help_of().index("To get answers:"))
        self.assertIn("Example: gfdt init", help_of())


class Terminal(Command):
    def setUp(self):
        super().setUp()
        self.many = self.folder / "many.toml"
        self.many.write_text(MANY)

    def on_terminal(self, *arguments, columns=80, environment=None):
        """What a terminal of so many columns is sent."""
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        variables = {**os.environ, "GFDT_CACHE": CACHE, "TERM": "xterm", "LC_ALL": "C.UTF-8", **(environment or {})}
        for name in {"COLUMNS", "NO_COLOR"} - set(environment or {}):
            variables.pop(name, None)
        process = subprocess.Popen([GFDT, *map(str, arguments)], stdout=follower, stderr=subprocess.DEVNULL, cwd=self.folder, env=variables)
        os.close(follower)
        sent = b""
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            sent += part
        os.close(leader)
        process.wait()
        return sent.decode().replace("\r\n", "\n")

    def test_colours_are_for_terminals_and_can_be_refused(self):
        words = ("simulate", self.many)
        self.assertIn("\033[32m✓\033[0m", self.on_terminal(*words))
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn("\033", self.on_terminal(*words, environment=environment))
        self.assertIn("\033", self.on_terminal(*words, environment={"NO_COLOR": ""}))  # as good as not set
        self.assertNotIn("\033", self.on_terminal(*words, "--color", "never"))
        self.assertNotIn("\033", self.run_gfdt(*words, environment={"TERM": "xterm"}).stdout)
        self.assertIn("\033", self.run_gfdt(*words, "--color", "always", environment={"NO_COLOR": "1"}).stdout)

    def test_help_is_broken_at_the_width(self):
        for command in ([], ["jacobian"], ["reproduce"]):
            text = self.on_terminal(*command, "--help", columns=80)
            choices = [line for line in text.splitlines() if "{" in line]  # which are one word
            self.assertLessEqual(max(len(line) for line in text.split("Results and")[0].splitlines() if line not in choices), 80, text)
            self.assertNotIn("{false}", text)

    def test_wide_tables_are_cut_into_blocks(self):
        for columns in (80, 120):
            text = self.on_terminal("jacobian", self.many, "--no-report", columns=columns, environment={"NO_COLOR": "1"})
            self.assertLessEqual(max(map(len, text.splitlines())), columns, text)
            blocks = re.findall(r"∂<row>/∂column(.*)\n  m (.*)\n  v (.*)\n", text)
            self.assertGreater(len(blocks), 1)
            self.assertEqual(" ".join(heading for heading, _, _ in blocks).split(), [f"force_{i}" for i in range(1, 13)])
            for heading, first, second in blocks:
                self.assertEqual(len(heading.split()), len(first.split()))
                self.assertEqual(len(heading.split()), len(second.split()))
        piped = self.run_gfdt("jacobian", self.many, "--no-report").stdout
        self.assertRegex(piped, "∂<row>/∂column.* force_1 .* force_12\n")
        narrow = self.run_gfdt("jacobian", self.many, "--no-report", environment={"COLUMNS": "60"}).stdout
        self.assertLessEqual(max(map(len, narrow.splitlines())), 60)

    def test_entries_that_may_be_zero_are_set_back(self):
        # The mean does not depend on the noise, the variance does by dozens of errors. With this seed the entry of the mean is within two errors, as
        # in 95 of 100.
        self.many.write_text(MANY.replace("force_1 = 0.1", "force_1 = 0.1\nbeta = 0.7").replace('x = "0.7"', 'x = "beta"'))
        text = self.run_gfdt("jacobian", self.many, "--no-report", "--color", "always", "--parameters", "beta", "--score", "exact",
                             "--seed", "3").stdout
        self.assertRegex(text, r"\n  m +\033\[2m-?\d\.\d+\(\d+\)\033\[0m\n")
        self.assertRegex(text, r"\n  v +\d\.\d+\(\d+\)\n")

    def test_calibrations_draw_their_mismatch(self):
        file = self.folder / "c.toml"
        file.write_text(CALIBRATED)
        words = ("calibrate", file, "--no-report", "--overwrite")
        text = self.run_gfdt(*words, environment={"LC_ALL": "C.UTF-8"}).stdout
        chart = text[text.index("Mismatch by step"):].split("\n")[1:8]
        self.assertRegex(chart[0], r"^ +2\.\d+ ┤██")  # the guess is 3, the target 0.5
        self.assertTrue(any(line.endswith(" noise") for line in chart), chart)
        self.assertRegex(chart[6], r"^ +0 +\d+$")
        plain = self.run_gfdt(*words, environment={"LC_ALL": "C"}).stdout
        chart = plain[plain.index("Mismatch by step"):].split("\n")[1:8]
        self.assertTrue(all(line.isascii() for line in chart), chart)
        self.assertRegex(chart[0], r"^ +2\.\d+ \|##")
        # Steps stand below their headings.
        heading = next(line for line in text.splitlines() if line.startswith("  step "))
        first = next(line for line in text.splitlines() if re.match(r" +0 +2\.", line))
        self.assertEqual(len(heading), len(first))


@unittest.skipUnless(shutil.which("bash"), "there is no bash")
class Bash(Command):
    def complete(self, *words):
        """What bash offers for the last of the words."""
        quoted = " ".join(f"'{word}'" for word in words)
        script = f"""source <("{GFDT}" completion bash)
            complete -p gfdt >/dev/null || exit 3
            COMP_WORDS=(gfdt {quoted}); COMP_CWORD={len(words)}; _gfdt
            printf '%s\\n' "${{COMPREPLY[@]}}" """
        done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split("\n")[:-1]

    def test_commands(self):
        self.assertEqual(self.complete("re"), ["reference", "response", "report", "reproduce"])
        offered = self.complete("")
        for command in commands():
            self.assertIn(command, offered)

    def test_options_of_every_command(self):
        for command in commands():
            offered = self.complete(command, "--")
            lines = re.findall(r"(?m)^  (?:-\w,)?(--[a-z-]+)(?:,(--[a-z-]+))?", help_of(command))
            self.assertEqual(sorted(offered), sorted({name for names in lines for name in names if name}), command)

    def test_choices(self):
        self.assertEqual(self.complete("simulate", "--backend", ""), ["auto", "native", "interpreter"])
        self.assertEqual(self.complete("simulate", "--backend", "=", "n"), ["native"])
        self.assertIn("finite-difference", self.complete("jacobian", "--method", "f"))
        self.assertIn("ensemble-kalman", self.complete("calibrate", "--method", ""))
        self.assertEqual(self.complete("reproduce", "s"), ["scalar"])
        self.assertEqual(self.complete("completion", ""), ["bash", "zsh", "fish"])

    def test_lists(self):
        self.assertEqual(self.complete("jacobian", "--compare", "kgmm,fi"), ["kgmm,finite-difference"])
        self.assertNotIn("kgmm,kgmm", self.complete("jacobian", "--compare", "kgmm,"))

    def test_files(self):
        for name in ("a.toml", "b.txt", "with space.toml"):
            (self.folder / name).touch()
        (self.folder / "sub").mkdir()
        self.assertEqual(sorted(self.complete("check", "")), ["a.toml", "sub", "with space.toml"])
        self.assertEqual(self.complete("check", "--out", ""), ["sub"])
        self.assertIn("b.txt", self.complete("jacobian", "--score", ""))
        self.assertIn("kgmm", self.complete("jacobian", "--score", ""))
        self.assertEqual(self.complete("report", ""), ["sub"])

    def test_names_that_look_like_patterns(self):
        for name in ("run1.toml", "run[1].toml", "star*.toml", "starry.toml"):
            (self.folder / name).touch()
        for name in ("out1", "out[1]", "out?"):
            (self.folder / name).mkdir()
        self.assertEqual(sorted(self.complete("check", "run")), ["run1.toml", "run[1].toml"])
        self.assertEqual(sorted(self.complete("check", "star")), ["star*.toml", "starry.toml"])
        self.assertEqual(sorted(self.complete("jacobian", "--score", "run")), ["run1.toml", "run[1].toml"])
        self.assertEqual(sorted(self.complete("report", "out")), ["out1", "out?", "out[1]"])


class OtherShells(unittest.TestCase):
    def script(self, shell):
        return subprocess.run([GFDT, "completion", shell], capture_output=True, text=True, check=True).stdout

    def test_all_commands_and_options_are_in(self):
        for shell, option in (("zsh", "{}["), ("fish", " -l {} ")):
            script = self.script(shell)
            for command in commands():
                part = script[re.search(rf"(?m)^    {command}\)$|-a {command} -d", script).start():]
                for name in re.findall(r"(?m)^  --([a-z-]+)", help_of(command).split("Example")[0]):
                    self.assertIn(option.format("--" + name if shell == "zsh" else name), part, (shell, command))

    def test_shells_that_are_here_can_read_them(self):
        for shell in ("zsh", "fish"):
            if shutil.which(shell):
                done = subprocess.run([shell, "-n"], input=self.script(shell), capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), shell)

    def test_unknown_shells_are_refused(self):
        done = subprocess.run([GFDT, "completion", "tcsh"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("bash", done.stderr)


class Manual(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = subprocess.run([GFDT, "man"], capture_output=True, text=True, check=True).stdout

    def test_has_its_sections_and_all_commands(self):
        sections = re.findall(r"(?m)^\.SH (.*)$", self.page)
        for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "EXIT STATUS", "FILES", "ENVIRONMENT", "EXAMPLES"):
            self.assertIn(section, sections)
        for command in commands():
            self.assertRegex(self.page, rf"(?m)^\.SS \\fBgfdt {command}\\fR")
        for name in ("NO_COLOR", "GFDT_CACHE"):
            self.assertIn(f".B {name}\n", self.page)
        text = self.page.replace("\\-", "-")
        for command in commands():
            for option in re.findall(r"(?m)^  (--[a-z-]+)", help_of(command)):
                self.assertIn(f"\\fB{option}\\fR", text)

    def test_lines_that_begin_with_a_point_are_requests(self):
        for line in self.page.splitlines():
            if line.startswith((".", "'")):
                self.assertRegex(line, r"^\.(TH|SH|SS|TP|B|BR|I|IR|PP|nf|fi|RS|RE|nh|ad)\b")
        self.assertEqual(self.page.count(".nf\n"), self.page.count(".fi\n"))
        self.assertEqual(self.page.count(".RS\n"), self.page.count(".RE\n"))

    def test_formatters_have_nothing_to_say(self):
        for command in (["mandoc", "-Tlint", "-Wwarning"], ["groff", "-man", "-ww", "-Kutf8", "-Tutf8", "-z"]):
            if shutil.which(command[0]):
                done = subprocess.run(command, input=self.page, capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
