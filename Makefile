# SPDX-License-Identifier: Apache-2.0
# Names for the programs that do the work; each target calls one or two.

PRESET ?= release

.DEFAULT_GOAL := help
.PHONY: help setup build test soak demo demo-down bench fuzz format tidy hooks clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z_.-]+:.*## / { printf "  make %-22s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what is missing (root on Debian 12; done by build, test and demo too)
	@tools/setup

build: setup ## build everything into build/PRESET (PRESET=release; or dev, asan, tsan)
	@tools/build $(PRESET)

test: setup ## run all tests (ONLY=stage,stage for some; tools/test --list names the stages)
	@tools/test $(if $(ONLY),--only $(ONLY))

soak: build ## simulate histories until stopped; replay one that failed: build/release/bin/sim --seed N
	@build/$(PRESET)/bin/sim --soak --table --from $$(date +%s)000000

demo: setup ## see pods run where a real Slurm put them (SANDBOX=1: a model; KEEP=1 leaves it running)
	@tools/build $(if $(filter-out 0,$(SANDBOX)),,--fetch) release slurm-bridge $(if $(filter-out 0,$(SANDBOX)),slurm-bridge-sandbox)
	@tools/demo

demo-down: ## stop what KEEP=1 make demo left running
	@tools/demo stop

bench: build ## how fast it is, each figure beside its ceiling; fails below a floor (5 minutes; needs the real parts; ONLY=burst,latency for some)
	@tools/build $(PRESET) micro_bench bench_load
	@bench/run --check $(if $(ONLY),--only $(ONLY))

fuzz: setup ## throw bytes at everything that reads them (SECONDS=60 per target; TARGETS="json configs")
	@tools/fuzz --seconds $(or $(SECONDS),60) $(TARGETS)

format: setup ## format all C++
	@tools/format

tidy: setup ## run clang-tidy's short list over all, tests too (FILES="a.cpp b.cpp" for some)
	@tools/tidy $(FILES)

hooks: ## check format and public names at every git commit (tools/hooks)
	@git config core.hooksPath tools/hooks

compile_commands.json: ## link the compilation database of build/dev, for editors
	@tools/setup
	@cmake --preset dev >/dev/null
	@ln -sf build/dev/$@ $@

clean: ## remove build/ (a dev cluster and its cached parts stay: tools/devcluster/devcluster)
	@rm -rf build compile_commands.json
