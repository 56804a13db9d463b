from __future__ import annotations

import asyncio
import json
import threading
from typing import TYPE_CHECKING, Any

import pytest
from rehearsal import FIRE, RIGHT, TRACE, Rehearsal, StandIn, perform, settings, settle, until
from spectating import Page, sorted_rows

from pixelplan.errors import InputError
from pixelplan.planning.budget import Budget
from pixelplan.planning.case import Case
from pixelplan.play.episode import PlayedEpisode
from pixelplan.viewer import messages
from pixelplan.viewer.encoding import encode_screen
from pixelplan.viewer.show import Show
from pixelplan.viewer.stage import Message, Spectator
from pixelplan.viewer.thinker import Failed

if TYPE_CHECKING:
    from pixelplan.viewer.stage import Stage

LONG = 600
"""Ticks in which many decisions could be made."""
FRAMESKIP = 15


def decision_of(stage: Stage) -> dict[str, Any]:
    assert stage.decision is not None
    decision: dict[str, Any] = json.loads(stage.decision)
    return decision


def test_what_is_shown_is_what_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[bytes] = []

    async def script(on: Rehearsal) -> None:
        monkeypatch.setattr(on.stage, "show_frame", shown.append)
        await until(lambda: bool(on.stage.status.is_over))

    stage = perform(script, StandIn(), max_frames=70)
    frames: list[bytes] = []
    episode = PlayedEpisode(settings(), lambda episode: frames.append(encode_screen(episode.game.screen())))
    for _ in range(70):
        episode.play_frame(FIRE)
    assert shown == frames
    assert stage.frames == [15, 30, 45, 60, 70]
    assert stage.scores[-1] == stage.status.score == episode.score
    assert stage.status.frames == 70
    assert (stage.status.playing, stage.status.message) == (False, "The episode is over.")


def test_an_episode_ends_after_as_many_decisions_as_it_may_have() -> None:
    async def script(on: Rehearsal) -> None:
        await until(lambda: bool(on.stage.status.is_over))
        assert len(on.thinker.errands) == 2
        for wish in (messages.Play(), messages.Step()):
            with pytest.raises(InputError, match="start another one"):
                await on.show.grant(wish)
        assert not on.stage.status.playing

    stage = perform(script, StandIn(), decisions=2)
    assert stage.frames == [15, 30]


@pytest.mark.parametrize("is_bold", [True, False])
def test_it_is_told_when_a_risk_is_taken(is_bold: bool) -> None:
    thinker = StandIn()
    thinker.is_bold = is_bold

    async def script(on: Rehearsal) -> None:
        await until(lambda: bool(on.stage.status.is_over))

    assert perform(script, thinker, decisions=1).status.bold == is_bold


def test_a_decision_and_its_tree() -> None:
    page = Page()

    async def script(on: Rehearsal) -> None:
        await until(lambda: bool(on.stage.status.is_over))
        for message in Spectator(on.stage).news():
            page.take(message)

    stage = perform(script, StandIn(), decisions=3)
    told = page.told["decision"]
    assert (told["decision"], told["action"], told["branch"], told["late"]) == (2, FIRE, [FIRE], False)
    assert (told["nodes"], told["case_1"], told["ending"]) == (2, TRACE.cases[Case.NOVEL], "calls")
    assert told["reward"] == stage.scores[2] - stage.scores[1]
    assert (told["frames"], told["score"]) == (45, stage.scores[2])
    assert page.decision == 2
    assert page.tree() == sorted_rows(stage.tree.rows())
    assert [row[0] for row in page.tree()] == [6, 7]
    assert page.told["status"]["decision"] == 2


def test_no_decision_waits_for_a_page_that_does_not_read() -> None:
    held: list[Message] = []

    async def never(message: Message) -> None:
        held.append(message)
        await asyncio.Event().wait()

    async def script(on: Rehearsal) -> None:
        spectator = Spectator(on.stage)
        on.stage.spectators.add(spectator)
        looking = asyncio.create_task(spectator.look(never))
        await until(lambda: len(on.thinker.errands) > 20)
        looking.cancel()

    perform(script, StandIn())
    assert len(held) == 1


def test_the_next_decision_is_made_while_the_last_one_is_shown() -> None:
    async def script(on: Rehearsal) -> None:
        await until(lambda: len(on.thinker.errands) == 2)
        assert on.stage.frame_number <= 1 + 1
        await settle()
        assert len(on.thinker.errands) == 2, "but no more than one ahead"
        while len(on.thinker.errands) == 2:
            await on.ticker.tick()
        assert 1 + FRAMESKIP <= on.stage.frame_number <= 2 + FRAMESKIP

    perform(script, StandIn(), is_free=False)


async def until_quiet(on: Rehearsal) -> None:
    """Wait until a decision that was asked for is made, and then as long as many decisions take."""
    await until(lambda: on.thinker.taken == on.thinker.told)
    await on.ticker.pass_by(LONG)


def test_pause_step_and_play() -> None:
    async def script(on: Rehearsal) -> None:
        await until(lambda: len(on.thinker.errands) > 2)
        await on.show.grant(messages.Pause())
        await until_quiet(on)
        decisions, frames = len(on.thinker.errands), on.stage.status.frames
        for steps in (1, 2):
            await on.show.grant(messages.Step())
            while len(on.thinker.errands) < decisions + steps:
                await asyncio.sleep(0)
            await until_quiet(on)
            assert len(on.thinker.errands) == decisions + steps
            assert on.stage.status.frames == frames + FRAMESKIP * steps
            assert not on.stage.status.playing
        await on.show.grant(messages.Play())
        await until(lambda: len(on.thinker.errands) > decisions + 5)
        assert on.stage.status.playing

    perform(script, StandIn())


def test_the_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[float] = []

    async def script(on: Rehearsal) -> None:
        monkeypatch.setattr(on.stage, "show_frame", lambda _: times.append(on.ticker.clock()))
        for speed in (1.0, 0.1, 8.0):
            await on.show.grant(messages.Speed(speed))
            assert on.stage.status.speed == speed
            await on.ticker.pass_by(2)
            before, started = on.ticker.ticks, on.ticker.clock()
            await on.ticker.pass_by(100)
            seconds = (on.ticker.clock() - started) / (on.ticker.ticks - before)
            assert seconds == pytest.approx(1 / 60 / speed)

    perform(script, StandIn())
    assert len(set(times)) == len(times), "one frame a tick"


def test_another_budget_counts_from_the_next_decision_on() -> None:
    """Also if the game is paused."""

    async def script(on: Rehearsal) -> None:
        await on.show.grant(messages.Pause())
        await until_quiet(on)
        decisions = len(on.thinker.errands)
        await on.show.grant(messages.Budget(seconds=0.5, calls=7))
        await on.show.grant(messages.Step())
        await until(lambda: len(on.thinker.errands) > decisions)
        assert on.thinker.errands[-1].budget == Budget(seconds=0.5, calls=7)
        assert (on.stage.status.budget_seconds, on.stage.status.calls) == (0.5, 7)
        with pytest.raises(InputError, match="a budget needs"):
            await on.show.grant(messages.Budget())
        await on.show.grant(messages.Step())
        await until(lambda: len(on.thinker.errands) > decisions + 1)
        assert on.thinker.errands[-1].budget == Budget(seconds=0.5, calls=7)

    perform(script, StandIn())


async def take_controls(on: Rehearsal) -> None:
    """Have the first decision made by the planner, and then let a human play."""
    await until(lambda: len(on.thinker.errands) == 1)
    await on.show.grant(messages.Control(on=True))
    on.thinker.decide()
    while len(on.thinker.errands) == 1:
        await on.ticker.tick()
        await asyncio.sleep(0.001)
    # The frames of the first decision, before those of the human.
    while on.stage.frame_number < 1 + FRAMESKIP:
        await on.ticker.tick()


async def until_taken(thinker: StandIn) -> None:
    """Wait until the show has what the planner has told."""
    await until(lambda: thinker.taken == thinker.told)
    await settle()


def test_a_human_plays_frame_by_frame() -> None:
    """While the planner thinks, for more than one action: its tree does not fit any more."""

    async def script(on: Rehearsal) -> None:
        await take_controls(on)
        assert on.stage.status.controlled
        played = len(on.show.frame_actions)
        keys = [RIGHT, RIGHT, 0, 4] * 6
        for action in keys:
            await on.show.grant(messages.Keys(action))
            await on.ticker.tick()
        assert on.show.frame_actions[played:] == keys
        assert on.stage.frames == [FRAMESKIP], "no decision was made meanwhile"
        await on.show.grant(messages.Keys(RIGHT))
        on.thinker.decide()
        await until_taken(on.thinker)
        while len(on.thinker.errands) == 2:
            await on.ticker.tick()
        errand = on.thinker.errands[2]
        assert errand.action is None
        assert errand.sighting is not None
        assert (len(on.show.frame_actions) - FRAMESKIP) % FRAMESKIP in (0, 1)
        decision = decision_of(on.stage)
        assert (decision["branch"], decision["action"]) == ([FIRE], RIGHT)

    perform(script, StandIn(is_prompt=False), is_free=False)


def test_a_human_plays_one_action_while_the_planner_thinks() -> None:
    """Then the planner is told which, and can keep its tree."""

    async def script(on: Rehearsal) -> None:
        await take_controls(on)
        await on.show.grant(messages.Keys(RIGHT))
        on.thinker.decide()
        await until_taken(on.thinker)
        while len(on.thinker.errands) == 2:
            await on.ticker.tick()
        assert on.thinker.errands[2].action == RIGHT
        assert len(on.show.frame_actions) - 2 * FRAMESKIP in (0, 1)
        await on.show.grant(messages.Control(on=False))
        assert not on.stage.status.controlled
        on.thinker.decide()
        await until_taken(on.thinker)
        while len(on.thinker.errands) == 3:
            await on.ticker.tick()
        on.thinker.decide()
        await until_taken(on.thinker)
        while len(on.thinker.errands) == 4:
            await on.ticker.tick()
        assert on.thinker.errands[4].action == FIRE
        assert on.show.frame_actions[-FRAMESKIP:] == [FIRE] * FRAMESKIP

    perform(script, StandIn(is_prompt=False), is_free=False)


def test_a_human_can_end_the_episode() -> None:
    """Also one that was paused: who takes the controls wants to play."""

    async def script(on: Rehearsal) -> None:
        await on.show.grant(messages.Pause())
        await on.show.grant(messages.Control(on=True))
        await until(lambda: bool(on.stage.status.is_over))

    stage = perform(script, StandIn(), max_frames=20)
    assert stage.status.frames == 20
    assert stage.frames[-1] == 20


@pytest.mark.parametrize("is_controlled", [False, True])
@pytest.mark.parametrize(
    ("event", "message"), [(Failed(message="no luck"), "no luck"), (None, "the planner's process has ended")]
)
def test_a_planner_that_fails_ends_the_show(is_controlled: bool, event: Failed | None, message: str) -> None:
    async def script(on: Rehearsal) -> None:
        await on.show.grant(messages.Control(on=is_controlled))
        await until(lambda: len(on.thinker.errands) > 0)
        on.thinker.tell(event)
        await until(on.running.done)

    with pytest.raises(InputError, match=message):
        perform(script, StandIn(is_prompt=False))


def test_one_looks_back_at_a_time_even_if_the_first_does_not_wait() -> None:
    """Emulators must not be used by two threads, and a thread cannot be stopped."""
    may_look = threading.Event()
    looking: list[int] = []

    def look() -> int:
        looking.append(threading.get_ident())
        may_look.wait()
        return len(looking)

    async def script(on: Rehearsal) -> None:
        first = asyncio.create_task(on.show._look_back(look))
        await until(lambda: len(looking) == 1)
        first.cancel()
        second = asyncio.create_task(on.show._look_back(look))
        third = asyncio.create_task(on.show._look_back(look))
        await on.ticker.pass_by(LONG)
        assert len(looking) == 1
        Show.end(on.show)
        may_look.set()
        assert {await second, await third} == {2, 3}
        assert len(set(looking)) == 1

    perform(script, StandIn())


def test_questions() -> None:
    async def script(on: Rehearsal) -> None:
        with pytest.raises(InputError, match="no decision yet"):
            await on.show.grant(messages.Background(1))
        await until(lambda: len(on.thinker.errands) > 1)
        await on.show.grant(messages.Pause())
        await until_quiet(on)
        page = Page()
        root = int(on.stage.tree.rows()["id"][0])
        for wish in (messages.Screen(5, root), messages.Branch(6, root + 1), messages.Novelty(7, root + 1)):
            answer = await on.show.grant(wish)
            assert answer is not None
            page.take(answer)
        assert page.told["screen"] == (5, encode_screen(on.show.root().screen))
        assert page.told["clip"][0] == 6
        assert (page.told["novelty"]["request"], page.told["novelty"]["judged"]) == (7, False)
        with pytest.raises(InputError, match="is not in the tree"):
            await on.show.grant(messages.Screen(8, root + 2))
        with pytest.raises(InputError, match="no background"):
            await on.show.grant(messages.Background(9))
        with pytest.raises(InputError, match="seek: not here"):
            await on.show.grant(messages.Seek(0))

    perform(script, StandIn())


@pytest.mark.parametrize(
    "wish", [messages.Pause(), messages.Step(), messages.Speed(2.0), messages.Control(on=True)]
)
def test_real_time_waits_for_nobody(wish: messages.Wish) -> None:
    async def script(on: Rehearsal) -> None:
        with pytest.raises(InputError, match="waits for nobody"):
            await on.show.grant(wish)
        assert on.stage.status.playing

    perform(script, StandIn(), realtime=True)
