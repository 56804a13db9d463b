# Everything happens in a virtual environment of the project's own, .venv.
PYTHON ?= python3
CXX ?= g++
BIN := .venv/bin
NATIVE := $(wildcard native/*/*.cpp native/*/*.hpp native/include/pixelplan/*.hpp)

.PHONY: install play bench check lint sanitize test test-slow measure signature clean

install: .venv/installed

.venv/installed: pyproject.toml CMakeLists.txt $(NATIVE)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "pixelplan needs Python 3.11 or newer: set PYTHON=/path/to/python3.11"; exit 1; }
	@command -v $(CXX) > /dev/null || \
		{ echo "pixelplan needs a C++20 compiler: install g++ (Debian, Ubuntu: apt-get install g++) or set CXX"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv || \
		{ echo "Python cannot make virtual environments: install its venv module (apt-get install python3-venv)"; exit 1; }
	$(BIN)/python -m pip install --quiet --upgrade pip
	CXX=$(CXX) $(BIN)/python -m pip install --quiet --editable .
	@touch $@

.venv/developer: .venv/installed
	$(BIN)/python -m pip install --quiet --group dev
	@touch $@

play: install
	$(BIN)/pixelplan play breakout --seconds 0.25 --max-frames 1800 --video out/breakout.mp4

bench: install
	$(BIN)/pixelplan bench

check: lint sanitize

lint: .venv/developer
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run --Werror $(NATIVE)
	$(BIN)/python -m nanobind.stubgen -q -m pixelplan.features._kernel -o build/_kernel.pyi
	diff build/_kernel.pyi src/pixelplan/features/_kernel.pyi
