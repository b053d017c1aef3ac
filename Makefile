# `make demo` does the main job, `make test` runs every test; both install what they need into .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test lint reproduce bench lock clean

demo: $(VENV)/demo.stamp
	$(BIN)/python -m fewlabels.demo

test: $(VENV)/dev.stamp
	$(BIN)/python -m pytest -q

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

reproduce: $(VENV)/dev.stamp
	$(BIN)/python -m experiments all

bench: $(VENV)/dev.stamp
	$(BIN)/python -m benchmarks.ten_million

# The lock names exact versions and nothing of where they were fetched from.
lock: $(VENV)/dev.stamp
	$(BIN)/pip install -q pip-tools
	$(BIN)/pip-compile -q --extra dev --strip-extras --no-annotate --no-header --no-emit-index-url \
	  --no-emit-trusted-host --no-emit-find-links --no-emit-options --output-file requirements.lock pyproject.toml
	sed -i '/^fewlabels @/d' requirements.lock

$(BIN)/pip:
	$(PYTHON) -m venv $(VENV)

$(VENV)/demo.stamp: $(BIN)/pip pyproject.toml requirements.lock
	$(BIN)/pip install -q -c requirements.lock -e '.[demo]'
	touch $@

$(VENV)/dev.stamp: $(BIN)/pip pyproject.toml requirements.lock
	$(BIN)/pip install -q -c requirements.lock -e '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
