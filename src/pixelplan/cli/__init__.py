"""The command line: one module per subcommand, imported only when it is called."""

from __future__ import annotations

import importlib
import os
import sys

from pixelplan.errors import InputError, suggest
from pixelplan.system import interrupts
from pixelplan.system.streams import open_closed_streams

COMMANDS = {
    "play": "play a game, deciding each action by lookahead",
    "watch": "watch the planner think, in the browser",
    "replay": "replay an episode from its run folder",
    "sweep": "play the episodes of an experiment that are missing",
    "report": "make tables and figures of an experiment",
    "export": "turn run folders into a dataset to learn from",
    "bench": "compare the planner's speed with the bare emulator's",
    "games": "list the games",
    "planners": "list the planners",
    "features": "list the feature sets",
}

USAGE = "usage: pixelplan COMMAND ...\n\n{commands}\n\n`pixelplan COMMAND --help` tells more.\n"

INTERRUPTED = 130
BAD_INPUT = 2


def main() -> None:
    """Run the command that the arguments name."""
    open_closed_streams()
    interrupts.catch()
    code = 0
    try:
        code = run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has seen enough; nothing may be written when Python ends either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    interrupts.ignore()
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run a command and return its exit code: 2 for wrong input, with one line that names the fault."""
    command, *rest = arguments or ["--help"]
    if command in ("-h", "--help"):
        width = max(map(len, COMMANDS)) + 2
        lines = [f"  {name:<{width}}{what}" for name, what in COMMANDS.items()]
        sys.stdout.write(USAGE.format(commands="\n".join(lines)))
        return 0
    if command == "--version":
        from importlib.metadata import version

        sys.stdout.write(f"pixelplan {version('pixelplan')}\n")
        return 0
    if command not in COMMANDS:
        return complain(f"unknown command {command!r}: {suggest(command, COMMANDS)}")
    with interrupts.caught():
        try:
            return int(importlib.import_module(f"pixelplan.cli.{command}").run(rest))
        except KeyboardInterrupt:
            interrupts.hold()
            sys.stderr.write("interrupted\n")
            return INTERRUPTED
        except BrokenPipeError:
            raise
        except (InputError, OSError) as error:
            return complain(describe_error(error), command)


def describe_error(error: Exception) -> str:
    """Return the words of an error of the input or of the system."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    return error.strerror if error.filename is None else f"{os.fsdecode(error.filename)}: {error.strerror}"


def complain(message: str, command: str = "") -> int:
    """Name the fault of the input in one line."""
    help_command = " ".join(filter(None, ("pixelplan", command, "--help")))
    tell(f"{message} (see {help_command})")
    return BAD_INPUT


def tell(problem: str) -> None:
    """Name a problem in one line."""
    sys.stderr.write(f"pixelplan: {' '.join(problem.split())}\n")
