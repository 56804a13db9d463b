"""Width by brute force, from the paper's definition: over trajectories, and without any search.

Paper: section "IW Rollouts", before Theorem 3. Here goals are single atoms. Width k is width 1 in a
world whose atoms are the conjunctions of up to k atoms.
"""

from collections.abc import Hashable
from dataclasses import replace
from itertools import combinations

from worlds import Atoms, Name, World

Trajectory = tuple[Name, ...]
"""The states s_0, ..., s_n."""


def conjunctions(atoms: Atoms, width: int) -> frozenset[Atoms]:
    """Return the conjunctions of up to `width` atoms."""
    return frozenset(
        frozenset(conjunction) for size in range(1, width + 1) for conjunction in combinations(atoms, size)
    )


def conjoin(world: World, width: int) -> World:
    """Return the world in which conjunctions of up to `width` atoms are the atoms."""
    atoms = {state: conjunctions(atoms, width) for state, atoms in world.atoms.items()}
    return replace(world, atoms=atoms, calls=[], decisions=[])


def reachable_atoms(world: World) -> Atoms:
    """Return the atoms that are true in some state that can be reached."""
    reached = [world.root()]
    for state in reached:
        if state not in world.terminals:
            reached += sorted(set(world.successors[state]) - set(reached), key=repr)
    return frozenset().union(*(world.atoms[state] for state in reached))


def optimal_trajectories(world: World) -> dict[Hashable, set[Trajectory]]:
    """Return, for each atom that can be reached, all shortest trajectories to a state where it is true."""
    missing = set(reachable_atoms(world))
    optimal: dict[Hashable, set[Trajectory]] = {}
    trajectories: set[Trajectory] = {(world.root(),)}
    while missing:
        found = missing & set().union(*(world.atoms[states[-1]] for states in trajectories))
        for atom in found:
            optimal[atom] = {states for states in trajectories if atom in world.atoms[states[-1]]}
        missing -= found
        trajectories = {
            (*states, successor)
            for states in trajectories
            if states[-1] not in world.terminals
            for successor in world.successors[states[-1]]
        }
    return optimal


def optimal_depth(optimal: dict[Hashable, set[Trajectory]], atom: Hashable) -> int:
    """Return the least number of actions that make an atom true."""
    return len(next(iter(optimal[atom]))) - 1


def has_width_1(world: World, optimal: dict[Hashable, set[Trajectory]], goal: Hashable) -> bool:
    """Say whether some trajectory to the goal proves that it has width 1."""
    if optimal_depth(optimal, goal) == 0:
        return False
    return any(is_proof(world, optimal, goal, trajectory) for trajectory in optimal[goal])


def is_proof(
    world: World, optimal: dict[Hashable, set[Trajectory]], goal: Hashable, trajectory: Trajectory
) -> bool:
    """Say whether atoms f_0, ..., f_n can be chosen along a trajectory as the definition asks."""
    last: set[Hashable] | None = None
    for end in range(1, len(trajectory) + 1):
        prefix = trajectory[:end]
        # 1) The prefix is optimal for f_i.
        chosen = {atom for atom in world.atoms[prefix[-1]] if prefix in optimal[atom]}
        if last is not None:
            # 2) Each optimal trajectory to the atom before can be extended to an optimal one to f_i.
            chosen = {
                atom for atom in chosen if any(is_extended(optimal[before], optimal[atom]) for before in last)
            }
        last = chosen
    # 3) The optimal trajectories to f_n are optimal for the goal.
    return any(optimal[atom] <= optimal[goal] for atom in last or ())


def is_extended(shorter: set[Trajectory], longer: set[Trajectory]) -> bool:
    """Say whether each of some trajectories, and one action more, is among the others."""
    return shorter <= {states[:-1] for states in longer}


def lasting_trajectories(
    world: World, optimal: dict[Hashable, set[Trajectory]]
) -> dict[Hashable, set[Trajectory]]:
    """Leave out the atoms to which some shortest trajectory can be pruned by case 3.

    It cannot if each of its states is reached, by it, as early as possible for some atom.
    """
    depths = {atom: optimal_depth(optimal, atom) for atom in optimal}
    lasting = {
        trajectory
        for trajectories in optimal.values()
        for trajectory in trajectories
        if all(
            depth in {depths[atom] for atom in world.atoms[state]} for depth, state in enumerate(trajectory)
        )
    }
    return {atom: found if found <= lasting else set() for atom, found in optimal.items()}
