"""The JSON messages between server and page: objects with a `type`.

web/src/generated.ts has these types in TypeScript, and is made of them by `make web`.
What a page asks for is checked before anything is done.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from pixelplan.errors import InputError
from pixelplan.planning.settings import Preset  # noqa: TC001 (msgspec reads it)
from pixelplan.play.decision_record import DecisionRecord

MAX_MESSAGE_BYTES = 4_096

Id = Annotated[int, msgspec.Meta(ge=0, le=2**32 - 1)]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=60)]
Calls = Annotated[int, msgspec.Meta(ge=1, le=100_000)]


class Hello(msgspec.Struct, frozen=True, kw_only=True):
    """The server, to a page that has come."""

    mode: Literal["live", "replay"]
    games: list[str]
    presets: list[str]
    runs: list[str]
    version: str


class Episode(msgspec.Struct, frozen=True, kw_only=True):
    """An episode begins."""

    game: str
    preset: str | None
    planner: str
    features: str
    frameskip: int
    loss_cost: float
    """Price of a lost point, to a search that is averse to risk; 0 if it is not."""
    death_cost: float
    """Price of a lost life."""
    seconds: float | None
    calls: int | None
    budget_seconds: float | None
    workers: int
    realtime: bool
    seed: int
    run: str | None
    action_names: list[str]
    actions: list[int]
    """Numbers of the actions that the planner may use."""
    human: float | None
    paper: float | None
    random: float | None
    can_pause: bool
    can_control: bool
    can_seek: bool
    can_restart: bool
    has_tiles: bool
    decisions: int | None
    """In a replay: how many there are."""


class History(msgspec.Struct, frozen=True, kw_only=True):
    """Frames and scores after each decision so far."""

    frames: list[int]
    scores: list[int]


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """How the show stands."""

    playing: bool = True
    speed: float = 1.0
    controlled: bool = False
    decision: int = 0
    """The decision whose tree is shown."""
    bold: bool = False
    """Whether a lost life costs nothing in it."""
    score: int = 0
    lives: int = 0
    frames: int = 0
    is_over: bool = False
    message: str | None = None
    budget_seconds: float | None = None
    calls: int | None = None


class NovelCounts(msgspec.Struct, frozen=True, kw_only=True):
    """How many novel features of each kind there are, listed or not."""

    basic: int
    space: int
    time: int


class Novel(msgspec.Struct, frozen=True, kw_only=True):
    """What was new in a node when it was judged."""

    request: int
    node: int
    judged: bool
    count: int
    counts: NovelCounts
    basic: list[tuple[int, int, int]]
    """Column, row and colour."""
    space: list[tuple[int, int, int, int]]
    """Two tiles: the offset in columns and rows, and the two colours."""
    time: list[tuple[int, int, int, int]]
    """The same, of a tile now and one before."""


class Refusal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A wish that is not granted, and why."""

    message: str
    request: int | None = None


SAID = {
    "hello": Hello,
    "episode": Episode,
    "history": History,
    "decision": DecisionRecord,
    "status": Status,
    "novelty": Novel,
    "error": Refusal,
}
"""What the server says, by the `type` of the message."""

Said = Hello | Episode | History | DecisionRecord | Status | Novel | Refusal

_NAMES = {kind: name for name, kind in SAID.items()}


def to_json(message: Said) -> str:
    """Return the text of a message."""
    fields: dict[str, Any] = msgspec.to_builtins(message)
    return msgspec.json.encode({"type": _NAMES[type(message)]} | fields).decode()


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
