# The only commands a contributor needs. Each does its own set-up on a machine that has Python, make and a package registry.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: setup demo test lint bench torture docs lock clean

setup: $(READY)

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Steno needs Python 3.11 or newer; set PYTHON=...")'
	@echo "setting up .venv (once; about a minute)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# The main job, on transcripts that ship with the project: nothing of yours is read or written.
demo: $(READY)
	@PATH="$(CURDIR)/$(BIN):$$PATH" bash samples/demo.sh

# Everything: lint, types, import contracts, tests.
test: lint
	$(BIN)/python -m pytest -n 2

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Speed and memory, as ratios against a baseline in the same run.
bench: $(READY)
	$(BIN)/python benchmarks/capture.py
	$(BIN)/python benchmarks/embedding.py
	$(BIN)/python benchmarks/recall_speed.py

# 300 kill -9 in the middle of a capture, 200 of the scribe; after each the store must be sound, at the end nothing lost
# or doubled.
torture: $(READY)
	$(BIN)/python tests/torture/kill.py --cycles 300
	STENO_KILLS=200 $(BIN)/python -m pytest tests/torture/test_kill_scribe.py

# After changing a command or a setting.
docs: $(READY)
	$(BIN)/python docs/make_reference.py docs/reference.md

# After changing dependencies in pyproject.toml.
lock: $(READY)
	$(BIN)/pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe --extra dev --extra embedding --no-header \
	  --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options -o requirements.lock pyproject.toml

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
