# The only commands a contributor needs. Each does its own set-up on a machine that has Python, make and a package registry.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: setup demo test test-loaded ways lint bench train train-recall torture soak setup-clients test-clients docs lock clean

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

# The same tests on a busy machine: TIMES runs beside LOOPS busy loops, which it ends itself.
test-loaded: $(READY)
	sh tests/loaded.sh $(BIN)/python

# Every known way to end what a person said without one, and what people do all day: what happens, what is seen.
ways: $(READY)
	@$(BIN)/python -m tests.hostile.test_authority

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Speed and memory, as ratios against a baseline in the same run.
bench: $(READY)
	$(BIN)/python benchmarks/capture.py
	$(BIN)/python benchmarks/redaction.py
	$(BIN)/python benchmarks/embedding.py
	$(BIN)/python benchmarks/recall_speed.py
	$(BIN)/python benchmarks/gates.py --speed
	$(BIN)/python benchmarks/hooks.py
	$(BIN)/python benchmarks/commands.py
	$(BIN)/python benchmarks/notebook.py
	$(BIN)/python benchmarks/sessions.py --check 1.5

# Teach the encoder that weighs a person's words, from labelled turns in DATA; see training/README.md. An hour at most.
DATA ?= ../shared/data
TAUGHT := .venv-train/.ready

$(TAUGHT): training/requirements.lock
	@$(PYTHON) -m venv .venv-train
	@.venv-train/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r training/requirements.lock
	@touch $@

train: $(TAUGHT)
	PYTHONPATH=src:benchmarks .venv-train/bin/python -m training.train --data $(DATA) $(if $(OUT),--out $(OUT)) $(if $(EPOCHS),--epochs $(EPOCHS))

# Teach recall what speaks for a turn and when nothing fits, from our own questions and those in DATA. CACHE keeps the homes.
CACHE ?= .recall
train-recall: $(READY)
	PYTHONPATH=src:benchmarks $(BIN)/python -m training.rank --cache $(CACHE) questions=benchmarks/questions \
	  locomo=$(DATA)/locomo/locomo10.json longmemeval=$(DATA)/longmemeval/longmemeval_oracle.json \
	  real=$(DATA)/transcripts $(if $(OUT),--out $(OUT))

# A daemon that idles, and one that works: memory, files, threads, processor. `HOURS=2 make soak` is the long one.
soak: $(READY)
	$(BIN)/python benchmarks/soak.py $(if $(HOURS),--hours $(HOURS))

# 300 kill -9 in the middle of a capture, 200 of the scribe; after each the store must be sound, at the end nothing lost
# or doubled. 2,000 random sequences of what people, editors and agents do to the notebook, twice.
torture: $(READY)
	$(BIN)/python tests/torture/kill.py --cycles 300
	STENO_KILLS=200 $(BIN)/python -m pytest tests/torture/test_kill_scribe.py tests/torture/test_kill_upkeep.py
	STENO_EDITS=2000 $(BIN)/python -m pytest tests/notebook/test_random_edits.py tests/notebook/test_random_editors.py

# The agent programs the hooks are for, as their makers publish them; 0.8 GB in .clients/. Of their install scripts only
# Claude Code's own is run, which links the program to its place; nobody else's.
CLAUDE_CODE := 2.1.325
CODEX := 0.166.0

setup-clients:
	@command -v npm >/dev/null || { echo "setup-clients needs npm"; exit 1; }
	@npm install --prefix .clients --no-save --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel error \
	  @anthropic-ai/claude-code@$(CLAUDE_CODE) @openai/codex@$(CODEX)
	@node .clients/node_modules/@anthropic-ai/claude-code/install.cjs
	@.clients/node_modules/.bin/claude --version
	@.clients/node_modules/.bin/codex --version

# The real programs with a stand-in model: nothing leaves the machine, no key is needed.
test-clients: $(READY)
	$(BIN)/python -m pytest -vv -rs tests/clients

# After changing a verb or a setting, or what recall says.
docs: $(READY)
	$(BIN)/python docs/make_reference.py docs/reference.md README.md
	$(BIN)/python docs/make_fitness.py docs/fitness.md
	$(BIN)/python docs/make_finding.py docs/finding.md

# After changing dependencies in pyproject.toml.
lock: $(READY)
	$(BIN)/pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe --extra dev --extra embedding --extra model --extra server --no-header \
	  --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options -o requirements.lock pyproject.toml
	$(BIN)/pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe --extra embedding --no-header \
	  --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options \
	  -o training/requirements.lock pyproject.toml training/requirements.in

clean:
	rm -rf .venv .venv-train .clients .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
