"""What README.md and docs/ say is so: links and files exist, names are in the source, problem files are read, commands exist or are run.

  python3 tests/docs_test.py build/gfdt .

Run, with small settings that this test adds: every command of RUN_ALL (the tutorial, in order, in an empty folder that holds the files it shows), and
the commands of RUN. All other commands are only parsed: the command and its options are in its help. Of what a command of the tutorial prints, the first line shown must
be in what it really printed, whatever its numbers.
"""

import functools
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

GFDT = Path(sys.argv[1]).resolve()
PROJECT = Path(sys.argv[2]).resolve()
PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]
RUN_ALL = "tutorial.md"
RUN = ["gfdt models", "gfdt reference simulation", "gfdt reproduce", "gfdt calibrate climate.toml"]
SMALL = {
    "check": ["--set", "simulation.length=40"],
    "simulate": ["--set", "simulation.length=40"],
    "score": ["--set", "simulation.length=40", "--set", "score.samples=5000", "--set", "score.epochs=5"],
    "jacobian": ["--set", "simulation.length=40", "--set", "score.samples=5000", "--set", "score.epochs=5", "--set", "response.samples=20000"],
    "calibrate": ["--set", "simulation.length=40", "--set", "score.samples=5000", "--set", "score.epochs=5", "--set", "response.samples=20000",
                  "--set", "calibration.iterations=2"],
}


def prose(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)


def slug(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@functools.cache
def sources():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=PROJECT, capture_output=True, text=True)
    return listed.stdout.split("\n") if listed.returncode == 0 else [str(p.relative_to(PROJECT)) for p in PROJECT.rglob("*") if p.is_file()]


@functools.cache
def headers(folder):
    return "\n".join(file.read_text() for file in (PROJECT / "src" / "gfdt" / folder).rglob("*.hpp"))


@functools.cache
def code():
    return "\n".join(file.read_text() for folder in ("src", "apps") for file in (PROJECT / folder).rglob("*.[hc]pp"))


@functools.cache
def python():
    return "\n".join(file.read_text() for file in (PROJECT / "python").rglob("*.py"))


@functools.cache
def help_of(command):
    return subprocess.run([GFDT, *command.split(), "--help"], capture_output=True, text=True).stdout


@functools.cache
def commands():
    return set(re.findall(r"^  (\w+) ", help_of(""), re.M))


def code_blocks(text):
    """Blocks of code as (language, marker above it, lines)."""
    for match in re.finditer(r"(?:<!-- (.*?) -->\n)?^```(\w*)\n(.*?)^```", text, re.M | re.S):
        yield match.group(2), match.group(1) or "", match.group(3).splitlines()
    for match in re.finditer(r"(?:^    .*\n(?:\n(?=    ))?)+", prose(text), re.M):
        yield "", "", [line[4:] for line in match.group(0).splitlines()]


def command_lines(text):
    """Commands with the lines shown below them, up to the next."""
    for language, _, lines in code_blocks(text):
        if language == "toml":
            continue
        current = None
        for line in lines:
            match = re.match(r"(?:\$ )?(?:build/)?(gfdt [a-z].*)", line)
            if match:
                if current:
                    yield current
                current = (re.split(r" {3,}", match.group(1))[0], [])
            elif current:
                current[1].append(line)
        if current:
            yield current


def skeleton(line):
    return " ".join(re.sub(r"[-+]?\d[\d.]*(e[-+]?\d+)?", "#", line).split())


class Docs(unittest.TestCase):
    def test_links_lead_somewhere(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)\s]+)\)", prose(page.read_text())):
                if re.match(r"https?:", target):
                    continue
                file, _, anchor = target.partition("#")
                path = (page.parent / file) if file else page
                with self.subTest(page=page.name, link=target):
                    self.assertTrue(path.exists(), "there is no such file")
                    if anchor:
                        headings = re.findall(r"^#+ (.*)$", prose(path.read_text()), re.M)
                        self.assertIn(anchor, [slug(heading) for heading in headings])

    def test_names_are_in_the_source(self):
        seen = 0
        folders = {path.name for path in (PROJECT / "src" / "gfdt").iterdir() if path.is_dir()}
        for page in PAGES:
            for span in re.findall(r"`([^`\n]+)`", prose(page.read_text())):
                with self.subTest(page=page.name, name=span):
                    for folder, name in re.findall(r"\b([a-z_]+)::(\w+)", span):
                        if folder in ("std", "gfdt"):
                            continue
                        self.assertIn(folder, folders)
                        self.assertTrue(re.search(rf"\b{name}\b", headers(folder)), f"no header of {folder} has {name}")
                        seen += 1
                    if re.fullmatch(r"[a-z_]+\(\)", span):
                        self.assertRegex("\n".join([*map(headers, folders), python()]), rf"\b{span[:-2]}\(")
                        seen += 1
                    if re.fullmatch(r"[\w.\-/]+\.(hpp|cpp|py|toml|json|md|cmake|svg|html)", span):
                        if "/" not in span and span.endswith((".toml", ".score.json")) or span.startswith("stages/"):
                            continue  # the reader's own, or a run's
                        there = any(("/" + file).endswith("/" + span) for file in sources())
                        self.assertTrue(there or f'"{span}"' in code(), "there is no such file, and none of that name is written")
                        seen += 1
        self.assertGreater(seen, 100, "the test does not see the names")

    def test_targets_of_make_exist(self):
        makefile = (PROJECT / "Makefile").read_text()
        for page in PAGES:
            for target in re.findall(r"(?:`|^    (?:\$ )?)make ([a-z]+)", page.read_text(), re.M):
                with self.subTest(page=page.name, target=target):
                    self.assertRegex(makefile, rf"(?m)^{target}:")

    def test_keys_of_problem_files_are_known(self):
        known, section = set(), ""
        for line in (PROJECT / "docs" / "reference.md").read_text().splitlines():
            heading = re.match(r"##+ `\[(.*)\]`", line)
            section = heading.group(1) if heading else section
            row = re.match(r"\| `(\w+)` \|", line)
            if row:
                known.add(f"{section}.{row.group(1)}")
        seen = 0
        for page in PAGES:
            for span in re.findall(r"`([^`\n]+)`", prose(page.read_text())):
                for key in re.findall(r"(?<![\w./-])(?:simulation|score|response|calibration)\.[a-z_]+", span):
                    if key.endswith((".md", ".json", ".hpp", ".cpp", ".toml")):
                        continue
                    with self.subTest(page=page.name, key=key):
                        self.assertIn(key, known)
                        seen += 1
        self.assertGreater(seen, 15, "the test does not see the keys")

    def test_the_reference_is_what_the_command_prints(self):
        printed = subprocess.run([GFDT, "reference"], capture_output=True, text=True).stdout
        self.assertEqual(printed, (PROJECT / "docs" / "reference.md").read_text(), "docs/reference.md is old: make docs renews it.")

    def test_commands_and_options_exist(self):
        seen = 0
        for page in PAGES:
            text = page.read_text()
            lines = [line for line, _ in command_lines(text)] + re.findall(r"`(gfdt [a-z][^`]*)`", prose(text))
            for line in lines:
                words = shlex.split(line.replace("…", ""))
                command = words[1].split("|")[0]
                with self.subTest(page=page.name, line=line):
                    self.assertIn(command, commands())
                    for option in words[2:]:
                        if option.startswith("--"):
                            self.assertRegex(help_of(command), rf"(?<![\w-]){option.split('=')[0]}(?![\w-])")
                    seen += 1
        self.assertGreater(seen, 40, "the test does not see the commands")


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.cache.cleanup()

    def run_line(self, line, folder):
        words = shlex.split(line)
        words[2:2] = [] if "--resume" in words and "--set" in words else SMALL.get(words[1], [])
        variables = {**os.environ, "GFDT_CACHE": os.environ.get("GFDT_TEST_CACHE", self.cache.name), "COLUMNS": ""}
        done = subprocess.run([GFDT, *words[1:]], capture_output=True, text=True, cwd=folder, env=variables)
        # Small runs need not pass their own checks; what they are asked for must make sense.
        self.assertIn(done.returncode, (0, 1), f"{line}\n{done.stdout}{done.stderr}")
        return done.stdout

    def test_problem_files_are_read(self):
        whole = 0
        for page in PAGES:
            for language, _, lines in code_blocks(page.read_text()):
                if language != "toml":
                    continue
                text = "\n".join(lines) + "\n"
                with self.subTest(page=page.name, text=text[:80]):
                    problem = tomllib.loads(text)
                    if "state" not in problem.get("model", {}):
                        continue  # a part of one: it is TOML, no more is checked
                    whole += 1
                    with tempfile.TemporaryDirectory() as folder:
                        (Path(folder) / "p.toml").write_text(text)
                        self.run_line("gfdt check p.toml --backend interpreter", folder)
        self.assertGreaterEqual(whole, 2)

    def test_the_first_page_shows_its_example(self):
        blocks = ["\n".join(lines) + "\n" for language, _, lines in code_blocks((PROJECT / "README.md").read_text()) if language == "toml"]
        self.assertEqual(blocks, [(PROJECT / "examples" / "climate.toml").read_text()])

    def test_commands_of_other_pages(self):
        lines = {line for page in PAGES for line, _ in command_lines(page.read_text())}
        lines |= {line for page in PAGES for line in re.findall(r"`(gfdt [a-z][^`]*)`", prose(page.read_text()))}
        for line in RUN:
            with self.subTest(line=line):
                self.assertIn(line, lines, "it is in no page any more")
                with tempfile.TemporaryDirectory() as folder:  # what it writes is not to stay in the project
                    for name in ("examples", "experiments", "models"):
                        (Path(folder) / name).symlink_to(PROJECT / name)
                    (Path(folder) / "climate.toml").symlink_to(PROJECT / "examples" / "climate.toml")
                    self.assertNotEqual(self.run_line(line, folder), "")

    def test_the_tutorial(self):
        text = (PROJECT / "docs" / RUN_ALL).read_text()
        ran = set()
        with tempfile.TemporaryDirectory() as folder:
            files = {marker.split(": ")[1]: "\n".join(lines) + "\n" for _, marker, lines in code_blocks(text) if marker.startswith("file: ")}
            self.assertTrue(files)
            for line, shown in command_lines(text):
                with self.subTest(line=line):
                    printed = self.run_line(line, folder)
                    first = next((part for part in shown if part.strip(" …")), "")
                    self.assertIn(skeleton(first), [skeleton(part) for part in printed.splitlines()] + [""], f"{line} printed\n{printed}")
                ran.add(line.split()[1])
                for name, content in files.items():
                    (Path(folder) / name).write_text(content)
        self.assertLessEqual({"init", "check", "simulate", "score", "jacobian", "calibrate", "report"}, ran)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
