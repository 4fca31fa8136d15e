"""Builds the compiled part of the Python package with CMake.

GFDT_BUILD names the folder of a build to take it from; without it everything is built anew.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
VERSION = re.search(r"project\(gfdt VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
(ROOT / "build-python").mkdir(exist_ok=True)


def configure(folder):
    options = ["-DGFDT_PYTHON=ON", "-DGFDT_TESTS=OFF", f"-DPython_EXECUTABLE={sys.executable}"]
    try:
        import pybind11

        options.append(f"-Dpybind11_DIR={pybind11.get_cmake_dir()}")
    except ImportError:
        pass  # the system's is found
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, *generator, *options], check=True)


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        given = os.environ.get("GFDT_BUILD")
        folder = (ROOT / given) if given else Path(self.build_temp).resolve() / "cmake"
        if not given:
            configure(folder)
            subprocess.run(["cmake", "--build", folder, "--target", "_gfdt", "--parallel"], check=True)
        built = folder / "python" / "gfdt" / ("_gfdt" + sysconfig.get_config_var("EXT_SUFFIX"))
        if not built.exists():
            raise SystemExit(f"There is no '{built}', for {sys.executable}: run make first, or leave out GFDT_BUILD.")
        place = Path(self.get_ext_fullpath(extension.name))
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(built, place)


setup(version=VERSION, ext_modules=[Extension("gfdt._gfdt", [])], cmdclass={"build_ext": CMakeBuild})
