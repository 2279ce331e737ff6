# On a fresh machine with Python 3.11 to 3.14 (with venv) and make:  make demo   and   make test

PORT ?= 8000
DATA_DIR ?= .factuary
PYTHON = .venv/bin/python

.PHONY: demo test test-r check bench setup setup-dev

demo: setup ## Serve a whole site with a sample project on http://localhost:$(PORT)
	@FACTUARY_FOLLOW_PARENT=1 exec $(PYTHON) manage.py quickstart --port "$(PORT)" --data-dir "$(DATA_DIR)"

test: setup-dev ## The whole suite, browser tests too
	@CHROMIUM="$$($(PYTHON) scripts/find_chromium.py)" && export CHROMIUM && \
	exec $(PYTHON) -m pytest -n auto --maxprocesses 8 --dist loadfile

test-r: setup-dev ## The R program of a bundle, where R is on the machine
	@exec $(PYTHON) -m pytest tests/exporting/with_r.py

check: setup-dev ## Style, types, import contract, templates, migrations, deployment, API schema
	@PYTHON="$(PYTHON)" scripts/check.sh

bench: setup-dev ## The benchmarks, one JSON object a line
	@exec $(PYTHON) -m benchmarks

setup: ## Only the set-up: leaves .venv
	@scripts/setup.sh requirements.lock

setup-dev:
	@scripts/setup.sh requirements-dev.lock
