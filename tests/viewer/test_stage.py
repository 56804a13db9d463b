from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from random import Random
from typing import Any

import pytest
from spectating import Page, sorted_rows
from visits import HELLO, a_record, an_episode, visit

from pixelplan.play.trace import NO_PARENT
from pixelplan.viewer.encoding import Flag
from pixelplan.viewer.stage import MAX_ANSWERS, Message, Spectator, Stage

Send = Callable[[Message], Awaitable[None]]


def begin(stage: Stage, decision: int, root: int = 0) -> None:
    stage.tree.begin(decision, visit(root, NO_PARENT, case=0))
    stage.wake()


@pytest.fixture
def stage() -> Stage:
    """An episode in its third decision."""
    stage = Stage(HELLO)
    stage.reset(an_episode("pong"))
    stage.show_status(playing=True, score=0)
    for decision in range(2):
        stage.add_score(15 * decision, decision)
    stage.show_decision(a_record(1))
    stage.show_frame(b"screen")
    begin(stage, 2)
    stage.tree.add(visit(1, 0))
    return stage


class Reader:
    """Reads as much as it is let."""

    def __init__(self) -> None:
        self.page = Page()
        self.may_read = asyncio.Semaphore(0)
        self.held = 0
        """Messages that were sent and are not read."""

    async def send(self, message: Message) -> None:
        self.held += 1
        await self.may_read.acquire()
        self.held -= 1
        self.page.take(message)


async def settle() -> None:
    """Let everybody do what can be done."""
    for _ in range(50):
        await asyncio.sleep(0)


def watch(stage: Stage, script: Callable[[Spectator], Coroutine[Any, Any, None]], send: Send) -> None:
    """Play a script while a spectator looks at a stage."""

    async def play() -> None:
        spectator = Spectator(stage)
        stage.spectators.add(spectator)
        looking = asyncio.create_task(spectator.look(send))
        await script(spectator)
        assert not looking.done()
        looking.cancel()

    asyncio.run(play())


def taker(page: Page) -> Send:
    async def send(message: Message) -> None:
        page.take(message)
        await asyncio.sleep(0)

    return send


def test_who_comes_late_is_told_everything(stage: Stage) -> None:
    page = Page()

    async def script(_spectator: Spectator) -> None:
        await settle()

    watch(stage, script, taker(page))
    assert page.kinds == ["hello", "episode", "history", "status", "frame", "tree", "decision"]
    assert page.told["hello"]["mode"] == "live"
    assert page.told["episode"]["game"] == "pong"
    assert page.told["history"] == {"type": "history", "frames": [0, 15], "scores": [0, 1]}
    assert (page.told["status"]["playing"], page.told["status"]["score"]) == (True, 0)
    assert page.told["frame"] == (1, b"screen")
    assert page.told["decision"]["decision"] == 1
    assert page.decision == 2
    assert page.tree() == sorted_rows(stage.tree.rows())


def test_only_what_is_new_is_told(stage: Stage) -> None:
    page = Page()

    async def script(spectator: Spectator) -> None:
        await settle()
        page.kinds.clear()
        stage.wake()
        stage.show_status(playing=True)
        await settle()
        assert page.kinds == []
        stage.show_status(playing=False)
        await settle()
        stage.show_frame(b"next")
        await settle()
        stage.tree.add(visit(1, 0, is_solved=True))
        stage.wake()
        await settle()
        stage.show_decision(a_record(2))
        await settle()
        spectator.answer(b"\4\0\0\0\7\0\0\0")
        await settle()
        assert page.kinds == ["status", "frame", "growth", "decision", "screen"]

    watch(stage, script, taker(page))


def test_a_spectator_that_does_not_read_costs_nothing_and_holds_up_nobody(stage: Stage) -> None:
    reader, other = Reader(), Page()

    async def script(spectator: Spectator) -> None:
        second = Spectator(stage)
        stage.spectators.add(second)
        looking = asyncio.create_task(second.look(taker(other)))
        await settle()
        for number in range(10_000):
            stage.show_frame(b"%d" % number)
            if number % 100 == 0:
                begin(stage, 3 + number // 100)
                stage.tree.add(visit(number + 1, 0))
                await asyncio.sleep(0)
            assert reader.held == 1
        assert not spectator._answers
        await settle()
        assert other.told["frame"] == (10_001, b"9999")
        assert reader.page.kinds == []
        for _ in range(20):
            reader.may_read.release()
        await settle()
        looking.cancel()

    watch(stage, script, reader.send)
    page = reader.page
    assert page.kinds == ["hello", "episode", "history", "status", "frame", "tree", "decision"]
    assert page.told["frame"] == (10_001, b"9999")
    assert page.decision == stage.tree.decision == 102
    assert page.tree() == sorted_rows(stage.tree.rows())


def test_who_asks_faster_than_it_reads_gets_the_newest_answers(stage: Stage) -> None:
    reader = Reader()

    async def script(spectator: Spectator) -> None:
        for request in range(100):
            spectator.answer(bytes((4, 0, 0, 0, request, 0, 0, 0)))
        for _ in range(100):
            reader.may_read.release()
        await settle()

    watch(stage, script, reader.send)
    assert reader.page.kinds.count("screen") == MAX_ANSWERS
    assert reader.page.told["screen"] == (99, b"")


@pytest.mark.parametrize("read", range(1, 8))
def test_nothing_of_an_episode_comes_before_it(stage: Stage, read: int) -> None:
    """Wherever in its news a spectator is when another episode begins."""
    reader = Reader()

    async def script(_spectator: Spectator) -> None:
        for _ in range(read):
            reader.may_read.release()
        await settle()
        stage.show_status(score=1)
        stage.show_frame(b"last")
        begin(stage, 3, root=9)
        stage.show_decision(a_record(2))
        await settle()
        stage.reset(an_episode("boxing"))
        stage.show_status(playing=True)
        stage.show_frame(b"first")
        for _ in range(20):
            reader.may_read.release()
        await settle()

    watch(stage, script, reader.send)
    kinds = reader.page.kinds
    assert kinds[-4:] == ["episode", "history", "status", "frame"]
    assert reader.page.told["episode"]["game"] == "boxing"
    assert reader.page.told["history"]["frames"] == []
    assert reader.page.told["frame"] == (1, b"first")


def test_growth_makes_exactly_the_tree(stage: Stage) -> None:
    """Whatever the pace of the tree and of the spectator."""
    rng = Random(1)
    page = Page()

    async def script(_spectator: Spectator) -> None:
        known, parents = [0, 1], {1: 0}
        for _ in range(300):
            for _ in range(rng.randrange(4)):
                node = rng.choice([len(known), rng.choice(known[1:])])
                if node == len(known):
                    known.append(node)
                    parents[node] = rng.choice(known[:-1])
                stage.tree.add(visit(node, parents[node], value=rng.random(), is_solved=rng.random() < 0.5))
            stage.wake()
            for _ in range(rng.randrange(4)):
                await asyncio.sleep(0)
        await settle()

    watch(stage, script, taker(page))
    assert page.kinds.count("tree") == 1
    assert page.kinds.count("growth") > 50
    assert page.tree() == sorted_rows(stage.tree.rows())
    assert any(row[7] & Flag.SOLVED for row in page.tree())
    assert len(page.rows) > 50
