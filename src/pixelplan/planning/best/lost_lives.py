"""Lost lives: where one is lost, a branch ends.

After a lost life many games begin a scene anew. To search there tells nothing of how the life is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pixelplan.planning.node import Node


def has_lost_life(node: Node, root_lives: int) -> bool:
    """Say whether a life was lost on the way to a node from the root."""
    return node.lives < root_lives
