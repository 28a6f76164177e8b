# Every target works on a fresh machine: what is missing is installed into .venv from the hash-locked lists.
.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
UV     := uv
LOCK   := $(UV) pip compile --quiet --generate-hashes --universal --python-version 3.11 --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"
# The question travels in the environment, so that quotes and dollar signs in it mean nothing to the shell.
export Q ?=
# Compiled modules are kept: without them every command compiles three hundred files before it begins.
unexport PYTHONDONTWRITEBYTECODE
PYTEST ?=
# Tests fetch their models once into this folder; they never touch your own data folder.
TEST_MODELS ?= $(CURDIR)/.models

.PHONY: help setup setup-dev web wheel run ask test test-slow fuzz lint check bench docs docs-check lock clean

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.runtime ## install what the program needs into .venv
setup-dev: $(VENV)/.dev ## install what its developers need, too

$(VENV)/.runtime: requirements.lock pyproject.toml
	@test -e $(VENV)/.dev || $(PYTHON) scripts/install.py $(VENV) requirements.lock
	@touch $@

$(VENV)/.dev: requirements-dev.lock pyproject.toml
	@$(PYTHON) scripts/install.py $(VENV) requirements-dev.lock
	@touch $@ $(VENV)/.runtime

web: $(VENV)/.runtime ## build the web app, if anything in it has changed
	@$(BIN)/python scripts/build_web.py

run: setup web ## fetch the embedded models if they are missing, then start the app and print its address
	@$(BIN)/auritas start

ask: setup ## make ask Q="What is the capital of Australia?"
	@test -n "$$Q" || { echo 'Say what to ask: make ask Q="What is the capital of Australia?"'; exit 2; }
	@$(BIN)/auritas models get --if-missing
	@$(BIN)/auritas ask -- "$$Q"

test: setup-dev web ## check everything that finishes in minutes; AURITAS_MODELS=small (default) or standard
	@$(BIN)/python scripts/fetch_test_models.py $(TEST_MODELS) $${AURITAS_MODELS:-small}
	@AURITAS_MODEL_DIR=$(TEST_MODELS) $(BIN)/pytest -n 2 --dist loadgroup -m "not slow" $(PYTEST)

test-slow: setup-dev ## the long campaigns: hundreds of kills, thirty ballots of the large embedded model
	@$(BIN)/python scripts/fetch_test_models.py $(TEST_MODELS) standard
	@AURITAS_MODEL_DIR=$(TEST_MODELS) $(BIN)/pytest -m slow --timeout 3600 $(PYTEST)

fuzz: setup-dev ## five thousand generated requests to the server
	@$(BIN)/pytest -m slow --timeout 3600 tests/integration/server/test_schemathesis.py $(PYTEST)

lint: setup-dev
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache >/dev/null || $(BIN)/lint-imports --no-cache

check: lint docs-check ## style, types, layers, generated pages, and the web app's own checks
	@$(BIN)/python scripts/build_web.py --check

bench: setup-dev ## print every benchmark beside its peer or the naive way
	@for file in bench/bench_*.py; do $(BIN)/python $$file; done

docs: setup-dev ## write what is generated: docs/reference, the OpenAPI file and the web app's types
	@$(BIN)/python scripts/generate_docs.py
	@$(BIN)/python scripts/write_openapi.py
	@$(BIN)/python scripts/build_web.py --types

docs-check: setup-dev
	@$(BIN)/python scripts/generate_docs.py --check
	@$(BIN)/python scripts/write_openapi.py --check

lock: ## renew the locks after changing pyproject.toml; needs uv
	@command -v $(UV) >/dev/null || { echo "Renewing the locks needs uv: pip install uv, or make lock UV=/path/to/uv"; exit 2; }
	@$(LOCK) pyproject.toml --group build --group dev -o requirements-dev.lock
	@$(LOCK) pyproject.toml --group build -c requirements-dev.lock -o requirements.lock
	@$(LOCK) --group node -o requirements-node.lock
	@$(LOCK) pyproject.toml --extra desktop --group build --group freeze -c requirements.lock -o requirements-desktop.lock

wheel: setup-dev web ## build a wheel that carries the web app
	@rm -rf src/auritas/server/web && cp -r web/dist src/auritas/server/web
	@$(BIN)/python -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir dist .
	@rm -rf src/auritas/server/web

clean: ## remove what was built here; your data folder is not touched
	@rm -rf $(VENV) dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	@find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} +
