"""A planner from outside, as a user would write one: the tests of the registry run over it too."""

from pixelplan import Case, Lookahead, Node, Planner, simulate
from pixelplan.planning.lookahead import Search, Strand
from pixelplan.planning.node import solve_and_propagate_label
from pixelplan.planning.simulator import Action

DEPTH = 10


def straight_on(lookahead: Lookahead) -> Search:
    """Follow each action of the root for a while."""
    for action in lookahead.root.actions:
        yield follow(lookahead, action)


def follow(lookahead: Lookahead, action: Action) -> Strand:
    """Apply one action again and again."""
    path: list[Node] = [lookahead.root]
    try:
        while path[-1].end is None and action in path[-1].actions and len(path) <= DEPTH:
            parent = path[-1]
            child = parent.children.get(action)
            if child is None or child.state is None:
                child = yield from simulate(lookahead, parent, action)
            path.append(child)
            lookahead.note(parent, child, child.end or Case.UNTESTED)
        if path[-1].end is not None and not path[-1].is_solved:
            solve_and_propagate_label(path)
    finally:
        lookahead.back_up(path)


STRAIGHT_ON = Planner(search=straight_on, about="Follows each action of the root for ten steps")
