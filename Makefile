# Everything happens in a virtual environment of the project's own, .venv.
PYTHON ?= python3
CXX ?= g++
BIN := .venv/bin
STATIC := src/pixelplan/viewer/static
NATIVE := $(wildcard native/*/*.cpp native/*/*.hpp native/include/pixelplan/*.hpp)

.PHONY: install play watch bench check lint sanitize test test-slow measure signature stub web clean

install: .venv/installed

.venv/installed: pyproject.toml CMakeLists.txt $(NATIVE)
	@command -v $(PYTHON) > /dev/null && $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "pixelplan needs Python 3.11 or newer: set PYTHON=/path/to/python3.11"; exit 1; }
	@command -v $(CXX) > /dev/null || \
		{ echo "pixelplan needs a C++20 compiler: install g++ (Debian, Ubuntu: apt-get install g++) or set CXX"; exit 1; }
	@echo '#include <span>' | $(CXX) -std=c++20 -fsyntax-only -x c++ - 2> /dev/null || \
		{ echo "$(CXX) does not know C++20: pixelplan needs g++ 10 or newer, or set CXX"; exit 1; }
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

watch: install
	$(BIN)/pixelplan watch breakout

bench: install
	$(BIN)/pixelplan bench

check: lint sanitize

lint: .venv/developer web/node_modules
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run --Werror $(NATIVE)
	mkdir -p build
	$(BIN)/python -m nanobind.stubgen -q -m pixelplan.features._kernel -o build/_kernel.pyi
	diff build/_kernel.pyi src/pixelplan/features/_kernel.pyi
	$(BIN)/python -m pixelplan.viewer.typescript > build/generated.ts
	diff build/generated.ts web/src/generated.ts
	npm --prefix web run --silent check
	npm --prefix web run --silent lint
	npm --prefix web run --silent test
	rm -rf build/web
	STATIC=../build/web npm --prefix web run --silent build
	diff build/web/app.js $(STATIC)/app.js

# The C++ test program, and the kernel's Python tests against a sanitized module: a staged copy of the
# package comes first on the path, and -S keeps the installed one from being found. libstdc++ is
# preloaded because the sanitizer must find it before the module throws.
SANITIZED := build/sanitize-module
RUN_SANITIZED = LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0 \
	PYTHONPATH=$(SANITIZED)/stage:$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') \
	$(BIN)/python -S
sanitize: .venv/developer
	$(BIN)/cmake -S . -B build/sanitize-native -DPIXELPLAN_SANITIZE=ON -DPIXELPLAN_NATIVE_TESTS=ON \
		-DPIXELPLAN_MODULE=OFF --log-level=WARNING
	$(BIN)/cmake --build build/sanitize-native --parallel 2 --target native_tests > /dev/null
	build/sanitize-native/native_tests
	$(BIN)/cmake -S . -B $(SANITIZED) -DPIXELPLAN_SANITIZE=ON -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python \
		-Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir) --log-level=WARNING
	$(BIN)/cmake --build $(SANITIZED) --parallel 2 > /dev/null
	rm -rf $(SANITIZED)/stage
	mkdir -p $(SANITIZED)/stage
	cp -r src/pixelplan $(SANITIZED)/stage/
	$(BIN)/cmake --install $(SANITIZED) --prefix $(SANITIZED)/stage > /dev/null
	$(RUN_SANITIZED) -c 'from pixelplan.features import _kernel; assert "$(SANITIZED)" in _kernel.__file__'
	$(RUN_SANITIZED) -m pytest --capture=sys -p no:cacheprovider tests/features/test_kernel*.py

# Hundreds of processes import the same modules: bytecode is kept, whatever the environment says.
test test-slow: export PYTHONDONTWRITEBYTECODE :=

test: .venv/developer
	$(BIN)/pytest -n auto --dist worksteal --durations 25 -m "not slow"

test-slow: .venv/developer
	$(BIN)/pytest -n auto --dist worksteal --durations 25 -m slow

PARTS :=
measure: .venv/developer
	$(BIN)/python benchmarks/measure.py $(PARTS)

signature: install
	$(BIN)/python tests/signature/compute_signature.py

stub: .venv/developer
	$(BIN)/python -m nanobind.stubgen -q -m pixelplan.features._kernel -o src/pixelplan/features/_kernel.pyi

# The page's script is built from web/ and committed, so that only who changes it needs Node.
web: .venv/installed web/node_modules
	$(BIN)/python -m pixelplan.viewer.typescript > build/generated.ts
	cp build/generated.ts web/src/generated.ts
	npm --prefix web run --silent build

web/node_modules: web/package.json web/package-lock.json
	@command -v npm > /dev/null || { echo "the viewer's page needs Node 20 or newer, with npm"; exit 1; }
	npm --prefix web ci --ignore-scripts --no-audit --no-fund
	@touch $@

clean:
	rm -rf build .venv web/node_modules
