"""All code for GPUs compiles by NVIDIA's compiler, where this machine has it; no GPU is needed.
usage: real_compiler_test.py GFDT ROOT TESTS FOLDER of an emulated GPU's libraries"""

import ctypes
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

GFDT, ROOT, TESTS, EMULATED = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
SKIPPED = 77
OPTIONS = (b"--gpu-architecture=sm_90", b"--std=c++17", b"--extra-device-vectorization")

SHORT = ("--quiet", "--device", "cuda", "--set", "simulation.members=2", "--set", "simulation.length=1.0", "--set", "simulation.burn_in=0.0")
RUNS = (
    (GFDT, "simulate", ROOT / "experiments" / "lorenz96.toml", "--no-control-variate", *SHORT),
    (GFDT, "simulate", ROOT / "models" / "lorenz96-two-scale.toml", "--no-control-variate", "--set", 'observables.mu="mean(k, X[k])"', *SHORT),
    (GFDT, "jacobian", ROOT / "experiments" / "triad.toml", "--method", "likelihood-ratio", "--no-report", *SHORT),
    (TESTS / "test_gpu_network", "--gtest_filter=*WindowsAre*:*TheSameBitsAgain*"),
    (TESTS / "test_statistics", "--gtest_filter=*SumsOnADevice*/0"),
    (TESTS / "test_gpu_control_variate", "--gtest_filter=*PolynomialsAndBumps*"),
)
KERNEL = re.compile(r"__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)\(")


def compiler():
    names = [os.environ.get("GFDT_NVRTC", "")]
    names += [folder + name for folder in ("/usr/local/cuda/lib64/", "") for name in ("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so")]
    for name in filter(None, names):
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    return None


def what_is_wrong(nvrtc, source):
    """What the compiler says of code that it does not take; empty where it does."""
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"gfdt.cu", 0, None, None)
    failed = nvrtc.nvrtcCompileProgram(program, len(OPTIONS), (ctypes.c_char_p * len(OPTIONS))(*OPTIONS))
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return log.value.decode() if failed else ""


def main():
    nvrtc = compiler()
    if nvrtc is None:
        print("skipped: no NVRTC on this machine")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as scratch:
        kept = Path(scratch) / "sources"
        kept.mkdir()
        cache = str(Path(scratch) / "cache")  # empty, so that all code is compiled
        environment = dict(os.environ, XDG_CACHE_HOME=cache, GFDT_TEST_CACHE=cache, TMPDIR=scratch, LD_LIBRARY_PATH=EMULATED)
        environment.update(GFDT_EMULATED_SOURCES=str(kept))
        for command in RUNS:
            done = subprocess.run([*map(str, command)], capture_output=True, text=True, env=environment, cwd=scratch)
            if done.returncode not in (0, 1):  # 1: the runs are too short for reliable averages
                sys.exit(done.stdout + done.stderr)
        sources = [file.read_text() for file in kept.iterdir()]
    compiled = set()
    for source in sources:
        wrong = what_is_wrong(nvrtc, source)
        if wrong:
            sys.exit(wrong)
        compiled.update(KERNEL.findall(source))
    everything = set()
    for file in (ROOT / "src").rglob("*"):
        if file.suffix in (".cuh", ".cpp"):
            everything.update(KERNEL.findall(file.read_text()))
    print(f"{len(sources)} sources with {len(compiled)} kernels compile: {', '.join(sorted(compiled))}")
    if everything - compiled:
        sys.exit(f"Not looked at: {', '.join(sorted(everything - compiled))}")


main()
