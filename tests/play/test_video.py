from __future__ import annotations

import errno
import os
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest

from pixelplan.errors import InputError
from pixelplan.play.episode import EpisodeResult, PlayedDecision, PlayedEpisode
from pixelplan.play.realtime import NOTHING_TO_DECIDE
from pixelplan.play.replay import film
from pixelplan.play.settings import EpisodeSettings
from pixelplan.play.video import BANNER_HEIGHT, SCALE_X, SCALE_Y, TIME_UNITS, Encoder, Video


def settings() -> EpisodeSettings:
    return EpisodeSettings(game="breakout", calls=1, noops=0)


def test_a_video_shows_every_frame_at_sixty_a_second(tmp_path: Path) -> None:
    screens = []
    with Video(tmp_path / "game.mp4") as video:
        episode = PlayedEpisode(settings(), video.add)
        screens.append(episode.game.rgb())
        for action in (1, 3, 3, 4):
            episode.play(action)
        screens.append(episode.game.rgb())
    with av.open(str(tmp_path / "game.mp4")) as container:
        stream = container.streams.video[0]
        assert stream.codec_context.name == "h264"
        assert stream.average_rate == Fraction(60)
        frames = [frame.to_ndarray(format="rgb24").astype(int) for frame in container.decode(stream)]
    assert len(frames) == 1 + 4 * 15
    for frame, screen in ((frames[0], screens[0]), (frames[-1], screens[1])):
        shown = frame[BANNER_HEIGHT + SCALE_Y // 2 :: SCALE_Y, SCALE_X // 2 :: SCALE_X]
        assert np.abs(shown - screen).mean() < 6
    assert frames[0][:BANNER_HEIGHT].max() > 200, "the banner has a text"
    assert [path.name for path in tmp_path.iterdir()] == ["game.mp4"]


@pytest.mark.parametrize("error", [InputError, KeyboardInterrupt])
def test_a_failure_leaves_an_earlier_video_as_it_was(tmp_path: Path, error: type[BaseException]) -> None:
    def fail(video: Video) -> None:
        PlayedEpisode(settings(), video.add)
        raise error

    (tmp_path / "game.mp4").write_text("an earlier video")
    with pytest.raises(error), Video(tmp_path / "game.mp4") as video:
        fail(video)
    assert [path.name for path in tmp_path.iterdir()] == ["game.mp4"]
    assert (tmp_path / "game.mp4").read_text() == "an earlier video"


def test_a_video_without_frames_leaves_nothing(tmp_path: Path) -> None:
    with Video(tmp_path / "game.mp4"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_video_file(tmp_path: Path) -> None:
    (tmp_path / "folder.mp4").mkdir()
    with pytest.raises(IsADirectoryError):
        Video(tmp_path / "folder.mp4")


def test_a_link_stays_and_its_file_is_written(tmp_path: Path) -> None:
    (tmp_path / "real.mp4").write_text("an earlier video")
    (tmp_path / "game.mp4").symlink_to("real.mp4")
    with Video(tmp_path / "game.mp4") as video:
        PlayedEpisode(settings(), video.add)
    assert (tmp_path / "game.mp4").is_symlink()
    assert (tmp_path / "real.mp4").stat().st_size > 1_000


def test_what_is_no_file_is_no_video(tmp_path: Path) -> None:
    """A pipe is not replaced, and links in a circle are told of."""
    os.mkfifo(tmp_path / "pipe.mp4")
    with pytest.raises(InputError, match=r"which .*pipe\.mp4 is not"):
        Video(tmp_path / "pipe.mp4")
    (tmp_path / "circle.mp4").symlink_to("circle.mp4")
    with pytest.raises(OSError, match="symbolic links"):
        Video(tmp_path / "circle.mp4")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["circle.mp4", "pipe.mp4"]


@pytest.mark.parametrize("part", ["add", "finish"])
@pytest.mark.parametrize(
    "error",
    [OSError(errno.ENOSPC, "No space left on device"), av.error.EOFError(1, "No space left on device")],
)
def test_a_video_that_cannot_be_written_costs_no_game(
    part: str, error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(Encoder, part, fail)
    with Video(tmp_path / "game.mp4") as video:
        episode = PlayedEpisode(settings(), video.add)
        episode.play(1)
        assert video.finish() is None
        assert video.problem == "No space left on device"
    assert list(tmp_path.iterdir()) == []


def time_stamps(path: Path) -> list[Fraction]:
    """Return when the frames of a video are shown, in units of time."""
    with av.open(str(path)) as container:
        frames = list(container.decode(video=0))
    assert all(frame.pts is not None and frame.time_base is not None for frame in frames)
    return [(frame.pts or 0) * (frame.time_base or Fraction(0)) * TIME_UNITS for frame in frames]


def play_at(frame_seconds: list[float], *, noops: int = 0) -> EpisodeResult:
    """Play 15 frames per action at given times."""
    settings = EpisodeSettings(
        game="breakout", realtime=True, noops=noops, seed=1, max_frames=len(frame_seconds)
    )
    episode = PlayedEpisode(settings)
    played = []
    for action in (1, 3, 3, 4)[: -(-len(frame_seconds) // 15)]:
        reward = episode.play(action)
        played.append(
            PlayedDecision(
                decision=NOTHING_TO_DECIDE,
                action=action,
                reward=reward,
                score=episode.score,
                frames=episode.frames,
                lives=episode.game.lives(),
            )
        )
    assert episode.frames == len(frame_seconds)
    return EpisodeResult(
        settings=settings,
        score=episode.score,
        frames=episode.frames,
        played=tuple(played),
        frame_seconds=tuple(frame_seconds),
    )


def test_a_video_of_frames_without_times_has_one_every_sixtieth_second(tmp_path: Path) -> None:
    with Video(tmp_path / "game.mp4") as video:
        episode = PlayedEpisode(settings(), video.add)
        for action in (1, 3, 3, 4):
            episode.play(action)
        assert video.seconds() == pytest.approx(61 / 60)
    assert time_stamps(tmp_path / "game.mp4") == [frame * TIME_UNITS // 60 for frame in range(61)]


@pytest.mark.parametrize("noops", [0, 4])
def test_a_film_shows_each_frame_when_it_was_played(tmp_path: Path, noops: int) -> None:
    """Late ones late. What was played before time began is shown as fast as the game runs."""
    # The machine stalls for 0.3 s before frame 20, and the frames due since then are played at once.
    played_at = [frame / 60 + 0.0007 * (frame % 3) for frame in range(50)]
    played_at[20:38] = [19 / 60 + 0.3 + 0.0004 * number for number in range(18)]
    result = play_at(played_at, noops=noops)
    shown: list[int] = []
    PlayedEpisode(result.settings, lambda episode: shown.append(episode.frames))
    with Video(tmp_path / "game.mp4") as video:
        film(result, video)
    stamps = time_stamps(tmp_path / "game.mp4")
    before = len(shown)
    assert (before > 1) == (noops > 0)
    assert len(stamps) == before + 50
    assert stamps[:before] == [frame * TIME_UNITS // 60 for frame in range(before)]
    expected = [TIME_UNITS * (before / 60 + seconds) for seconds in played_at]
    assert [float(stamp) for stamp in stamps[before:]] == pytest.approx(expected, abs=1)
    assert all(later > earlier for earlier, later in pairwise(stamps))


def test_frames_played_at_the_same_time_are_shown_one_after_another(tmp_path: Path) -> None:
    """As few units apart as there can be: a player must see all of them, in order."""
    with Video(tmp_path / "game.mp4") as video:
        film(play_at([0.0, 0.1, 0.1, 0.1, 0.1, 0.2]), video)
    start, tenth = TIME_UNITS // 60, TIME_UNITS // 10
    seconds = [start, *[start + tenth + number for number in range(4)], start + 2 * tenth]
    assert time_stamps(tmp_path / "game.mp4") == [0, *seconds]


def test_a_film_shows_what_was_played(tmp_path: Path) -> None:
    """The last frame is the screen in which the game ended."""
    result = play_at([frame / 60 for frame in range(60)])
    episode = PlayedEpisode(result.settings)
    for played in result.played:
        episode.play(played.action)
    with Video(tmp_path / "game.mp4") as video:
        film(result, video)
    with av.open(str(tmp_path / "game.mp4")) as container:
        *_, last = (frame.to_ndarray(format="rgb24").astype(int) for frame in container.decode(video=0))
    shown = last[BANNER_HEIGHT + SCALE_Y // 2 :: SCALE_Y, SCALE_X // 2 :: SCALE_X]
    assert np.abs(shown - episode.game.rgb()).mean() < 6


@pytest.mark.slow
def test_a_film_of_a_game_that_was_over_before_it_began(tmp_path: Path) -> None:
    """It shows the no-op actions that lost it."""
    lost = EpisodeSettings(game="assault", realtime=True, noops=400, seed=1)
    frames: list[int] = []
    episode = PlayedEpisode(lost, lambda episode: frames.append(episode.frames))
    assert episode.is_over()
    with Video(tmp_path / "game.mp4") as video:
        film(EpisodeResult(settings=lost, score=episode.score, frames=0, played=()), video)
    assert time_stamps(tmp_path / "game.mp4") == [frame * TIME_UNITS // 60 for frame in range(len(frames))]
