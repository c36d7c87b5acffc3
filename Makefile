# SPDX-License-Identifier: Apache-2.0
# Each target calls one or two programs in tools/, bench/ or build/.

PRESET ?= release

.DEFAULT_GOAL := help
.PHONY: help setup build test soak demo demo-down demo-operator demo-operator-down bench fuzz images format tidy hooks clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z_.-]+:.*## / { printf "  make %-22s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install missing packages (root on Debian 12; build, test and demo do this too)
	@tools/setup

build: setup ## build everything into build/PRESET (PRESET=release; or dev, asan, tsan)
	@tools/build $(PRESET)

test: setup ## run all tests (ONLY=stage,stage selects stages; tools/test --list lists them)
	@tools/test $(if $(ONLY),--only $(ONLY))

soak: build ## run simulated histories until stopped; replay a failed one: build/release/bin/sim --seed N
	@build/$(PRESET)/bin/sim --soak --table --from $$(date +%s)000000

demo: setup ## run example pods on a real Kubernetes and a real Slurm (SANDBOX=1: on models; KEEP=1 leaves it running)
	@tools/build $(if $(filter-out 0,$(SANDBOX)),,--fetch) release slurm-bridge $(if $(filter-out 0,$(SANDBOX)),slurm-bridge-sandbox)
	@tools/demo

demo-down: ## stop the demo that KEEP=1 left running
	@tools/demo stop

demo-operator: setup ## run a Slurm cluster in real pods on real nodes with the operator (KEEP=1 leaves it running)
	@tools/build --fetch release slurm-operator
	@tools/demo-operator

demo-operator-down: ## stop the operator demo that KEEP=1 left running
	@tools/demo-operator stop

bench: build ## measure performance; fails if a figure misses its limit (5 minutes; needs the real servers; ONLY=burst,latency selects stages)
	@tools/build $(PRESET) micro_bench bench_load
	@bench/run --check $(if $(ONLY),--only $(ONLY))

fuzz: setup ## fuzz all parsers of external input (SECONDS=60 per target; TARGETS="json configs")
	@tools/fuzz --seconds $(or $(SECONDS),60) $(TARGETS)

images: setup ## build the container images of Slurm and the operator into build/images (no container engine)
	@tools/build release slurm-operator
	@tools/images/build

format: setup ## format all C++
	@tools/format

tidy: setup ## run the enabled clang-tidy checks on all files, including tests (FILES="a.cpp b.cpp" selects files)
	@tools/tidy $(FILES)

hooks: ## check format and public names at every git commit (tools/hooks)
	@git config core.hooksPath tools/hooks

compile_commands.json: ## link the compilation database of build/dev, for editors
	@tools/setup
	@cmake --preset dev >/dev/null
	@ln -sf build/dev/$@ $@

clean: ## remove build/ (a dev cluster and its cache stay: tools/devcluster/devcluster)
	@rm -rf build compile_commands.json
