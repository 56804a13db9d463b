from __future__ import annotations

import asyncio
import io
import json
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

import av
import pytest
from rehearsal import StandIn, settings, until
from spectating import Page, sorted_rows

from pixelplan.errors import InputError
from pixelplan.planning.settings import PRESETS
from pixelplan.play.episode import EpisodeResult, play_episode
from pixelplan.play.run_folder import RunFolderWriter
from pixelplan.play.settings import EpisodeSettings
from pixelplan.viewer import messages
from pixelplan.viewer.live import LiveShow
from pixelplan.viewer.messages import Open, Start
from pixelplan.viewer.record import Recording
from pixelplan.viewer.stage import Spectator
from pixelplan.viewer.theatre import LiveTheatre, ReplayTheatre, Theatre, other_episode
from pixelplan.viewer.thinker import Failed

PLANNING = Path(__file__).parent.parent / "planning"

if TYPE_CHECKING:
    from pixelplan.viewer.show import Show

DECISIONS = 4


def give(theatre: Theatre, script: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Give shows while a script is played."""

    async def play() -> None:
        running = asyncio.create_task(theatre.run())
        await asyncio.sleep(0)
        try:
            await script()
            assert not running.done()
        finally:
            running.cancel()
            await asyncio.wait([running])

    asyncio.run(play())


def test_another_episode_is_like_the_last_but_for_what_was_asked() -> None:
    last = settings(seed=3, frameskip=5, workers=2, sticky=0.25)
    assert last.deterministic
    changed = other_episode(last, Start(game="ALE/Pong-v5", preset="iw", seconds=0.5))
    assert (changed.game, changed.planner, changed.seconds, changed.calls) == ("pong", "iw", 0.5, None)
    assert (changed.seed, changed.frameskip, changed.workers, changed.sticky) == (3, 5, 2, 0.25)
    assert not changed.deterministic
    assert not changed.risk_averse
    again = other_episode(changed, Start(game="breakout", preset="ras", calls=5))
    assert again == last


def test_an_episode_that_cannot_be_is_refused() -> None:
    for wish, reason in [
        (Start(game="pnog", preset="iw", calls=5), "did you mean pong"),
        (Start(game="carnival", preset="iw", calls=5), "214 lines"),
        (Start(game="../pong", preset="iw", calls=5), "unknown"),
        (Start(game="pong", preset="iw"), "a budget needs seconds, calls or both"),
    ]:
        with pytest.raises(InputError, match=reason):
            other_episode(settings(), wish)


def test_real_time_keeps_its_budget() -> None:
    last = settings(realtime=True, calls=None)
    changed = other_episode(last, Start(game="pong", preset="iw", seconds=0.5, calls=9))
    assert (changed.seconds, changed.calls, changed.realtime) == (None, 9, True)


class Rehearsed(LiveTheatre):
    """A theatre with planners that stand in."""

    def __init__(self, *, is_prompt: bool = True) -> None:
        super().__init__(settings())
        self.thinkers: list[StandIn] = []
        self.is_prompt = is_prompt

    def next_show(self) -> Show:
        def make(_: EpisodeSettings) -> StandIn:
            self.thinkers.append(StandIn(is_prompt=self.is_prompt))
            return self.thinkers[-1]

        return LiveShow(self.stage, self._settings, make)


def test_each_game_has_a_planner_of_its_own_and_the_last_one_is_ended() -> None:
    theatre = Rehearsed()

    async def script() -> None:
        spectator = Spectator(theatre.stage)
        page = Page()
        for game in ("pong", "seaquest"):
            await until(lambda: bool(theatre.stage.frames))
            await theatre.grant(Start(game=game, preset="iw", calls=3))
            await until(lambda game=game: f'"{game}"' in theatre.stage.episode)  # type: ignore[misc]
            await until(lambda: bool(theatre.stage.frames))
            for message in spectator.news():
                page.take(message)
            assert page.told["episode"]["game"] == game
            assert page.told["episode"]["preset"] == "iw"
        assert [thinker.is_alive for thinker in theatre.thinkers] == [False, False, True]
        with pytest.raises(InputError):
            await theatre.grant(Start(game="pnog", preset="iw", calls=3))
        assert len(theatre.thinkers) == 3

    give(theatre, script)
    assert not any(thinker.is_alive for thinker in theatre.thinkers)


@pytest.mark.parametrize(
    ("event", "message"), [(Failed(message="no luck"), "no luck"), (None, "the planner's process has ended")]
)
def test_the_page_is_told_if_the_planner_fails_and_can_start_again(
    event: Failed | None, message: str
) -> None:
    theatre = Rehearsed(is_prompt=False)

    async def script() -> None:
        await until(lambda: bool(theatre.thinkers[0].errands))
        theatre.thinkers[0].tell(event)
        await until(lambda: theatre.stage.status.message == message)
        assert not theatre.stage.status.playing
        theatre.is_prompt = True
        await theatre.grant(Start(game="pong", preset="ras", calls=3))
        await until(lambda: bool(theatre.stage.frames))
        assert theatre.stage.status.message is None

    give(theatre, script)


def test_the_page_is_told_of_what_should_not_happen(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    theatre = Rehearsed()

    def fail(_: object) -> None:
        raise ZeroDivisionError("unforeseen")

    async def script() -> None:
        monkeypatch.setattr(theatre.stage.tree, "add", fail)
        await until(lambda: theatre.stage.status.message is not None)
        assert "unforeseen" in str(theatre.stage.status.message)

    give(theatre, script)
    assert "Traceback" in caplog.text


def test_a_real_planner_that_is_killed() -> None:
    theatre = LiveTheatre(settings())

    async def script() -> None:
        await until(lambda: len(theatre.stage.frames) > 1)
        assert isinstance(theatre._show, LiveShow)
        os.kill(theatre._show._thinker._process.process_id, signal.SIGKILL)
        await until(lambda: theatre.stage.status.message == "the planner's process has ended")
        await theatre.grant(Start(game="pong", preset="ras", calls=3))
        await until(lambda: '"pong"' in theatre.stage.episode and len(theatre.stage.frames) > 1)

    give(theatre, script)


def test_a_game_can_be_started_while_a_question_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    theatre = Rehearsed()
    may_look = threading.Event()

    async def script() -> None:
        await until(lambda: len(theatre.stage.frames) > 1)
        assert theatre._show is not None
        screen = theatre._show.root().screen
        monkeypatch.setattr(theatre._show._lookback, "screen", lambda *_: may_look.wait() and screen)
        node = int(theatre.stage.tree.rows()["id"][0])
        asking = asyncio.create_task(theatre.grant(messages.Screen(7, node)))
        await asyncio.sleep(0)
        await theatre.grant(Start(game="pong", preset="ras", calls=3))
        await until(lambda: '"pong"' in theatre.stage.episode and bool(theatre.stage.frames))
        may_look.set()
        answer = await asking
        assert answer is not None
        page = Page()
        page.take(answer)
        assert page.told["screen"][0] == 7

    give(theatre, script)


def test_a_video_has_all_frames_and_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    theatre = Rehearsed()
    with pytest.raises(InputError, match="not there yet"):
        theatre.make_video()

    async def script() -> None:
        await until(lambda: len(theatre.stage.frames) > 2)
        await theatre.grant(messages.Pause())
        await until(lambda: theatre.thinkers[0].taken == theatre.thinkers[0].told)
        name, content = await asyncio.to_thread(theatre.make_video)
        assert theatre._show is not None
        assert name == "breakout.mp4"
        with av.open(io.BytesIO(content), "r") as container:
            frames = sum(1 for _ in container.decode(video=0))
        assert 1 + 45 <= frames <= 1 + len(theatre._show.frame_actions)

    give(theatre, script)
    with pytest.raises(InputError, match="nobody waits"):
        theatre.make_video()
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def result() -> EpisodeResult:
    preset = vars(PRESETS["rollout"])
    return play_episode(
        EpisodeSettings(game="seaquest", calls=20, decisions=DECISIONS, seed=4, **preset), traces_nodes=True
    )


@pytest.fixture
def runs(result: EpisodeResult, tmp_path: Path) -> Path:
    """A folder with two runs, one of them further down, and one without a trace."""
    for name in ("one", "more/two"):
        with RunFolderWriter(tmp_path / "runs" / name) as writer:
            writer.write(result)
    with RunFolderWriter(tmp_path / "runs" / "bare") as writer:
        writer.write(play_episode(EpisodeSettings(game="pong", calls=5, decisions=1)))
    with RunFolderWriter(tmp_path / "outside") as writer:
        writer.write(result)
    return tmp_path / "runs"


def test_the_runs_of_a_folder(runs: Path) -> None:
    assert [*ReplayTheatre(runs)._runs] == ["more/two", "one"]
    assert [*ReplayTheatre(runs / "one")._runs] == ["one"]


@pytest.mark.parametrize(
    "name", ["bare", "two", "../outside", "/etc", "", ".", "one/", "one\0", "more", "./one"]
)
def test_only_what_was_found_can_be_opened(runs: Path, name: str) -> None:
    theatre = ReplayTheatre(runs)

    async def script() -> None:
        episode = theatre.stage.episode
        for wanted in (name, str(runs / name.replace("\0", ""))):
            with pytest.raises(InputError, match="there is no run"):
                await theatre.grant(Open(wanted))
        assert theatre.stage.episode is episode

    give(theatre, script)


def test_another_run_is_opened_unless_it_is_broken(runs: Path) -> None:
    theatre = ReplayTheatre(runs)

    async def script() -> None:
        await until(lambda: '"more/two"' in theatre.stage.episode)
        await theatre.grant(Open("one"))
        await until(lambda: '"one"' in theatre.stage.episode and theatre.stage.tree.decision == 0)
        (runs / "more" / "two" / "nodes.parquet").write_bytes(b"nothing")
        with pytest.raises(InputError, match="no sound"):
            await theatre.grant(Open("more/two"))
        assert '"one"' in theatre.stage.episode

    give(theatre, script)


def test_code_that_a_run_names_is_imported_only_if_it_is_trusted(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "mine_of_a_stranger"
    (tmp_path / f"{name}.py").write_text((PLANNING / "own_planner.py").read_text())
    record = json.loads((runs / "one" / "run.json").read_text())
    record["settings"]["planner"] = f"{name}:STRAIGHT_ON"
    (runs / "one" / "run.json").write_text(json.dumps(record))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    told: list[str] = []
    for trusted in ((), (f"{name}:OTHER",)):
        ReplayTheatre(runs / "one", trusted=trusted, tell=told.append).next_show().end()
    assert name not in sys.modules
    assert str(tmp_path) not in sys.path
    line = (
        f"run one names the planner {name}:STRAIGHT_ON, which is not imported (from {tmp_path / name}.py): "
        f"if you trust it, say --trust {name}:STRAIGHT_ON"
    )
    assert told == [line, line]
    theatre = ReplayTheatre(runs / "one", trusted=(f"{name}:STRAIGHT_ON",), tell=told.append)
    theatre.next_show().end()
    assert name in sys.modules
    assert len(told) == 2


def test_any_decision_of_a_run_is_shown(runs: Path, result: EpisodeResult) -> None:
    theatre = ReplayTheatre(runs / "one")
    recording = Recording(runs / "one")

    async def script() -> None:
        await theatre.grant(messages.Pause())
        spectator, page = Spectator(theatre.stage), Page()
        for decision in (3, 0, 2):
            await theatre.grant(messages.Seek(decision))
            for message in spectator.news():
                page.take(message)
            assert page.decision == page.told["decision"]["decision"] == decision
            assert page.tree() == sorted_rows(recording.tree(decision).rows())
            assert page.told["decision"]["action"] == result.played[decision].action
            assert page.told["status"]["decision"] == decision
            assert page.told["status"]["frames"] == 15 * decision
        assert page.told["history"]["frames"] == [step.frames for step in result.played]
        with pytest.raises(InputError, match=f"the run has {DECISIONS} decisions"):
            await theatre.grant(messages.Seek(DECISIONS))
        with pytest.raises(InputError, match="control: not here"):
            await theatre.grant(messages.Control(on=True))

    give(theatre, script)


def test_a_run_is_shown_to_its_end_and_again(runs: Path, result: EpisodeResult) -> None:
    theatre = ReplayTheatre(runs / "one")

    async def script() -> None:
        await theatre.grant(messages.Speed(8.0))
        for _ in range(2):
            await until(lambda: bool(theatre.stage.status.is_over))
            assert not theatre.stage.status.playing
            assert theatre.stage.status.score == result.score
            assert theatre.stage.status.frames == result.frames
            await theatre.grant(messages.Play())
            assert theatre.stage.status.decision == 0

    give(theatre, script)


def test_a_run_that_cannot_be_read_on_is_told_of(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Recording.read

    def stumble(recording: Recording) -> Any:  # noqa: ANN401
        for count in read(recording):
            if count == 2:
                raise InputError("it goes another way")
            yield count

    monkeypatch.setattr(Recording, "read", stumble)
    theatre = ReplayTheatre(runs / "one")

    async def script() -> None:
        await until(lambda: theatre.stage.status.message == "it goes another way")
        await theatre.grant(messages.Seek(1))
        assert theatre.stage.tree.decision == 1
        with pytest.raises(InputError, match="another way"):
            await theatre.grant(messages.Seek(3))

    give(theatre, script)
