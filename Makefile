# The doors of the house. Each first sees to the packages that it needs
# (config/packages/), then leaves the work to CMake and Ninja.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-print-directory

PREFIX ?= /usr/local
PLAN ?= examples/plans/survey.json
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 30

packages := config/packages/ensure.sh
# CI takes no warning; a newcomer with another compiler is not stopped by one.
strict := $(if $(CI),-DTURNSTILE_WERROR=ON)
build := cmake --build build -j $(JOBS)
sources = find core messages actors config examples tests \
	-name '*.hpp' -print0 -o -name '*.cpp' -print0

.DEFAULT_GOAL := help
.PHONY: help build run test bench format check check-format check-layers \
	check-tidy asan fuzz certs install clean packages-run packages-test packages-fuzz

build: build/build.ninja ## build all that can be built (tests: if Catch2 is there)
	$(build)

run: build/build.ninja ## build the program, and run a plan with it (PLAN=...)
	$(build) --target turnstile_program
	build/bin/turnstile run $(PLAN)

test: packages-test ## build all, run all tests
	cmake --preset default -DTURNSTILE_TESTS=ON $(strict)
	$(build)
	tests/house/ctest.sh build -j $(JOBS)

bench: packages-test ## build and run the benchmarks
	cmake --preset default -DTURNSTILE_TESTS=ON $(strict)
	@if $(build) --target help | grep -q '^turnstile_bench:'; then \
	  $(build) --target turnstile_bench && build/bin/turnstile_bench; \
	else echo "There is no benchmark yet (a target turnstile_bench)."; fi

torture: ## kill the program ten thousand times
	cmake --preset default -DTURNSTILE_TESTS=ON $(strict)
	$(build) --target turnstile_program_tests
	TURNSTILE_KILLS=10000 build/bin/turnstile_program_tests "*killed at any time*"

asan: packages-test ## the same tests under address and UB sanitizers
	cmake --preset asan -DTURNSTILE_TESTS=ON $(strict)
	cmake --build build-asan -j $(JOBS)
	tests/house/ctest.sh build-asan -j $(JOBS)

fuzz: packages-fuzz ## feed chance to the readers of foreign bytes (FUZZ_SECONDS=30 each)
	cmake --preset fuzz
	cmake --build build-fuzz -j $(JOBS) --target turnstile_fuzz
	tests/fuzz/run.sh build-fuzz $(FUZZ_SECONDS)

certs: packages-test ## make certificates to try encrypted nodes with
	config/node/make_certs.sh build/certs

format: packages-test ## rewrite all sources with clang-format 14
	$(sources) | xargs -0 clang-format-14 -i

check: check-format check-layers check-tidy ## format, layers, clang-tidy on core

check-format: packages-test
	@if command -v clang-format-14 >/dev/null; then \
	  $(sources) | xargs -0 clang-format-14 --dry-run --Werror; \
	else echo "Format is not checked: this needs clang-format 14."; fi

check-layers:
	tests/house/layers.sh

# Headers are judged once, in all_headers.cpp, which holds all of core's. The
# last filter drops clang's count of the warnings in other people's headers.
check-tidy: packages-test
	@if ! command -v clang-tidy-14 >/dev/null; then \
	  echo "clang-tidy is left out: this needs version 14."; exit; \
	fi; \
	cmake --preset default $(strict) >/dev/null; \
	{ printf '%s\0' build/core/all_headers.cpp '--header-filter=/core/'; \
	  find core -name '*.cpp' -printf '%p\0--header-filter=^$$\0'; } | \
	xargs -0 -n 2 -P $(JOBS) clang-tidy-14 -p build --quiet \
	  --warnings-as-errors='*' --extra-arg=-Wno-unknown-warning-option 2>&1 | \
	{ grep -v ' warnings\? generated\.$$' || true; }

install: build/build.ninja ## install the libraries and the program (PREFIX=, DESTDIR=)
	$(build) --target turnstile_installables
	cmake --install build --prefix $(PREFIX)

clean: ## remove the build trees
	rm -rf build build-asan build-fuzz

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

packages-run:
	@$(packages) run

packages-test:
	@$(packages) run test

packages-fuzz:
	@$(packages) run test fuzz

# Once there, Ninja itself asks CMake again whenever that is due.
build/build.ninja: | packages-run
	cmake --preset default $(strict)
