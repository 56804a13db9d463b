"""`pixelplan watch`: watch the planner think, in the browser."""

from __future__ import annotations

import sys
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from pixelplan.cli import tell
from pixelplan.cli.arguments import read_arguments
from pixelplan.cli.play import EpisodeFlags, Game, preset_defaults
from pixelplan.errors import InputError

if TYPE_CHECKING:
    from pixelplan.viewer.guard import Address

DEFAULT_PORT = 8765


@dataclass(frozen=True, kw_only=True)
class Watch(EpisodeFlags):
    """Watch a game being played, or a recorded one, on a page in the browser.

    Only this machine can open the page, unless another host is given. Flags are those of
    `pixelplan play`.
    """

    game: Game = ""
    """ROM name, such as breakout, or Gymnasium's name, such as ALE/Breakout-v5; none with --replay."""
    replay: Path | None = None
    """Run folder made with --trace, or a folder of such folders."""
    trust: tuple[str, ...] = ()
    """Code that a recorded run names and that may be imported, as MODULE:NAME. Without it, novel features of
    such a planner are not told."""
    host: str = "127.0.0.1"
    """Address to listen at."""
    port: int = DEFAULT_PORT
    """Port to listen at; 0: any."""
    browser: bool = True
    """Open the page in the browser."""


def run(arguments: list[str]) -> int:
    """Serve the page until interrupted."""
    watch = read_arguments("watch", Watch(**preset_defaults(arguments)), arguments)
    if bool(watch.game) == (watch.replay is not None):
        raise InputError("say which game to play, or which run to --replay, but not both")
    settings = None if watch.replay is not None else watch.episode_settings()

    from pixelplan.viewer.server import serve
    from pixelplan.viewer.theatre import LiveTheatre, ReplayTheatre

    if watch.trust and watch.replay is None:
        raise InputError("--trust needs --replay: code that you name yourself is imported anyway")
    if settings is not None:
        theatre: LiveTheatre | ReplayTheatre = LiveTheatre(settings)
    else:
        assert watch.replay is not None
        theatre = ReplayTheatre(watch.replay, trusted=watch.trust, tell=tell)

    def announce(address: Address) -> None:
        if address.token is not None:
            sys.stderr.write(
                "pixelplan: other machines can reach this page; whoever has its address, with the token, "
                "can watch and play\n"
            )
        sys.stdout.write(f"{address.url()}\nCtrl-C ends it.\n")
        sys.stdout.flush()
        if watch.browser:
            # Some browsers let their caller wait.
            Thread(target=webbrowser.open, args=(address.url(),), daemon=True).start()

    serve(theatre, watch.host, watch.port, announce)
    return 0
