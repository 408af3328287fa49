# A thin front for the CMake presets; `make help` lists what there is.
#
#   PREFIX      where `make install` goes              (/usr/local)
#   FUZZ_SECONDS  of `make fuzz-run`, all targets     (60)
#   BUILD_JOBS  parallel compilers and tests           (all cores)
#   HISS_NO_BOOTSTRAP=1  never install packages

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
BUILD_JOBS ?= $(shell nproc 2>/dev/null || echo 1)

HISS := build/release/hiss
RUN ?= $(HISS) sample bernoulli4 --sampler hiss --force -o build/bernoulli4.csv

SOURCES = $(shell find include src plugins cli paper arena tests bench examples fuzz \
            -name '*.[ch]' 2>/dev/null)

# configure-and-build PRESET [TARGET]
build = cmake --preset $(1) && \
        cmake --build --preset $(1) --parallel $(BUILD_JOBS) $(2)
ctest = ctest --preset $(1) --parallel $(BUILD_JOBS)

.PHONY: all build has-tools bootstrap run test one test-slow test-gallery \
        dev asan tsan fuzz fuzz-run bench \
        gates gate-dev gate-asan gate-tsan tidy \
        bench-gate bench-modes bench-prices bench-cuda cuda test-cuda \
        wasm test-wasm coverage mutants docs sbom install wheel deb format check clean help

.DEFAULT_GOAL := build

build: has-tools ## build the library and the command (the default)
	@$(call build,release,--target product)

all: has-tools ## build all there is: tests, benchmarks, the Python package
	@$(call build,release)

has-tools:
	@command -v cmake >/dev/null && command -v ninja >/dev/null || \
	  { echo "cmake or ninja is missing: run tools/bootstrap" >&2; exit 1; }

bootstrap: ## install what is missing (Debian, Ubuntu)
	@tools/bootstrap

run: ## sample the embedded default model
	@tools/bootstrap run
	@$(call build,release,--target hiss)
	@echo '$(RUN)'
	@$(RUN)
	@echo
	@echo 'Next, for example:'
	@echo "  build/release/hiss sample 'ising(side=16,beta=0.44)' -o run.nc"
	@echo '  build/release/hiss diagnose run.nc        # can they be trusted?'
	@echo '  build/release/hiss report run.nc          # writes run.html'
	@echo '  build/release/hiss sample --help; docs/tutorial.md'

test: bootstrap ## build and run all quick tests
	@$(call build,release)
	@$(call ctest,release)

one: bootstrap ## build and run one test: make one T=test_gibbs, T=conformance_law K=dmala
	@test -n "$(T)" || { echo "which test? make one T=NAME; ctest --preset release -N lists them" >&2; exit 2; }
	@cmake --preset release >/dev/null
	@if ninja -C build/release -t query "$(T)" >/dev/null 2>&1; then target="$(T)"; else target=all; fi; \
	  cmake --build --preset release --parallel $(BUILD_JOBS) --target $$target
	@HISS_TEST_ONLY="$(K)" ctest --preset release --output-on-failure -R '^$(T)$$' --no-tests=error

test-slow: bootstrap ## the long statistical tests
	@$(call build,release)
	@$(call ctest,slow)

# Its other tools come from PyPI; what cannot be installed is skipped.
VENV = $(CURDIR)/build/gallery/venv

test-gallery: build ## the pages of docs/gallery, beside other tools from PyPI
	@$(call build,release,--target hiss_python)
	@python3 -m venv --system-site-packages $(VENV)
	@HISS_TEST_GALLERY=yes HISS_PYTHON=$(VENV)/bin/python PATH="$(VENV)/bin:$$PATH" \
	  python3 tests/docs/test_commands.py $(WRITE) $(wildcard docs/gallery/*.md)

# What may not fail, each alone; .ci/run makes them all before `make test`.
RUNNERS = test_run test_checkpoint test_pool test_partition test_optimize test_compare

gates: check gate-tsan gate-asan tidy ## all that .ci/run asks for before `make test`

gate-dev: ## compiles with gcc, assertions and warnings as errors (CI: with clang)
	@tools/bootstrap gates
	@$(call build,dev)

gate-asan: ## the same with clang and sanitizers: unit, conformance, fuzzing
	@tools/bootstrap gates
	@$(call build,fuzz,--target hiss test_programs fuzz_targets)
	@$(call ctest,fuzz) --label-regex 'unit|conformance'
	@tools/fuzz_all --build build/fuzz --seconds $(FUZZ_SECONDS)

gate-tsan: ## the tests that have threads under the thread sanitizer
	@tools/bootstrap gates
	@$(call build,tsan,--target $(RUNNERS))
	@$(call ctest,tsan) --tests-regex '^($(subst $(subst ,, ),|,$(strip $(RUNNERS))))$$'

tidy: ## clang-tidy on the files that changed
	@tools/bootstrap gates
	@cmake --preset fuzz >/dev/null
	@tools/tidy_changed --build build/fuzz

dev asan tsan: bootstrap
	@$(call build,$@)
	@$(call ctest,$@)

dev: ## tests with assertions on and warnings as errors
asan: ## tests under the address and undefined-behaviour sanitizers
tsan: ## tests under the thread sanitizer

fuzz: ## build the fuzz targets with clang
	@$(call build,fuzz,--target fuzz_targets)

fuzz-run: ## run all fuzz targets, FUZZ_SECONDS (60) in all
	@tools/bootstrap fuzz
	@$(call build,fuzz,--target fuzz_targets)
	@tools/fuzz_all --build build/fuzz --seconds $(FUZZ_SECONDS)

cuda: ## the plug-in for NVIDIA cards; its compiler from PyPI if there is none
	@tools/get_nvcc
	@$(call build,release,--target hiss_cuda)

# HISS_TEST_CHAINS: times as many chains as the tests without a card have.
test-cuda: cuda ## draws on a card against those of the processor
	@$(call build,release)
	@HISS=$(HISS) HISS_CUDA=$(CURDIR)/build/release/libhiss_cuda.so \
	  HISS_TEST_CHAINS=$${HISS_TEST_CHAINS:-20} \
	  PYTHONPATH=$(CURDIR)/build/release/python:$$PYTHONPATH tests/cuda/run

bench: ## limits, figures and peers in minutes: build/bench/results.json
	@tools/bootstrap bench
	@$(call build,release,--target bench)

bench-gate: ## fails if a kernel is 2 dB slower than expected: on an idle machine
	@$(call build,release,--target bench_speed)
	@bench/run --only rates,lattice --gate

bench-cuda: cuda ## figures, limits and peers on a card: build/bench/cuda.json
	@$(call build,release,--target bench_card card_limits)
	@HISS_CUDA=$(CURDIR)/build/release/libhiss_cuda.so bench/run_cuda

bench-modes: bootstrap ## mode changes at equal cost: build/bench/modes.json
	@$(call build,release,--target bench-modes)

bench-prices: bootstrap ## what steps cost: src/run/price/price.def, then a check
	@$(call build,release,--target bench_prices)
	@build/release/bench/bench_prices fit src/run/price/price.def
	@$(call build,release,--target bench_prices)
	@build/release/bench/bench_prices check

wasm: ## the command for browsers, and the playground: build/wasm/play
	@tools/bootstrap wasm
	@$(call build,wasm)
	@tools/play_bundle build/wasm

test-wasm: wasm ## its draws under node against native ones, its page in chromium
	@$(call build,release,--target hiss)
	@$(call ctest,release) --label-regex wasm

COUNTED := build/coverage

coverage: ## branch coverage of src by room (clang): docs/measurements/coverage.md
	@tools/bootstrap coverage
	@$(call build,coverage,--target hiss test_programs fuzz_targets)
	@cmake -E rm -rf $(COUNTED)/raw
	@$(call ctest,coverage) || echo "coverage: not all tests passed, see above" >&2
	@tools/coverage $(COUNTED)

# MUTANTS: what tools/mutants is told, as --seed and --count.
mutants: ## changes of src/kernel and src/lanes that the statistical tests see
	@tools/bootstrap coverage
	@$(call build,coverage,--target conformance_programs)
	@tools/mutants lines
	@tools/mutants run --jobs $(BUILD_JOBS) $(MUTANTS)

docs: ## a site of docs/ for reading without a network: build/docs/site
	@tools/docs_site

sbom: ## what a build is made of: build/release/hiss.cdx.json (CycloneDX)
	@cmake --preset release >/dev/null
	@echo build/release/hiss.cdx.json

install: build ## install below PREFIX (DESTDIR is honoured)
	@cmake --install build/release --prefix "$(PREFIX)"

wheel: ## wheels for x86_64 and aarch64, and an sdist: build/wheel/dist
	@packaging/wheel/build

deb: ## Debian packages of command, library and Python package: build/deb/dist
	@packaging/deb/build

format: ## put the C sources into the house format
	@clang-format -i $(SOURCES)

check: ## format, layers, sizes, numbers, words, commits
	@clang-format --dry-run -Werror $(SOURCES)
	@tools/check_layers
	@tools/draw_rooms --check
	@tools/check_numbers
	@tools/check_size
	@tools/check_policy
	@tools/check_words
	@tools/check_commit

clean: ## remove everything that was built
	@cmake -E rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20
