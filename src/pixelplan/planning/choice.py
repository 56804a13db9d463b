"""Which action to play once the lookahead has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from pixelplan.planning.node import Node
    from pixelplan.planning.paper_settings import NothingFound
    from pixelplan.planning.simulator import Action


class Choice(NamedTuple):
    """The action to play, its value, and the branch that would follow."""

    action: Action
    value: float
    """The greatest that was found behind the action."""
    branch: tuple[Action, ...]
    """The action and those with which its branch goes on, as far as they have been simulated."""


def choose_action(root: Node, actions: Sequence[Action], nothing_found: NothingFound, rng: Random) -> Action:
    """Take the action of the greatest value among some; where nothing was found, stay alive and explore."""
    values = [value_of(root, action) for action in actions]
    best = max(values)
    candidates = [action for action, value in zip(actions, values, strict=True) if value == best]
    if best == 0 and nothing_found == "longest":
        heights = [_height_of(root, action) for action in candidates]
        highest = max(heights)
        candidates = [action for action, height in zip(candidates, heights, strict=True) if height == highest]
    return rng.choice(candidates)


def value_of(node: Node, action: Action) -> float:
    """Return the value of an action in a node: 0 if it was not tried."""
    child = node.children.get(action)
    return 0.0 if child is None else child.value


def _height_of(node: Node, action: Action) -> int:
    child = node.children.get(action)
    return 0 if child is None else child.height


def follow(root: Node, action: Action, best_child: Callable[[Node], Node | None]) -> tuple[Action, ...]:
    """Return an action and the best ones to follow it, as far as they have been simulated."""
    branch = [action]
    node = root.children.get(action)
    while node is not None and (node := best_child(node)) is not None:
        branch.append(node.action)
    return tuple(branch)
