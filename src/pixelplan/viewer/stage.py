"""What is shown, and the spectators who look at it.

Nothing is sent to a spectator that it has not yet room for: each one knows how much of the stage it
has seen, and takes what is new when its last message has gone. So a slow one misses frames, costs no
memory, and holds up nobody.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec

from pixelplan.viewer.encoding import frame_message, growth_message, tree_message
from pixelplan.viewer.messages import History, Status, to_json
from pixelplan.viewer.tree import ShownTree

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from pixelplan.play.decision_record import DecisionRecord
    from pixelplan.viewer.messages import Episode, Hello

Message = str | bytes
"""Text is JSON; bytes are a binary message."""

MAX_ANSWERS = 16
"""So many answers wait for a spectator; it asks faster than it reads if there are more."""


class Stage:
    """Everything that is shown at the moment."""

    def __init__(self, hello: Hello) -> None:
        self.hello = to_json(hello)
        self.spectators: set[Spectator] = set()
        self.reset(None)

    def reset(self, episode: Episode | None) -> None:
        """Begin another episode. None: it is not there yet."""
        self.episode = "" if episode is None else to_json(episode)
        """Each episode's is another object: spectators compare identities."""
        self.status = Status()
        self.decision: str | None = None
        self.frames: list[int] = []
        self.scores: list[int] = []
        self.frame = b""
        self.frame_number = 0
        self.tree = ShownTree()
        self._status_json = ""
        self.wake()

    def show_frame(self, encoded: bytes) -> None:
        """Show a screen."""
        self.frame_number += 1
        self.frame = frame_message(self.frame_number, encoded)
        self.wake()

    def show_status(self, **changes: Any) -> None:  # noqa: ANN401
        """Show that something has changed."""
        status = msgspec.structs.replace(self.status, **changes)
        if status != self.status:
            self.status = status
            self._status_json = ""
            self.wake()

    def show_decision(self, record: DecisionRecord) -> None:
        """Show what was decided last."""
        self.decision = to_json(record)
        self.wake()

    def add_score(self, frames: int, score: int) -> None:
        """Go on with the history."""
        self.frames.append(frames)
        self.scores.append(score)

    def wake(self) -> None:
        """Let the spectators look."""
        for spectator in self.spectators:
            spectator.woken.set()

    def status_json(self) -> str:
        """Return the status as a message, the same object as long as it is the same."""
        if not self._status_json:
            self._status_json = to_json(self.status)
        return self._status_json


class Spectator:
    """One page that looks at the stage."""

    def __init__(self, stage: Stage) -> None:
        self.woken = asyncio.Event()
        self.woken.set()
        self.has_controls = False
        """Whether a human plays at this page."""
        self._stage = stage
        self._answers: deque[Message] = deque(maxlen=MAX_ANSWERS)
        self._has_heard_hello = False
        self._episode = self._status = ""
        self._decision: str | None = None
        self._frame_number = 0
        self._tree_number = -1
        self._rows_seen = 0

    def answer(self, message: Message) -> None:
        """Answer what it has asked."""
        self._answers.append(message)
        self.woken.set()

    async def look(self, send: Callable[[Message], Awaitable[None]]) -> None:
        """Send what is new, as fast as it is taken, for ever."""
        while True:
            await self.woken.wait()
            self.woken.clear()
            for message in self.news():
                await send(message)
                if self._episode is not self._stage.episode:
                    # The rest is of another one.
                    self.woken.set()
                    break

    def news(self) -> Iterator[Message]:
        """Yield what it has not seen yet; between two messages, time may pass."""
        stage = self._stage
        if not self._has_heard_hello:
            self._has_heard_hello = True
            yield stage.hello
        if self._episode is not stage.episode:
            self._episode = stage.episode
            self._frame_number, self._tree_number, self._decision, self._status = 0, -1, None, ""
            self._rows_seen = 0
            yield stage.episode
            yield to_json(History(frames=stage.frames, scores=stage.scores))
        if self._status is not stage.status_json():
            self._status = stage.status_json()
            yield self._status
        if self._frame_number != stage.frame_number:
            self._frame_number = stage.frame_number
            yield stage.frame
        yield from self._tree_news()
        if stage.decision is not None and self._decision is not stage.decision:
            self._decision = stage.decision
            yield stage.decision
        while self._answers:
            yield self._answers.popleft()

    def _tree_news(self) -> Iterator[Message]:
        tree = self._stage.tree
        if self._tree_number != tree.decision:
            self._tree_number = tree.decision
            self._rows_seen = tree.log_length()
            yield tree_message(tree.decision, tree.rows(), tree.branch)
        elif self._rows_seen != tree.log_length():
            rows = tree.since(self._rows_seen)
            self._rows_seen = tree.log_length()
            yield growth_message(tree.decision, rows, tree.branch)
