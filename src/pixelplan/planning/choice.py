"""Which action to play once the lookahead has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pixelplan.planning.node import ENDLESS

if TYPE_CHECKING:
    from random import Random

    from pixelplan.planning.node import Node, Worth
    from pixelplan.planning.settings import NothingFound
    from pixelplan.planning.simulator import Action


class Choice(NamedTuple):
    """The action to play, its value, and what would follow."""

    action: Action
    value: float
    """The best that was found behind the action; to the wary it may not be sure."""
    branch: tuple[Action, ...]
    """The action and the best ones to follow it, or the surest, as far as they have been simulated."""


def choose_action(root: Node, nothing_found: NothingFound, rng: Random, *, is_wary: bool = False) -> Choice:
    """Take the first action of the best sequence; where nothing was found, stay alive and explore.

    An action that was not tried counts 0, and the wary do not rely on it: it is better than a loss at once,
    and worse than one action that goes well.
    """
    untried = (0.5 if is_wary else ENDLESS, 0.0)
    twins = {child.action for child in root.children.values() if child.is_twin}
    actions = [action for action in root.actions if action not in twins]
    children = [root.children.get(action) for action in actions]
    worths = [untried if child is None else child.worth() for child in children]
    best = max(worths)
    candidates = [index for index, worth in enumerate(worths) if worth == best]
    _, value = best
    if value == 0 and nothing_found == "longest":
        heights = [0 if child is None else child.height for child in children]
        highest = max(heights[index] for index in candidates)
        candidates = [index for index in candidates if heights[index] == highest]
    action = actions[rng.choice(candidates)]
    return Choice(action, value, best_branch(root, action, untried))


def best_branch(root: Node, action: Action, untried: Worth) -> tuple[Action, ...]:
    """Return an action and the best ones to follow it, as far as they have been simulated."""
    branch = [action]
    node = root.children.get(action)
    while node is not None and (best := node.surest_child()) is not None:
        if best.worth() < untried and node.has_untried_action():
            # Anything not tried yet is better.
            break
        branch.append(best.action)
        node = best
    return tuple(branch)
