"""A recorded episode, played again so that it can be shown from any decision on."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from pixelplan.play.recorded_run import read_backgrounds, read_nodes, read_run
from pixelplan.play.replay import replay_decisions
from pixelplan.simulators.ale import AtariGame
from pixelplan.simulators.emulators import make_emulator
from pixelplan.viewer.encoding import decode_screen, encode_screen
from pixelplan.viewer.scene import RootView
from pixelplan.viewer.tree import ShownTree
from pixelplan.viewer.values import value_tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pixelplan.play.episode import PlayedEpisode


@dataclass(frozen=True, kw_only=True, slots=True)
class Moment:
    """The game before a decision, and at the end."""

    state: bytes
    """The emulator's."""
    screen: bytes
    """Encoded."""
    score: int
    frames: int
    lives: int


class Recording:
    """A run folder with a trace. It can be used while it is still being read."""

    def __init__(self, folder: Path) -> None:
        self.run = read_run(folder)
        self.visits = read_nodes(folder)
        self.backgrounds = read_backgrounds(folder)
        self.moments: list[Moment] = []
        """Before each decision that was read, and after the last of them."""
        self._clips: list[bytes] = []
        """One frame is much like the next: together they are a tenth as long when compressed."""
        self._newest = np.maximum.accumulate([rows["id"].max(initial=-1) for rows in self.visits])
        settings = self.run.settings
        self._actions = AtariGame(settings.game).action_set(settings.actions)
        self._emulator = make_emulator(settings.game, frameskip=settings.frameskip, seed=settings.seed)

    def read(self) -> Iterator[int]:
        """Play the recorded actions again, and tell after each how many were read."""
        frames: list[bytes] = []

        def film(episode: PlayedEpisode) -> None:
            frames.append(encode_screen(episode.game.screen()))

        for episode in replay_decisions(self.run, film):
            if self.moments:
                self._clips.append(zlib.compress(msgspec.msgpack.encode(frames), level=1))
            self.moments.append(
                Moment(
                    state=episode.game.clone(),
                    screen=frames[-1],
                    score=episode.score,
                    frames=episode.frames,
                    lives=episode.game.lives(),
                )
            )
            frames.clear()
            yield len(self._clips)

    def clip(self, decision: int) -> list[bytes]:
        """Return the frames of an action, encoded."""
        return msgspec.msgpack.decode(zlib.decompress(self._clips[decision]), type=list[bytes])

    def root(self, decision: int) -> RootView:
        """Return where a lookahead began; a mispredicted one, where it expected the game to be."""
        moment = self.moments[decision]
        state, screen = moment.state, moment.screen
        if self.run.decisions[decision].mispredicted:
            state, screen = self._expect(decision)
        previous = decode_screen(self.moments[decision - 1].screen) if decision > 0 else None
        return RootView(state=state, screen=decode_screen(screen), previous=previous)

    def _expect(self, decision: int) -> tuple[bytes, bytes]:
        """Return the state and the screen to which the action before should have led."""
        self._emulator.restore(self.moments[decision - 1].state)
        outcome = self._emulator.act(
            self.run.decisions[decision - 1].action, lambda view: encode_screen(view.screen())
        )
        return outcome.emulator, outcome.observation

    def tree(self, decision: int) -> ShownTree:
        """Return the tree of a decision; it is empty where there was nothing to decide."""
        tree = ShownTree()
        tree.decision = decision
        if len(self.visits[decision]) == 0:
            return tree
        # Nothing older than the root before this one matters, and ids only grow.
        roots = np.concatenate([rows["id"][:1] for rows in self.visits[max(decision - 1, 0) : decision + 1]])
        first = int(np.searchsorted(self._newest, roots.min()))
        for number in range(first, decision + 1):
            rows = self.visits[number]
            if len(rows) > 0:
                tree.begin(number, rows[:1], is_bold=self.run.decisions[number].bold)
                tree.add(rows[1:])
        if np.isnan(self.visits[decision]["value"]).any():
            value_tree(tree, self.run.settings, self._actions, is_bold=self.run.decisions[decision].bold)
        # Earlier versions do not tell the branch.
        tree.branch = self.run.decisions[decision].branch or tree.branch
        return tree
