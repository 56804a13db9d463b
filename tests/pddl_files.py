"""PDDL files for the tests: some at hand, some written when needed."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

FOLDER = Path(__file__).parent / "simulators" / "pddl"


def blocksworld_problem(folder: Path, towers: Iterable[str], goals: Iterable[Sequence[str]]) -> Path:
    """Write a Blocksworld problem: towers of one-letter blocks, from bottom to top, and goals."""
    start = ["(handempty)"]
    for tower in towers:
        start += [f"(ontable {tower[0]})", f"(clear {tower[-1]})"]
        start += [f"(on {above} {below})" for below, above in pairwise(tower)]
    path = folder / "problem.pddl"
    path.write_text(
        f"""(define (problem towers) (:domain blocksworld)
        (:objects {" ".join(block for tower in towers for block in tower)})
        (:init {" ".join(start)})
        (:goal (and {" ".join(f"({' '.join(goal)})" for goal in goals)})))"""
    )
    return path
