# Needs Python 3.11 to 3.14 (with venv) and make. Start with:  make demo   or   make test

PORT ?= 8000
DATA_DIR ?= .factuary
ARGS ?=
RESTORE ?=
PYTHON = .venv/bin/python
PYTEST = $(PYTHON) -m pytest --maxprocesses 8 --dist worksteal
TESTS = not exhaustive
SITE = FACTUARY_FOLLOW_PARENT=1 exec $(PYTHON) manage.py quickstart --port "$(PORT)" --data-dir "$(DATA_DIR)"$(if $(RESTORE), --restore "$(RESTORE)")

# Compiled modules halve the start of each process, of which the tests start hundreds.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo dev test test-all test-quick test-r fmt check bench faults mutants sbom screenshots setup setup-dev help

demo: setup ## Serve a complete site with a sample project at http://localhost:8000 (PORT=8010 sets another port, RESTORE=PATH a backup)
	@$(SITE)

dev: setup-dev ## The same with DEBUG on; the web server and the worker restart when code changes
	@$(SITE) --dev

test: setup-dev ## Run the tests, browser tests included; ARGS="tests/queue -k lease" runs a part
	@CHROMIUM="$$($(PYTHON) scripts/find_chromium.py)" && export CHROMIUM && \
	exec $(PYTEST) -n auto -m "$(TESTS)" $(ARGS)

test-all: TESTS =
test-all: test ## The same with every case of the matrices of which `make test` runs a sample

test-quick: setup-dev ## Run the tests of modules that take little time (tests/slow_modules.txt); ARGS as for test
	@exec $(PYTEST) -n logical --quick -m "not browser and not exhaustive" $(ARGS)

test-r: setup-dev ## Run the R program of a bundle and compare with lme4; R and lme4 must be installed
	@exec $(PYTHON) -m pytest tests/exporting/with_r.py tests/stats/with_lme4.py

fmt: setup-dev ## Format code, scripts and templates and sort imports
	@.venv/bin/ruff check --fix --quiet . ; .venv/bin/ruff format .
	@find templates -name '*.html' -o -name '*.txt' | xargs .venv/bin/djade
	@scripts/node_tool.sh prettier/bin/prettier.cjs --log-level warn --write static/js types tests/javascript/*.js \
	    eslint.config.js

check: setup-dev ## Check style, types, import contract, templates, migrations, deployment and API schema
	@PYTHON="$(PYTHON)" scripts/check.sh

bench: setup-dev ## Run the benchmarks; one JSON object per line
	@exec $(PYTHON) -m benchmarks

faults: setup-dev ## Kill, stop and fill each part of a site under load; counts as JSON; ARGS="--list", ARGS='"power cut"'
	@exec $(PYTHON) -m faults $(ARGS)

mutants: setup-dev ## Apply small faults to a copy and say which the tests find, in hours; ARGS="--package queue api"
	@CHROMIUM="$$($(PYTHON) scripts/find_chromium.py)" && export CHROMIUM && \
	exec $(PYTHON) scripts/mutants.py $(ARGS)

sbom: setup-dev ## Write the software bill of materials (CycloneDX) of requirements-all.lock to sbom.json
	@.venv/bin/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible --output-file sbom.json requirements-all.lock

screenshots: setup-dev ## Take the pictures of README and docs anew, from a demo site of their own
	@CHROMIUM="$$($(PYTHON) scripts/find_chromium.py)" && export CHROMIUM && \
	exec $(PYTHON) scripts/screenshots.py

setup: ## Create .venv with the packages that the site needs
	@scripts/setup.sh requirements.lock

setup-dev: ## Create .venv with the packages that development needs
	@scripts/setup.sh requirements-dev.lock

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile
