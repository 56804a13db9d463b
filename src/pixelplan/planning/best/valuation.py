"""The valuation of `best`: that of the paper, with caution, assurance, curiosity, patience and lost lives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.planning.best.assurance import ENDLESS, UNTRIED, assured_alone, assured_below
from pixelplan.planning.best.caution import counted, find_alike
from pixelplan.planning.best.curiosity import Curiosity
from pixelplan.planning.best.lost_lives import has_lost_life
from pixelplan.planning.best.patience import Patience
from pixelplan.planning.case import Case
from pixelplan.planning.choice import Choice, choose_action, follow, value_of
from pixelplan.planning.node import walk
from pixelplan.planning.rewards import RiskAversion

if TYPE_CHECKING:
    from random import Random

    from pixelplan.planning.node import Node
    from pixelplan.planning.settings import SearchSettings
    from pixelplan.planning.simulator import Action, Simulator, Transition
    from pixelplan.planning.valuation import Worth


class Extra:
    """Facts of a node that are kept beside its value."""

    __slots__ = ("assured", "bonus", "first_alike")

    def __init__(self, first_alike: Action) -> None:
        self.first_alike = first_alike
        """The action of the first sibling that the node equals; or its own."""
        self.assured = ENDLESS
        """For how many actions, from the one that leads here on, nothing is lost for sure."""
        self.bonus = 0.0
        """Points for rare features. They are part of the value."""


class BestValuation:
    """Values nodes as the settings of `best` ask for."""

    def __init__(
        self,
        settings: SearchSettings,
        simulator: Simulator | None = None,
        *,
        is_verified: bool = False,
        is_curious: bool = True,
    ) -> None:
        """Make the valuation of a world. Without one, nodes may be valued by what else is known of them.

        It is verified if the search follows branches as far as it looks; only then is anything assured.
        """
        self._settings = settings
        self._is_verified = is_verified
        self._curiosity: Curiosity | None = None
        if simulator is not None and settings.curiosity > 0 and is_curious:
            self._curiosity = Curiosity(settings.curiosity, simulator.familiarity())
        self._patience = Patience(settings.patience if settings.risk_averse else 0)
        self._careful = RiskAversion(alpha=settings.alpha, death_penalty=settings.death_penalty)
        self._risking = RiskAversion(alpha=settings.alpha, death_penalty=0.0)
        self._root_lives = 0

    @property
    def risks_life(self) -> bool:
        """Whether patience has run out: a lost life costs nothing and ends no branch."""
        return self._patience.risks_life

    def reward(self, parent: Node, transition: Transition) -> float:
        """Return the reward, after the risk-averse transformation if that is asked for."""
        if not self._settings.risk_averse:
            return transition.reward
        risk = self._risking if self.risks_life else self._careful
        return risk.transform(transition.reward, has_lost_life=transition.lives < parent.lives)

    def leaf(self, parent: Node | None, node: Node) -> None:
        """Value a node by its reward and its rarity, and tell how far that can be relied on."""
        alike = find_alike(parent, node) if parent is not None and self._settings.cautious else node.action
        node.extra = Extra(alike)
        self._find_end(node)
        self._value(node)

    def _find_end(self, node: Node) -> None:
        if node.extra.first_alike != node.action:
            node.end = Case.TWIN
        elif self._settings.lost_life_ends and not self.risks_life and has_lost_life(node, self._root_lives):
            node.end = Case.DEAD_END

    def _value(self, node: Node) -> None:
        extra = node.extra
        if self._curiosity is not None:
            extra.bonus = self._curiosity.bonus(node)
        node.value = node.reward + extra.bonus
        if self._is_verified:
            extra.assured = assured_alone(node)

    def back_up(self, node: Node) -> bool:
        """Take the greatest value and the greatest assurance of the children, be they of one child or two."""
        children = counted(node)
        extra = node.extra
        best = max([child.value for child in children])
        if best < 0 and not self._settings.cautious and node.has_untried_action():
            best = 0.0
        value = node.reward + extra.bonus + self._settings.discount * best
        assured = assured_below(node, children) if self._is_verified else ENDLESS
        height = 1 + max([child.height for child in node.children.values()])
        has_changed = value != node.value or assured != extra.assured or height != node.height
        node.value, extra.assured, node.height = value, assured, height
        return has_changed

    def worth(self, node: Node) -> Worth:
        """Return the number of actions for which nothing is lost for sure, and the value."""
        return worth(node)

    def best_child(self, node: Node) -> Node | None:
        """Return the child that goes well for longest for sure, of equal ones the best."""
        best = surest_child(node)
        return None if best is None or (worth(best) < self._untried and node.has_untried_action()) else best

    @property
    def _untried(self) -> Worth:
        return UNTRIED if self._is_verified else ENDLESS, 0.0

    def choose(self, root: Node, rng: Random) -> Choice:
        """Of the actions that go well for longest for sure, take the one of the greatest value."""
        twins = {child.action for child in root.children.values() if child.end is Case.TWIN}
        assured = {action: self._assured(root, action) for action in root.actions if action not in twins}
        longest = max(assured.values())
        surest = [action for action, length in assured.items() if length == longest]
        action = choose_action(root, surest, self._settings.nothing_found, rng)
        return Choice(action, value_of(root, action), follow(root, action, self.best_child))

    def _assured(self, root: Node, action: Action) -> float:
        child = root.children.get(action)
        return self._untried[0] if child is None else child.extra.assured

    def start(self, root: Node) -> None:
        """Note the lives; forget the kept tree if a life has another price now."""
        self._root_lives = root.lives
        root.extra.first_alike = root.action
        if self._patience.start(root.lives):
            root.forget_children()
        if self._curiosity is not None:
            self._curiosity.note(root)

    def renew(self, root: Node) -> None:
        """Value the kept tree anew: played states become familiar, and the horizon moves on."""
        has_new_values = self._curiosity is not None or self._is_verified
        for node in reversed(list(walk(root))):
            self._find_end(node)
            if has_new_values:
                self._value(node)
                if node.children:
                    self.back_up(node)

    def observe(self, reward: float) -> None:
        """Let patience know of a reward."""
        self._patience.observe(reward)


def surest_child(node: Node) -> Node | None:
    """Return the child that goes well for longest for sure, of equal ones the best."""
    return max(counted(node), key=lambda child: (worth(child), child.height), default=None)


def worth(node: Node) -> Worth:
    """Return that by which an action is chosen."""
    return node.extra.assured, node.value
