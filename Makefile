# Everything there is to remember: make, make demo, make test, make bench, make study, make docs, make format.
BUILD ?= build
JOBS ?= $(shell nproc)
PACKAGES = g++ cmake ninja-build pkg-config libfmt-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev libnetcdf-dev \
           libeigen3-dev libgtest-dev libgmock-dev librandom123-dev libopenmpi-dev openmpi-bin python3 \
           python3-dev pybind11-dev python3-numpy python3-pip python3-setuptools python3-wheel
TEST_PACKAGES = chromium chromium-driver
FAULT_PACKAGES = strace
STUDY_PACKAGES = python3-numpy python3-scipy
BENCH_PACKAGES = python3-numba python3-torch
TIDY_PACKAGES = clang-14 clang-tidy-14 clang-format-14 libclang-rt-14-dev
CONFIGURE = cmake -S . -G Ninja -B

.PHONY: all configure command install python demo test bench bench-device study study-dependability study-faults study-device docs format tidy fuzz sanitize packages clean

all: configure
	@cmake --build "$(BUILD)" --parallel $(JOBS)

configure: packages web/node_modules/.package-lock.json
	@$(CONFIGURE) "$(BUILD)" > "$(BUILD).log" 2>&1 || { cat "$(BUILD).log"; exit 1; }; rm -f "$(BUILD).log"

# The command alone, without Python package and tests.
command: configure
	@cmake --build "$(BUILD)" --parallel $(JOBS) --target gfdt

# The library, its headers and the command, for find_package(gfdt).
PREFIX ?= /usr/local
install: all
	cmake --install "$(BUILD)" --prefix "$(PREFIX)"

# The Python package, into the virtual environment that is active, else for this user. Nothing is fetched.
PYTHON = $(if $(VIRTUAL_ENV),$(VIRTUAL_ENV)/bin/python3,/usr/bin/python3)
PYTHON_VERSION = import sys; print('%d.%d' % sys.version_info[:2])
python: all
	@built=$$(/usr/bin/python3 -c "$(PYTHON_VERSION)"); asked=$$("$(PYTHON)" -c "$(PYTHON_VERSION)") || exit 1; \
	  [ "$$built" = "$$asked" ] || { echo "This build is for Python $$built, and $(PYTHON) is Python $$asked: '$(PYTHON)' -m pip install . builds" \
	  "the package for it (that takes setuptools, wheel and pybind11 from the network)." >&2; exit 1; }
	rm -rf "$(BUILD)/wheel"
	GFDT_BUILD="$(BUILD)" /usr/bin/python3 -m pip wheel --quiet --no-build-isolation --no-deps --no-index --wheel-dir "$(BUILD)/wheel" .
	$(if $(VIRTUAL_ENV),,PIP_BREAK_SYSTEM_PACKAGES=1) "$(PYTHON)" -m pip install --quiet --no-deps --no-index --force-reinstall $(if $(VIRTUAL_ENV),,--user) "$(BUILD)"/wheel/gfdt-*.whl
	@cd / && "$(PYTHON)" -c "import gfdt, sys; print('gfdt', gfdt.__version__, 'for', sys.executable)"

# One line of apt where something is missing; says what to do where it may not install.
packages:
	@./.ci/packages $(PACKAGES)

# The plotting library of report pages, by the lock file. Without it pages have tables only, and all else is as it is.
web/node_modules/.package-lock.json: web/package-lock.json
	@command -v npm > /dev/null || ./.ci/packages npm || true
	@(cd web && npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 --fetch-retry-mintimeout=1000 > /dev/null 2>&1 && touch node_modules/.package-lock.json) \
	  || echo "The plotting library could not be installed by npm: report pages will have tables only." >&2

# What a first evening with it looks like; ends with a calibrated model and the page of it.
demo: command
	$(BUILD)/gfdt check examples/climate.toml
	$(BUILD)/gfdt simulate examples/climate.toml
	$(BUILD)/gfdt jacobian examples/climate.toml --compare exact,kgmm,finite-difference --out $(BUILD)/demo-jacobian
	$(BUILD)/gfdt calibrate examples/enso.toml --out $(BUILD)/demo-enso --overwrite
	$(BUILD)/gfdt calibrate examples/climate.toml --out $(BUILD)/demo --overwrite

test: all
	@./.ci/packages $(STUDY_PACKAGES) || echo "The dependability study will not be sampled." >&2
	@./.ci/packages $(FAULT_PACKAGES) || echo "Runs that are stopped and disks that fail will not be tested." >&2
	@./.ci/packages $(TEST_PACKAGES) || echo "Report pages will not be tested in a browser." >&2
	@temporary=$$(mktemp -d) && chmod 755 "$$temporary" && trap 'rm -rf "$$temporary"' EXIT && \
	  TMPDIR="$$temporary" GFDT_TEST_CACHE="$$(realpath "$(BUILD)")/test-cache" \
	  ctest --test-dir "$(BUILD)" --output-on-failure --parallel $$(($(JOBS) + 1)); \
	  status=$$?; python3 tests/skipped.py "$(BUILD)"; exit $$status

# Ratios against numba, PyTorch, the random numbers alone and the machine's peak, taken in one run.
ROUNDS ?= 5
bench: packages
	@./.ci/packages $(BENCH_PACKAGES)
	@$(CONFIGURE) build-bench -DGFDT_BENCHMARKS=ON -DGFDT_TESTS=OFF > /dev/null
	@cmake --build build-bench --parallel $(JOBS)
	/usr/bin/python3 benchmarks/compare.py simulation build-bench/benchmark_simulation $(ROUNDS)
	/usr/bin/python3 benchmarks/compare.py networks build-bench/benchmark_networks $(ROUNDS)
	build-bench/benchmark_scores experiments
	build-bench/benchmark_responses experiments
	/usr/bin/python3 benchmarks/ranks.py build-bench/gfdt $(ROUNDS)

# The same on a GPU, against JAX and PyTorch of the Python that runs it.
bench-device: packages
	@$(CONFIGURE) build-bench -DGFDT_BENCHMARKS=ON -DGFDT_TESTS=OFF > /dev/null
	@cmake --build build-bench --parallel $(JOBS)
	python3 benchmarks/device_peers.py build-bench/benchmark_device_simulation experiments
	python3 benchmarks/device_networks_peer.py build-bench/benchmark_device_networks
	build-bench/benchmark_device_sums experiments

# Long studies; their results are stored beside them. They use NumPy, which Debian's Python has.
study: PYTHON = /usr/bin/python3
study: all study-dependability study-faults
	@$(CONFIGURE) build-bench -DGFDT_BENCHMARKS=ON -DGFDT_TESTS=OFF > /dev/null
	@cmake --build build-bench --parallel $(JOBS) --target study_score_accuracy study_jacobian_truth study_random_calibrations
	$(PYTHON) studies/controlled_truth.py $(BUILD)/gfdt > studies/truth_triad.json
	build-bench/study_jacobian_truth lorenz96 > studies/truth_lorenz96.json
	$(PYTHON) studies/wells_truth.py $(BUILD)/gfdt > studies/truth_wells.json
	$(PYTHON) studies/past_the_paper.py $(BUILD)/gfdt > studies/past_the_paper.json
	$(PYTHON) studies/calibration_auto.py $(BUILD)/gfdt > studies/calibration_auto.json
	$(PYTHON) studies/statistics_study.py $(BUILD)/gfdt
	build-bench/study_score_accuracy > studies/score_accuracy.json
	$(PYTHON) studies/lorenz96_scores.py $(BUILD)/gfdt
	$(PYTHON) studies/coverage.py $(BUILD)/gfdt > studies/coverage.json
	build-bench/study_random_calibrations > studies/random_calibrations.json
	$(PYTHON) studies/calibration_cost.py $(BUILD)/gfdt > studies/calibration_cost.json

# Random problems with exact answers: hours on two cores. The lines of single cases stay in the build folder.
STUDY_SEED ?= 91001
study-dependability: PYTHON = /usr/bin/python3
study-dependability: all
	@./.ci/packages $(STUDY_PACKAGES)
	$(PYTHON) studies/dependability/study.py $(BUILD)/gfdt jacobian --count 3000 --seed $(STUDY_SEED) --out $(BUILD)/jacobian.jsonl
	$(PYTHON) studies/dependability/study.py $(BUILD)/gfdt calibrate --count 500 --seed $(STUDY_SEED) --out $(BUILD)/calibrate.jsonl
	$(PYTHON) studies/dependability/study.py $(BUILD)/gfdt repeated --seeds 16 --out $(BUILD)/repeated.json
	$(PYTHON) studies/dependability/study.py $(BUILD)/gfdt curved --count 100 --out $(BUILD)/curved.json
	cp $(BUILD)/jacobian.json $(BUILD)/calibrate.json $(BUILD)/repeated.json $(BUILD)/curved.json studies/dependability/

# Kills, failing disks, damaged files, mutated inputs: half an hour on two cores. Status 1 where a case does not end as
# wanted.
study-faults: all
	@./.ci/packages $(FAULT_PACKAGES)
	python3 studies/faults/study.py $(BUILD)/gfdt --out studies/faults/results.json

# The study of the paper at its size, on a machine with a GPU: minutes.
study-device: all
	$(BUILD)/gfdt reproduce lorenz96 --calibrate --paper-scale --device cuda --out $(BUILD)/paper-scale
	python3 studies/paper_scale.py $(BUILD)/paper-scale experiments/paper_scale
	python3 studies/lorenz96_scores.py $(BUILD)/gfdt 4 cuda

# The reference of the problem file, printed by the tables that read it.
docs: all
	$(BUILD)/gfdt reference > docs/reference.md

format:
	@./.ci/packages clang-format-14
	git ls-files '*.cpp' '*.hpp' | xargs clang-format-14 -i

tidy: packages
	@./.ci/packages $(TIDY_PACKAGES)
	@$(CONFIGURE) build-tidy -DCMAKE_CXX_COMPILER=clang++-14 -DGFDT_TOGETHER=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON > /dev/null
	git ls-files 'src/*.cpp' 'apps/*.cpp' | xargs -P $(JOBS) -n 4 clang-tidy-14 -p build-tidy --quiet

# Sanitizers over all tests; make sanitize SANITIZERS=thread looks for races. Without optimization g++ does not fold the
# constants that Eigen's prefetches take. With -O2 the tests of the thread sanitizer run twice as fast as with -O1.
SANITIZERS ?= address,undefined
SANITIZE_FLAGS = $(if $(filter thread,$(SANITIZERS)),-O2 -g1,-O1 -g)
comma = ,
SANITIZE_BUILD = build-sanitize-$(subst $(comma),-,$(SANITIZERS))
sanitize: packages
	@$(CONFIGURE) $(SANITIZE_BUILD) -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="$(SANITIZE_FLAGS)" -DGFDT_SANITIZE=$(SANITIZERS) > /dev/null
	@cmake --build $(SANITIZE_BUILD) --parallel $(JOBS)
	ctest --test-dir $(SANITIZE_BUILD) --output-on-failure --parallel $(JOBS)

# Coverage-guided fuzzing of formulas, models, problem files and report pages, SECONDS each.
SECONDS ?= 60
FUZZING = -max_total_time=$(SECONDS) -timeout=10 -artifact_prefix=build-fuzz/
fuzz: packages
	@./.ci/packages $(TIDY_PACKAGES)
	@$(CONFIGURE) build-fuzz -DCMAKE_CXX_COMPILER=clang++-14 -DGFDT_FUZZ=ON -DGFDT_TESTS=OFF > /dev/null
	@cmake --build build-fuzz --parallel $(JOBS) --target fuzz_expression fuzz_model fuzz_problem fuzz_report
	@mkdir -p build-fuzz/formulas build-fuzz/models build-fuzz/problems build-fuzz/pages
	build-fuzz/fuzz_expression build-fuzz/formulas -max_len=4096 $(FUZZING)
	build-fuzz/fuzz_model build-fuzz/models models experiments -max_len=4096 $(FUZZING)
	build-fuzz/fuzz_problem build-fuzz/problems models experiments -max_len=8192 $(FUZZING)
	build-fuzz/fuzz_report build-fuzz/pages -max_len=256 -len_control=0 $(FUZZING)

clean:
	rm -rf build build-bench build-tidy build-sanitize* build-fuzz
