# Needs Python 3.11 or newer, make, and for the web app Node; the rest is installed into .venv from uv.lock and into
# web/node_modules from web/package-lock.json. `make help` lists the targets.

PYTHON ?= python3
UV_VERSION := 0.13.8
ARGS ?=
BIN := .venv/bin

# The built web app, and what it is built from.
APP := src/tallyroom/server/ui/static/index.html
APP_SOURCES := $(shell find web -name node_modules -prune -o -type f -print)
NODE_WANTED := Node 20.19 or newer
HAS_NODE := node -e '[a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null

# Where this is set, each start of the server would compile all of it anew.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup run dev demo test test-fast test-bots test-long check measure web web-if-node node web-types sdk bench bench-ingest bench-otlp bench-query bench-stats bench-images bench-alerts bench-stalls bench-scale bench-sign-ins bench-queue bench-turns bench-client bench-web bench-bots clean

help: ## Print this list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

setup: .venv/.synced ## Install everything into .venv, exactly as uv.lock says

run: setup web-if-node ## Start the server on ./data (ARGS="--port 9000" and the like are passed on)
	$(BIN)/tallyroom serve $(ARGS)

dev: setup node .venv/.web ## Start the server on ./data with every detail in its log, and the web app as it is being written
	@node web/scripts/dev.mjs $(ARGS)

demo: .venv/.demo web-if-node ## Start a scratch server full of real flights to look at (ARGS=--once ends it after the check)
	@$(BIN)/python -m demo $(ARGS)

# Three at once keep two cores busy: a test waits for its server, for the disk and for the time.
test: node .venv/.demo .venv/.node web ## Run the tests (ARGS="-k actors" and the like are passed on to Python's)
	npm test --prefix web --silent
	$(BIN)/pytest -m "not long" -n 3 --dist loadfile --no-loadscope-reorder $(ARGS)

test-fast: setup ## Run within a minute what needs no server, no event store and no process
	$(BIN)/pytest -m "fast and not long" --ignore tests/contract --ignore tests/faults -n 2 $(ARGS)

# What the metadata decide has the same results on both databases; tests/harness/suite/sqlite_only.py names what is left out.
ON_POSTGRESQL := $(addprefix tests/,alerts auth bots cluster contract dashboards digests mail queries/test_external.py server/scheduler storage/metadata storage/queue workspaces)

# Each of these libraries has an environment of its own, since some of them share a name; discord.py is in .venv.
BOT_LIBRARIES := py-cord nextcord disnake hikari aiogram

test-bots: $(BOT_LIBRARIES:%=.venv/bots/%/.synced) ## Try the helpers for bots with each bot library that .venv does not have
	@for library in $(BOT_LIBRARIES); do \
	  echo "$$library:"; .venv/bots/$$library/bin/python -m pytest -q -rfE --confcutdir sdk/python/tests/bots sdk/python/tests/bots $(ARGS) || exit 1; \
	done

test-long: node .venv/.demo .venv/.node web ## Run the fault and fuzz tests that take minutes, random tests at length, and much on PostgreSQL
	$(BIN)/pytest -m "long or hypothesis" -n 2 --dist loadfile --no-loadscope-reorder --hypothesis-profile=long --timeout 3600 -o faulthandler_timeout=3630 $(ARGS)
	TALLYROOM_TEST_METADATA=postgresql $(BIN)/pytest -m "not long" -n 2 --dist loadfile --no-loadscope-reorder $(ON_POSTGRESQL) $(ARGS)

check: setup node .venv/.web ## Lint, formatting, types, import borders, spelling, names
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/python -m tools.measure
	npm run check --prefix web --silent

measure: setup ## Count rooms, arrows, names, docstrings and markers beside their limits (ARGS=20 for the files with the worst names)
	$(BIN)/python -m tools.measure $(ARGS)

web: node $(APP) ## Build the web app

web-types: node .venv/.web ## Write the web app's types of the API anew, after a change of a schema
	PYTHONPATH=tests $(BIN)/python -m harness.oracles.openapi_document | node web/scripts/types.mjs

sdk: setup ## Build the client's packages into dist, check them, and send an event with each Python from 3.10 on
	$(BIN)/python -m tools.sdk dist

bench: bench-ingest bench-otlp bench-query bench-stats bench-images bench-alerts bench-stalls bench-scale bench-sign-ins bench-queue bench-turns bench-client bench-web bench-bots ## Run every benchmark

bench-ingest: setup ## Measure ingest beside a server that only parses, and what each stage of an event costs
	$(BIN)/python -m bench.ingest $(ARGS)
	$(BIN)/python -m bench.stages

bench-otlp: setup ## Measure OpenTelemetry beside parsing it
	$(BIN)/python -m bench.otlp $(ARGS)

bench-query: setup ## Measure questions beside SQL by hand, and with property columns (ARGS="--events 100000" for one size)
	$(BIN)/python -m bench.query $(ARGS)
	$(BIN)/python -m bench.differences $(ARGS)
	$(BIN)/python -m bench.seen_again $(ARGS)
	$(BIN)/python -m bench.property_columns $(ARGS)

bench-stats: setup ## Measure the Statistics API beside plain reads (ARGS="--bots 5000" for a smaller listing)
	$(BIN)/python -m bench.stats $(ARGS)

bench-images: setup .venv/.node-bench ## Measure pictures beside Chart.js (ARGS="--pictures FOLDER" draws both, to look at)
	$(BIN)/python -m bench.images $(ARGS)

bench-alerts: setup ## Measure alerts beside SQL by hand (ARGS="--events 1000000" for one size)
	$(BIN)/python -m bench.alerts $(ARGS)

bench-stalls: setup ## Measure how long others wait while a client is hostile (ARGS="--only feed" for some attacks)
	$(BIN)/python -m bench.stalls $(ARGS)

bench-scale: setup ## Measure several workers, and servers beside one process alone (ARGS="--only workers" for a part)
	PYTHONPATH=tests $(BIN)/python -m bench.scale $(ARGS)

bench-sign-ins: setup ## Measure how long an owner waits to sign in, and a member to write, in a flood of strangers
	$(BIN)/python -m bench.sign_ins $(ARGS)

bench-queue: setup ## Measure an item of the queue beside bare write transactions
	$(BIN)/python -m bench.work_queue $(ARGS)

bench-turns: setup ## Measure how long events wait beside somebody's history (ARGS="--quick" for a tenth of it)
	$(BIN)/python -m bench.turns $(ARGS)

bench-client: setup ## Measure the Python client beside the same events through httpx
	PYTHONPATH=sdk/python/src $(BIN)/python -m bench.client $(ARGS)

bench-web: setup web ## Measure a dashboard in a browser beside its requests alone (ARGS="--events 1000000" for more)
	$(BIN)/python -m bench.web $(ARGS)

bench-bots: setup ## Measure the helpers for bots beside a bot without them (ARGS="--events 100000" for a tenth)
	PYTHONPATH=sdk/python/src $(BIN)/python -m bench.bots $(ARGS)

clean: ## Remove the environment and caches; ./data stays
	rm -rf web/node_modules $(dir $(APP))
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests bench demo tools sdk -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.synced: .venv/.uv-$(UV_VERSION) pyproject.toml uv.lock
	$(BIN)/uv sync --frozen --no-python-downloads --compile-bytecode
	@touch $@

.venv/.demo: .venv/.synced
	$(BIN)/uv sync --frozen --no-python-downloads --inexact --group demo
	@touch $@

.venv/bots/%/.synced: sdk/python/tests/bots/libraries/%.txt .venv/.uv-$(UV_VERSION)
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv/bots/$*
	$(BIN)/uv pip sync --quiet --python .venv/bots/$* $<
	@touch $@

# The exporters that the tests start.
.venv/.node: .venv/.synced tests/node/package.json tests/node/package-lock.json
	npm ci --prefix tests/node --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# Chart.js, which pictures are measured beside.
.venv/.node-bench: .venv/.synced bench/node/package.json bench/node/package-lock.json
	npm ci --prefix bench/node --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# The web app's packages, its build tools and checks among them.
.venv/.web: .venv/.synced web/package.json web/package-lock.json
	npm ci --prefix web --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

$(APP): .venv/.web $(APP_SOURCES)
	npm run build --prefix web --silent

# Without Node, the server runs all the same.
web-if-node:
	@if $(HAS_NODE); then $(MAKE) --no-print-directory $(APP); else \
	  echo "The web app needs $(NODE_WANTED), which is not installed: / is a plain page, everything else works."; fi

node:
	@$(HAS_NODE) || { echo "This needs $(NODE_WANTED), with npm."; exit 1; }

# uv itself is installed by pip, so that it need not be on the machine.
.venv/.uv-$(UV_VERSION):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Tallyroom needs Python 3.11 or newer; try make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	@touch $@
