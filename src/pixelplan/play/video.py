"""Videos: every emulated frame, 60 a second, with the score above it, as H.264 in mp4."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import av
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from pixelplan.errors import InputError
from pixelplan.simulators.atari import FRAMES_PER_SECOND

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    import numpy.typing as npt

    from pixelplan.play.episode import PlayedEpisode

SCALE_X, SCALE_Y = 4, 2
"""An Atari pixel is about twice as wide as it is high."""
BANNER_HEIGHT = 36
WIDTH = 160 * SCALE_X
HEIGHT = 210 * SCALE_Y + BANNER_HEIGHT


class Video:
    """Writes a video file, frame by frame. It appears under its name when it is complete."""

    def __init__(self, path: Path, *, keeps_interrupted: bool = False) -> None:
        if path.suffix != ".mp4":
            raise InputError(f"a video's name must end in .mp4, not {path.name}")
        if path.is_dir():
            raise IsADirectoryError(f"{path} is a folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._keeps_interrupted = keeps_interrupted
        self._draft = path.with_name(f".{path.name}.part")
        self._draft.touch()
        self._container = av.open(str(self._draft), "w", format="mp4")
        self._stream = self._container.add_stream("libx264", rate=FRAMES_PER_SECOND)
        self._stream.width, self._stream.height, self._stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        self._stream.codec_context.time_base = Fraction(1, FRAMES_PER_SECOND)
        # One thread and no lookahead: the encoder must not work while the planner thinks.
        self._stream.thread_count = 1
        self._stream.options = {"preset": "veryfast", "tune": "zerolatency", "crf": "20"}
        self._frames = 0
        self._banner_text = ""
        self._canvas = np.zeros((HEIGHT, WIDTH, 3), np.uint8)

    def __enter__(self) -> Video:
        """Return the video."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Finish the file, after Ctrl-C too if that is wanted; otherwise leave nothing."""
        is_interrupted = kind is not None and issubclass(kind, KeyboardInterrupt)
        is_wanted = kind is None or (is_interrupted and self._keeps_interrupted)
        try:
            if self._frames > 0:
                self._container.mux(self._stream.encode())
            self._container.close()
            if self._frames > 0 and is_wanted:
                self._draft.replace(self._path)
        finally:
            self._draft.unlink(missing_ok=True)

    def add(self, episode: PlayedEpisode) -> None:
        """Add the frame that the played game shows now."""
        self._draw_banner(f"{episode.game.name}   score {episode.score}   lives {episode.game.lives()}")
        screen = episode.game.rgb()
        self._canvas[BANNER_HEIGHT:] = screen.repeat(SCALE_Y, axis=0).repeat(SCALE_X, axis=1)
        frame = av.VideoFrame.from_ndarray(self._canvas, format="rgb24")
        frame.pts = self._frames
        frame.time_base = self._stream.codec_context.time_base
        self._frames += 1
        self._container.mux(self._stream.encode(frame))

    def _draw_banner(self, text: str) -> None:
        if text != self._banner_text:
            self._banner_text = text
            self._canvas[:BANNER_HEIGHT] = _render(text)


def _render(text: str) -> npt.NDArray[np.uint8]:
    image = Image.new("RGB", (WIDTH, BANNER_HEIGHT))
    font = ImageFont.load_default(size=22)
    ImageDraw.Draw(image).text((12, BANNER_HEIGHT // 2), text, fill="white", font=font, anchor="lm")
    return np.asarray(image)
