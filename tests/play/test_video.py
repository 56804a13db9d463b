from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from pixelplan.errors import InputError
from pixelplan.play.episode import EpisodeSettings, PlayedEpisode
from pixelplan.play.video import BANNER_HEIGHT, SCALE_X, SCALE_Y, Video


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
