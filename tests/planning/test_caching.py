"""What is kept of a tree when its root moves: nothing, all but the states, or all."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from searching import PLAIN, WIDTH_PLANNERS, Kept, begin, node_at, plant, roll, run

from pixelplan.planning.case import Case
from pixelplan.planning.lookahead import Lookahead
from pixelplan.planning.node import walk
from pixelplan.planning.paper_settings import Caching
from pixelplan.planning.rollout_iw import rollout_iw
from pixelplan.planning.simulator import Action, Transition
from worlds import UnfoldedWorld, World, corridor, seeds, uniform_worlds

planners = pytest.mark.parametrize("planner", WIDTH_PLANNERS)

Path = tuple[Action, ...]


@planners
@given(world=uniform_worlds, seed=seeds, calls=st.integers(3, 40), more_calls=st.integers(1, 40))
def test_full_caching_never_simulates_a_node_again(
    planner: str, world: World, seed: int, calls: int, more_calls: int
) -> None:
    """Each call is for a node that is not in the tree yet."""
    kept = Kept(world, "full", planner, seed, calls)
    kept.search(more_calls)
    assert not set(kept.world.calls) & set(kept.paths)
    assert len(set(kept.world.calls)) == len(kept.world.calls) == kept.lookahead.simulated
    assert kept.lookahead.node_count == len(kept.paths) + len(kept.world.calls)


@planners
@given(world=uniform_worlds, seed=seeds, calls=st.integers(3, 40), more_calls=st.integers(1, 40))
def test_partial_caching_simulates_a_kept_node_once_when_it_is_passed(
    planner: str, world: World, seed: int, calls: int, more_calls: int
) -> None:
    """And never if it is not; it stays the same node, with the same features."""
    kept = Kept(world, "partial", planner, seed, calls)
    kept_paths = set(kept.paths) - {kept.played}
    assert all(kept.paths[path].state is None for path in kept_paths)
    kept.search(more_calls)
    assert set(Counter(kept.world.calls).values()) <= {1}
    again = kept_paths & set(kept.world.calls)
    assert {path for path in kept_paths if kept.paths[path].state is not None} == again
    assert all(kept.paths[path].state == path for path in again)
    assert len(kept.world.calls) == len(again) + kept.lookahead.simulated
    assert {path: node.features for path, node in kept.paths.items()} == kept.features
    if planner == "rollout-iw":
        arrived = {id(node) for node, _ in kept.log.arrivals}
        assert {path for path in kept_paths if id(kept.paths[path]) in arrived} == again


@planners
@pytest.mark.parametrize("caching", ["partial", "full"])
@given(world=uniform_worlds, seed=seeds, calls=st.integers(3, 40))
def test_a_kept_tree_is_ready_for_a_new_decision(
    planner: str, caching: Caching, world: World, seed: int, calls: int
) -> None:
    """Numbered from its root, without labels, all cached, with untried actions untried."""
    kept = Kept(world, caching, planner, seed, calls)
    root = kept.lookahead.root
    assert (root.depth, root.path_reward, root.repeats) == (0, 0.0, 0)
    assert list(root.actions) == list(kept.world.actions(kept.played))
    for parent in walk(root):
        assert parent.is_known
        assert not parent.is_solved
        assert parent.unsolved == list(parent.actions)
        for child in parent.children.values():
            assert child.depth == parent.depth + 1
            assert child.path_reward == parent.path_reward + child.reward
    assert {id(node) for node in walk(root)} == {id(node) for node in kept.paths.values()}
    assert kept.lookahead.node_count == len(kept.paths)
    assert (kept.lookahead.simulated, kept.lookahead.rollouts, kept.lookahead.deepest) == (0, 0, 0)
    assert not any(kept.lookahead.cases)


@given(world=uniform_worlds, seed=seeds, calls=st.integers(3, 40), more_calls=st.integers(1, 40))
def test_rollouts_pass_kept_nodes_and_judge_all_others(
    world: World, seed: int, calls: int, more_calls: int
) -> None:
    """Only kept nodes, nodes without effect and dead ends are not judged."""
    kept = Kept(world, "full", "rollout-iw", seed, calls)
    kept.search(more_calls)
    kept_nodes = {id(node) for node in kept.paths.values()}
    for node, case in kept.log.arrivals:
        if node.is_terminal:
            assert case is Case.DEAD_END
        else:
            assert (case is Case.UNTESTED) == (id(node) in kept_nodes or node.repeats > 0)


def test_without_caching_nothing_is_kept() -> None:
    """The root stays where it is until another is planted."""
    world = corridor(5)
    lookahead = plant(world, replace(PLAIN, caching="none"))
    roll(lookahead, world, 1, 0)
    assert not lookahead.advance(1)
    lookahead.plant(world.look(1))
    begin(lookahead)
    assert lookahead.node_count == 1
    assert not lookahead.root.children
    assert lookahead.root.state == 1


def test_an_action_never_simulated_leaves_nothing_to_keep() -> None:
    """As if it led to an unknown place."""
    world = corridor(5)
    lookahead = plant(world)
    roll(lookahead, world, 1, 0)
    root = lookahead.root
    assert not lookahead.advance(0)
    assert lookahead.root is root


class FadingWorld(UnfoldedWorld):
    """A world whose features depend on the decision in which they are computed."""

    def look(self, state: Path) -> Transition:
        """Add the number of the decision to the features."""
        seen = super().look(state)
        return seen._replace(features=seen.features | {f"decision {len(self.world.decisions)}"})

    def transition(self, state: Path, action: Action) -> Transition:
        """Add the number of the decision to the features."""
        return super().transition(state, action)._replace(features=self.look((*state, action)).features)


def test_features_never_change_once_computed() -> None:
    """Though the simulator, asked again, would say something else."""
    world = FadingWorld(corridor(5))
    lookahead = plant(world, replace(PLAIN, caching="partial"))
    run(rollout_iw(lookahead), lookahead, world, calls=6)
    lookahead.advance(1)
    before = [(node.number, node.features) for node in walk(lookahead.root)]
    world.start_decision()
    begin(lookahead)
    world.calls.clear()
    run(rollout_iw(lookahead), lookahead, world, calls=30)
    assert set(world.calls) & {node.state for node in walk(lookahead.root) if node.is_known}
    after = {node.number: node.features for node in walk(lookahead.root)}
    assert all(after[number] == features for number, features in before)
    assert any("decision 1" in features for features in after.values())


def test_what_is_cut_off_is_freed_when_the_next_decision_begins() -> None:
    """Not before: it takes time, which is the decision's."""
    freed: list[Path] = []
    world = UnfoldedWorld(corridor(5))
    lookahead = plant(world)
    roll(lookahead, world, 1, 0)
    roll(lookahead, world, 0)

    class Features(frozenset[int]):
        def __del__(self) -> None:
            freed.append(())

    node_at(lookahead, 0).features = Features()
    lookahead.advance(1)
    assert not freed
    begin(lookahead)
    assert freed


def test_the_lookahead_needs_no_garbage_collector() -> None:
    """Dropping a lookahead frees its nodes at once."""
    freed: list[Path] = []

    class Features(frozenset[int]):
        def __del__(self) -> None:
            freed.append(())

    def look_ahead() -> Lookahead:
        world = corridor(5)
        lookahead = plant(world)
        run(rollout_iw(lookahead), lookahead, world, calls=9)
        node_at(lookahead, 1).features = Features()
        return lookahead

    look_ahead()
    assert freed
