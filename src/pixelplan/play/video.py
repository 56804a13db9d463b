"""Videos: every emulated frame, 60 a second, with the score above it, as H.264 in mp4.

The frames of a game in real time are shown at the times at which they were played.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from fractions import Fraction
from typing import IO, TYPE_CHECKING

import av
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from pixelplan.errors import InputError
from pixelplan.simulators.games import FRAMES_PER_SECOND
from pixelplan.system.drafts import Draft, resolved
from pixelplan.system.streams import name_of

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


FAULTS = (OSError, av.FFmpegError)
"""Errors of a file that cannot be written."""


class Encoder:
    """Writes frames to a file, by its name or as it was opened."""

    def __init__(self, file: str | IO[bytes]) -> None:
        self._container = av.open(file, "w", format="mp4")
        self._stream = self._container.add_stream("libx264", rate=FRAMES_PER_SECOND)
        self._stream.width, self._stream.height, self._stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        self._stream.codec_context.time_base = Fraction(1, TIME_UNITS)
        # One thread and no lookahead: the encoder must not work while the planner thinks.
        self._stream.thread_count = 1
        self._stream.options = {"preset": "veryfast", "tune": "zerolatency", "crf": "20"}
        self.frames = 0
        self._shown_at = -TIME_UNITS // FRAMES_PER_SECOND
        self._banner_text = ""
        self._canvas = np.zeros((HEIGHT, WIDTH, 3), np.uint8)

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
        self.frames += 1
        self._container.mux(self._stream.encode(frame))

    def seconds(self) -> float:
        """Return when the next frame will be shown, unless it is said otherwise."""
        return self._shown_at / TIME_UNITS + 1 / FRAMES_PER_SECOND

    def finish(self) -> None:
        """Write what is left. Without any frame nothing whole is written."""
        if self.frames > 0:
            self._container.mux(self._stream.encode())
        self._container.close()

    def give_up(self) -> None:
        """Let go of the file, whatever is written."""
        with contextlib.suppress(*FAULTS):
            self._container.close()

    def _draw_banner(self, text: str) -> None:
        if text != self._banner_text:
            self._banner_text = text
            self._canvas[:BANNER_HEIGHT] = _render(text)


class Video:
    """Writes a video file, frame by frame. It appears under its name when it is complete.

    If it cannot be written, the game goes on without it: `problem` says why.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""
        self._draft: Draft | None = None
        if path.suffix != ".mp4":
            raise InputError(f"a video's name must end in .mp4, not {path.name}")
        # A link stays, and the file that it names is written.
        path = resolved(path)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if path.exists() and not stat.S_ISREG(path.stat().st_mode):
            raise InputError(f"a video is written to a file, which {path} is not")
        self._draft = Draft(path)
        try:
            self._file = self._draft.path.open("r+b")
            # By its name: in callbacks of the library Python ignores interrupts.
            self._encoder = Encoder(name_of(self._file.fileno(), self._draft.path))
        except BaseException:
            self._draft.discard()
            raise

    def __enter__(self) -> Video:
        """Return the video."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Complete the file, unless that was done; after an error leave nothing."""
        if self._draft is not None and kind is None:
            self.finish()
            if self.problem:
                raise OSError(f"{self.path}: {self.problem}")
        self._give_up()

    def add(self, episode: PlayedEpisode, seconds: float | None = None) -> None:
        """Add the frame that the played game shows now: at a time, or 1/60 s after the last one."""
        if self._draft is not None:
            try:
                self._encoder.add(episode, seconds)
            except FAULTS as error:
                self._fail(error)

    def finish(self) -> Path | None:
        """Complete the file, and return where it is; None if there is none."""
        draft = self._draft
        if draft is None or self._encoder.frames == 0:
            self._give_up()
            return None
        try:
            self._encoder.finish()
            self._file.close()
            draft.path.chmod(0o644)
            place = draft.finish()
        except FAULTS as error:
            self._fail(error)
            return None
        self._draft = None
        if place != draft.place:
            self.problem = "somebody else has taken the place"
        return place

    def _fail(self, error: Exception) -> None:
        self.problem = getattr(error, "strerror", None) or str(error)
        self._give_up()

    def _give_up(self) -> None:
        if self._draft is not None:
            draft, self._draft = self._draft, None
            self._encoder.give_up()
            with contextlib.suppress(OSError):
                self._file.close()
            draft.discard()

    def seconds(self) -> float:
        """Return when the next frame will be shown, unless it is said otherwise."""
        return self._encoder.seconds()


def _render(text: str) -> npt.NDArray[np.uint8]:
    image = Image.new("RGB", (WIDTH, BANNER_HEIGHT))
    font = ImageFont.load_default(size=22)
    ImageDraw.Draw(image).text((12, BANNER_HEIGHT // 2), text, fill="white", font=font, anchor="lm")
    return np.asarray(image)
