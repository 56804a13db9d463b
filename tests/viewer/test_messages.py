from __future__ import annotations

import contextlib
import json
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pixelplan.errors import InputError
from pixelplan.planning.settings import Preset
from pixelplan.viewer import messages
from pixelplan.viewer.messages import MAX_MESSAGE_BYTES, Wish, read_wish

WISHES: list[tuple[str, Wish]] = [
    ('{"type": "play"}', messages.Play()),
    ('{"type": "pause"}', messages.Pause()),
    ('{"type": "step"}', messages.Step()),
    ('{"type": "speed", "speed": 0.1}', messages.Speed(0.1)),
    ('{"type": "speed", "speed": 8}', messages.Speed(8.0)),
    (
        '{"type": "start", "game": "pong", "preset": "iw", "seconds": 0.5, "calls": null}',
        messages.Start(game="pong", preset="iw", seconds=0.5),
    ),
    (
        '{"type": "start", "game": "pong", "preset": "ras", "seconds": null, "calls": 9}',
        messages.Start(game="pong", preset="ras", calls=9),
    ),
    *(
        (f'{{"type": "start", "game": "pong", "preset": "{preset}"}}', messages.Start("pong", preset))
        for preset in get_args(Preset)
    ),
    ('{"type": "budget", "seconds": 60, "calls": 100000}', messages.Budget(60.0, 100_000)),
    ('{"type": "control", "on": true}', messages.Control(on=True)),
    ('{"type": "keys", "action": 17}', messages.Keys(17)),
    ('{"type": "screen", "request": 1, "node": 2}', messages.Screen(1, 2)),
    ('{"type": "branch", "request": 1, "node": 4294967295}', messages.Branch(1, 2**32 - 1)),
    ('{"type": "novelty", "request": 1, "node": 0}', messages.Novelty(1, 0)),
    ('{"type": "background", "request": 4294967295}', messages.Background(2**32 - 1)),
    ('{"type": "seek", "decision": 0}', messages.Seek(0)),
    ('{"type": "open", "run": "a/b"}', messages.Open("a/b")),
]


@pytest.mark.parametrize(("text", "wish"), WISHES)
def test_every_kind_is_read(text: str, wish: Wish) -> None:
    assert read_wish(text) == wish


def test_no_kind_is_forgotten() -> None:
    kinds = {kind.__name__ for kind in Wish.__args__}
    assert {type(wish).__name__ for _, wish in WISHES} == kinds


@pytest.mark.parametrize("text", [text for text, _ in WISHES])
def test_unknown_fields_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="unknown field `more`"):
        read_wish(json.dumps(json.loads(text) | {"more": 1}))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "truncated"),
        ("null", "Expected `object`, got `null`"),
        ('["play"]', "Expected `object`, got `array`"),
        ("{}", "missing required field `type`"),
        ('{"type": 1}', "Expected `str`"),
        ('{"type": "Play"}', "Invalid value 'Play'"),
        ('{"type": "play"} {}', "trailing"),
        ('{"type": "speed"}', "missing required field `speed`"),
        ('{"type": "speed", "speed": "1"}', "Expected `float`"),
        ('{"type": "speed", "speed": 0.09}', ">= 0.1"),
        ('{"type": "speed", "speed": 8.1}', "<= 8.0"),
        ('{"type": "speed", "speed": NaN}', "malformed"),
        ('{"type": "speed", "speed": 1e999}', "out of range"),
        ('{"type": "start", "game": 7, "preset": "iw"}', "Expected `str`"),
        ('{"type": "start", "game": "pong", "preset": "worst"}', "Invalid enum value 'worst'"),
        (f'{{"type": "start", "game": "{"p" * 101}", "preset": "iw"}}', "length <= 100"),
        ('{"type": "budget", "seconds": 0}', "> 0.0"),
        ('{"type": "budget", "seconds": 61}', "<= 60.0"),
        ('{"type": "budget", "calls": 0}', ">= 1"),
        ('{"type": "budget", "calls": 1.5}', "Expected `int | null`"),
        ('{"type": "budget", "calls": 100001}', "<= 100000"),
        ('{"type": "control", "on": 1}', "Expected `bool`"),
        ('{"type": "keys", "action": -1}', ">= 0"),
        ('{"type": "keys", "action": 18}', "<= 17"),
        ('{"type": "screen", "request": 1}', "missing required field `node`"),
        ('{"type": "screen", "request": -1, "node": 0}', ">= 0"),
        ('{"type": "branch", "request": 1, "node": 4294967296}', "<= 4294967295"),
        ('{"type": "novelty", "request": 1, "node": null}', "Expected `int`"),
        ('{"type": "seek", "decision": -1}', ">= 0"),
        ('{"type": "open", "run": ["a"]}', "Expected `str`"),
        (f'{{"type": "open", "run": "{"a" * 1_001}"}}', "length <= 1000"),
    ],
)
def test_what_is_wrong_is_said(text: str, reason: str) -> None:
    with pytest.raises(InputError, match="not understood: ") as refusal:
        read_wish(text)
    assert reason in str(refusal.value)


@given(
    st.text(max_size=200)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.just("type"), inner),
    ).map(json.dumps)
)
@example("\ud800")
@example('{"a":' + "[" * (MAX_MESSAGE_BYTES // 2))
@example('{"type": "keys", "action": ' + "9" * 4_000 + "}")
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_wish(text)


@given(st.sampled_from([text for text, _ in WISHES]), st.data())
def test_damaged_wishes_are_wishes_or_refused(text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text)))
    damaged = text[:place] + data.draw(st.text(max_size=3)) + text[place + data.draw(st.integers(0, 3)) :]
    with contextlib.suppress(InputError):
        assert isinstance(read_wish(damaged), Wish)
