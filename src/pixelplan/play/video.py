"""Videos: every emulated frame, 60 a second, with the score above it, as H.264 in mp4.

The frames of a game in real time are shown at the times at which they were played.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import av
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from pixelplan.errors import InputError
from pixelplan.simulators.games import FRAMES_PER_SECOND

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    import numpy.typing as npt

    from pixelplan.play.episode import PlayedEpisode

SCALE_X, SCALE_Y = 4, 2
"""An Atari pixel is about twice as wide as it is high."""
BANNER_HEIGHT = 36
TIME_UNITS = 90_000
"""Units of time in a second, a multiple of 60."""
WIDTH = 160 * SCALE_X
HEIGHT = 210 * SCALE_Y + BANNER_HEIGHT


class Video:
    """Writes a video file, frame by frame. It appears under its name when it is complete."""

    def __init__(self, path: Path) -> None:
        if path.suffix != ".mp4":
            raise InputError(f"a video's name must end in .mp4, not {path.name}")
        if path.is_dir():
            raise IsADirectoryError(f"{path} is a folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._draft = path.with_name(f".{path.name}.part")
        self._draft.touch()
        self._container = av.open(str(self._draft), "w", format="mp4")
        self._stream = self._container.add_stream("libx264", rate=FRAMES_PER_SECOND)
        self._stream.width, self._stream.height, self._stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        self._stream.codec_context.time_base = Fraction(1, TIME_UNITS)
        # One thread and no lookahead: the encoder must not work while the planner thinks.
        self._stream.thread_count = 1
        self._stream.options = {"preset": "veryfast", "tune": "zerolatency", "crf": "20"}
        self._frames = 0
        self._shown_at = -TIME_UNITS // FRAMES_PER_SECOND
        self._banner_text = ""
        self._canvas = np.zeros((HEIGHT, WIDTH, 3), np.uint8)

    def __enter__(self) -> Video:
        """Return the video."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Finish the file, or leave nothing if it was not reached."""
        try:
            if self._frames > 0:
                self._container.mux(self._stream.encode())
            self._container.close()
            if self._frames > 0 and kind is None:
                self._draft.replace(self._path)
        finally:
            self._draft.unlink(missing_ok=True)

    def add(self, episode: PlayedEpisode, seconds: float | None = None) -> None:
        """Add the frame that the played game shows now: at a time, or 1/60 s after the last one."""
        if seconds is None:
            self._shown_at += TIME_UNITS // FRAMES_PER_SECOND
        else:
            self._shown_at = max(round(seconds * TIME_UNITS), self._shown_at + 1)
        self._draw_banner(f"{episode.game.name}   score {episode.score}   lives {episode.game.lives()}")
        screen = episode.game.rgb()
        self._canvas[BANNER_HEIGHT:] = screen.repeat(SCALE_Y, axis=0).repeat(SCALE_X, axis=1)
        frame = av.VideoFrame.from_ndarray(self._canvas, format="rgb24")
        frame.pts = self._shown_at
        frame.time_base = self._stream.codec_context.time_base
        self._frames += 1
        self._container.mux(self._stream.encode(frame))

    def seconds(self) -> float:
        """Return when the next frame will be shown, unless it is said otherwise."""
        return self._shown_at / TIME_UNITS + 1 / FRAMES_PER_SECOND

    def _draw_banner(self, text: str) -> None:
        if text != self._banner_text:
            self._banner_text = text
            self._canvas[:BANNER_HEIGHT] = _render(text)


def _render(text: str) -> npt.NDArray[np.uint8]:
    image = Image.new("RGB", (WIDTH, BANNER_HEIGHT))
    font = ImageFont.load_default(size=22)
    ImageDraw.Draw(image).text((12, BANNER_HEIGHT // 2), text, fill="white", font=font, anchor="lm")
    return np.asarray(image)
