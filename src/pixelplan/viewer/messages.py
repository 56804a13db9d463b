"""What a page may ask for: JSON objects with a `type`, checked before anything is done."""

from __future__ import annotations

from typing import Annotated

import msgspec

from pixelplan.errors import InputError
from pixelplan.planning.settings import Preset  # noqa: TC001 (msgspec reads it)

MAX_MESSAGE_BYTES = 4_096

Id = Annotated[int, msgspec.Meta(ge=0, le=2**32 - 1)]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=60)]
Calls = Annotated[int, msgspec.Meta(ge=1, le=100_000)]


class _Wish(msgspec.Struct, tag_field="type", tag=str.lower, forbid_unknown_fields=True):
    pass


class Play(_Wish):
    """Go on."""


class Pause(_Wish):
    """Stop before the next decision."""


class Step(_Wish):
    """Make one decision, then stop."""


class Speed(_Wish):
    """Show the game faster or slower than it is."""

    speed: Annotated[float, msgspec.Meta(ge=0.1, le=8)]


class Start(_Wish):
    """Begin another episode."""

    game: Annotated[str, msgspec.Meta(max_length=100)]
    preset: Preset
    seconds: Seconds | None = None
    calls: Calls | None = None


class Budget(_Wish):
    """Decide with another budget from now on."""

    seconds: Seconds | None = None
    calls: Calls | None = None


class Control(_Wish):
    """Take the controls, or hand them back."""

    on: bool


class Keys(_Wish):
    """Hold an action down."""

    action: Annotated[int, msgspec.Meta(ge=0, le=17)]


class Screen(_Wish):
    """See a node's screen."""

    request: Id
    node: Id


class Branch(_Wish):
    """See all that leads from the root to a node, frame by frame."""

    request: Id
    node: Id


class Novelty(_Wish):
    """See what was novel in a node."""

    request: Id
    node: Id


class Background(_Wish):
    """See which pixels are background."""

    request: Id


class Seek(_Wish):
    """Go to a decision of a recorded run."""

    decision: Annotated[int, msgspec.Meta(ge=0, le=2**31)]


class Open(_Wish):
    """Look at another recorded run."""

    run: Annotated[str, msgspec.Meta(max_length=1_000)]


Question = Screen | Branch | Novelty | Background
Wish = Play | Pause | Step | Speed | Start | Budget | Control | Keys | Question | Seek | Open

_decoder = msgspec.json.Decoder(Wish)


def read_wish(text: str) -> Wish:
    """Read a message; InputError says what is wrong with it."""
    try:
        wish: Wish = _decoder.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise InputError(f"not understood: {error}") from None
    return wish
