# Two commands: `make demo` runs a whole simulated studio, `make test` passes the tests. Both set up what is missing.
#
#   make demo ARGS="--auto"        nobody has to deal          make demo PORT=9000 HOST=0.0.0.0
#   make demo GAME=kkclash         another game; GAME=all is one table of each, side by side
#   make cluster                   a studio of several processes: NATS, two table hosts, two web nodes; ARGS=--kill
#   make check                     everything a change must pass; long
#   make night                     the whole of what make check takes samples of; longer
#   make hunt                      plays tables at random until something breaks; the tests play the same games each time
#   make audit                     known weaknesses of the packages; make sbom lists them all in dist/sbom.cdx.json
#   make release                   the wheel and the sdist, in dist; make released keeps a night of it as a test case
#   make bench                     figures, each beside its raw cost
#   make soak                     twenty minutes of everything going wrong at ten tables; HOURS=24 for a day
#   make certificates              proves pay tables again where the code they pay by has changed

VENV    := .venv
READY   := $(VENV)/.ready
BIN     := $(VENV)/bin
SOURCES := studio devices dealer_ui bench soak training tests
WORKERS ?= 3
SEED    ?= 1
ROUNDS  ?= 300
UNPLUGGED ?= 100
GAMES   ?= $(shell $(BIN)/python -c "from studio.games import HOUSE_GAMES as all; print(*(game.key for game in reversed(all)))")
ROOM    ?= nlh short_deck plo ofc
HANDS   ?= 20
CABLES  ?= 5
MINUTES ?= $(if $(HOURS),$(shell echo $$(($(HOURS) * 60))),20)
FOLDER  ?= build/soak

# What is drawn at random is drawn alike at every run of the same code: who changed nothing sees nothing else fail.
SAME    := --hypothesis-profile=ci
MACHINES := tests/studio/test_poker_machine.py tests/simulation/test_whole_table.py

# Compiled once and kept, whatever the shell has forbidden: a run of the tests starts Python some eighty times.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: audit sbom release released help setup browser demo cluster test check format lint types contracts long night hunt simulation bench soak certificates clean moved

help:
	@sed -n '/^$$/q; s/^# \{0,1\}//p' $(firstword $(MAKEFILE_LIST))

setup: $(READY) browser

# The stamp holds the folder the environment was made in: a checkout that was moved is set up anew.
ifneq ($(file <$(READY)),$(CURDIR))
$(READY): moved
endif

$(READY): pyproject.toml scripts/setup
	@scripts/setup environment
	@printf '%s\n' '$(CURDIR)' > $@

browser: $(READY)
	@scripts/setup browser

demo: $(READY)
	@exec $(BIN)/studio demo $(addprefix --game ,$(GAME)) $(if $(PORT),--port $(PORT)) $(if $(HOST),--host $(HOST)) $(ARGS)

cluster: $(READY) browser
	@exec $(BIN)/studio cluster $(if $(PORT),--port $(PORT)) $(ARGS)

test: $(READY) browser
	$(BIN)/pytest $(SAME) -n $(WORKERS) --dist worksteal -m "not long and not night" $(ARGS)

check: format lint types contracts audit test long simulation

format: $(READY)
	$(BIN)/ruff format --check $(SOURCES)

lint: $(READY)
	$(BIN)/ruff check $(SOURCES)

types: $(READY)
	$(BIN)/mypy

contracts: $(READY)
	$(BIN)/lint-imports --no-logo

# Known weaknesses of the packages; without a network it says so and passes.
audit: $(READY)
	@$(BIN)/python -m scripts.audit

# The bill of materials of a release, beside its wheel.
sbom: $(READY)
	@$(BIN)/python -m scripts.bill_of_materials dist/sbom.cdx.json

# Of what the repository holds, and nothing else.
release: $(READY) sbom
	@$(BIN)/python -m scripts.release dist

# A night of the version as it was built, for the versions after it.
released: release
	@$(BIN)/python -m scripts.released_case dist tests/released

long: $(READY) browser
	$(BIN)/pytest $(SAME) -n $(WORKERS) --dist worksteal -m "long and not night" $(ARGS)

# The build machine ends it at NIGHT_ENDS_AT, in seconds since 1970: what was not run by then is skipped, and says so.
night: $(READY) browser
	$(BIN)/pytest $(SAME) -n $(WORKERS) --dist worksteal -m night $(ARGS)

hunt: $(READY)
	$(BIN)/pytest -n $(WORKERS) --dist worksteal $(MACHINES) $(ARGS)

simulation: $(READY)
	@printf '%s\n' $(GAMES) | xargs -P $(WORKERS) -I GAME \
	  $(BIN)/studio simulate --game GAME --rounds $(ROUNDS) --seed $(SEED) --faults many
	@printf '%s\n' $(GAMES) | xargs -P $(WORKERS) -I GAME \
	  $(BIN)/studio simulate --game GAME --rounds $(UNPLUGGED) --seed $(SEED) --faults unplug
	@printf '%s\n' $(ROOM) | xargs -P $(WORKERS) -I GAME \
	  $(BIN)/studio simulate --game GAME --rounds $(HANDS) --seed $(SEED) --faults every
	@printf '%s\n' $(ROOM) | xargs -P $(WORKERS) -I GAME \
	  $(BIN)/studio simulate --game GAME --rounds $(CABLES) --seed $(SEED) --faults unplug

bench: $(READY)
	@$(BIN)/python -m bench $(ARGS)

# Goes on with what was begun in FOLDER; `make clean` throws that away.
soak: $(READY)
	@$(BIN)/python -m soak --folder $(FOLDER) --minutes $(MINUTES) $(ARGS)

# Proves again what the shipped certificates do not prove of the code as it is now.
certificates: $(READY)
	$(BIN)/studio rtp --missing --save studio/proof/certificate/shipped

clean:
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +
