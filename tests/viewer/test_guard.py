from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from pixelplan.viewer.guard import MAX_BURST, WISHES_PER_SECOND, Address, Guard, RateLimit
from worlds import Clock

HERE = Address(host="127.0.0.1", port=8765)
OPEN = Address(host="0.0.0.0", port=8765, token="secret")


def ask(
    address: Address,
    *,
    host: str | None,
    origin: str | None = None,
    path: str = "/",
    query: str = "",
    kind: str = "http",
) -> str:
    """Return what comes of a request: "passed", or why it is refused."""
    sent: list[Any] = []

    async def app(*_: object) -> None:
        sent.append("passed")

    async def send(message: Any) -> None:  # noqa: ANN401
        sent.append(message)

    async def receive() -> Any:  # noqa: ANN401
        raise AssertionError("nothing of a refused request is read")

    headers = [(b"host", host), (b"origin", origin), (b"accept", "*/*")]
    scope = {
        "type": kind,
        "path": path,
        "query_string": query.encode(),
        "headers": [(name, value.encode()) for name, value in headers if value is not None],
    }
    asyncio.run(Guard(app, address)(scope, receive, send))
    match sent:
        case ["passed"]:
            return "passed"
        case [{"type": "websocket.close", "code": 1008, "reason": reason}]:
            assert kind == "websocket"
            return str(reason)
        case [{"type": "http.response.start", "status": 403}, {"type": "http.response.body", "body": body}]:
            assert kind == "http"
            return str(body.decode())
    raise AssertionError(f"unexpected: {sent}")


OWN_NAMES = ["127.0.0.1:8765", "localhost:8765", "[::1]:8765", "127.0.0.2:8765"]
OTHER_NAMES = [
    *("127.0.0.1", "127.0.0.1:8766", "localhost", "localhost:80", "[::1]", ""),
    *("127.0.0.1.example.net:8765", "example.net:8765", "localhost.example.net:8765", "192.0.2.1:8765"),
    *("127.0.0.1:8765.example.net", "example.net:8765:8765", "127.0.0.1:8765@example.net", ":8765", None),
]


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize("host", OWN_NAMES)
def test_its_own_page_comes_in(host: str, kind: str) -> None:
    assert ask(HERE, host=host, origin=f"http://{host}", kind=kind) == "passed"


@pytest.mark.parametrize("host", OWN_NAMES)
def test_a_page_is_asked_for_without_an_origin_but_no_socket(host: str) -> None:
    assert ask(HERE, host=host) == "passed"
    assert "own page" in ask(HERE, host=host, kind="websocket")


@pytest.mark.parametrize("path", ["/", "/socket", "/video.mp4", "/static/app.js"])
@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize("host", OTHER_NAMES)
def test_other_names_are_refused(host: str | None, kind: str, path: str) -> None:
    for origin in (f"http://{host}", "http://127.0.0.1:8765"):
        assert "not the name" in ask(HERE, host=host, origin=origin, kind=kind, path=path)


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    "origin",
    [
        *("null", "", "http://example.net", "http://127.0.0.1.example.net:8765", "http://127.0.0.1:8766"),
        *("http://127.0.0.1", "https://127.0.0.1:8765", "http://localhost:8765", "127.0.0.1:8765"),
        *("http://127.0.0.1:8765.example.net", "http://example.net@127.0.0.1:8765", "http://["),
    ],
)
def test_other_sites_are_refused(origin: str, kind: str) -> None:
    assert "another site" in ask(HERE, host="127.0.0.1:8765", origin=origin, kind=kind)


def test_browsers_do_not_name_port_80() -> None:
    usual = Address(host="127.0.0.1", port=80)
    assert ask(usual, host="127.0.0.1", origin="http://127.0.0.1", kind="websocket") == "passed"
    assert ask(usual, host="127.0.0.1:80") == ask(usual, host="[::1]") == "passed"
    assert "not the name" in ask(usual, host="example.net")


@pytest.mark.parametrize(("kind", "path"), [("http", "/"), ("http", "/video.mp4"), ("websocket", "/socket")])
@pytest.mark.parametrize(
    ("query", "is_right"),
    [
        ("token=secret", True),
        ("a=b&token=secret", True),
        ("token=%73ecret", True),
        ("token=secret&token=wrong", True),
        ("token=wrong&token=secret", False),
        ("", False),
        ("token=", False),
        ("token=secre", False),
        ("token=secrets", False),
        ("token=Secret", False),
        ("Token=secret", False),
        ("token=%ff%00", False),
    ],
)
def test_where_others_can_come_a_token_is_needed(kind: str, path: str, query: str, is_right: bool) -> None:
    answer = ask(
        OPEN, host="192.0.2.1:8765", origin="http://192.0.2.1:8765", kind=kind, path=path, query=query
    )
    assert (answer == "passed") == is_right
    assert is_right or "the token is missing or wrong" in answer


def test_the_pages_code_is_open_to_all() -> None:
    assert ask(OPEN, host="192.0.2.1:8765", path="/static/app.js") == "passed"
    assert "token" in ask(OPEN, host="192.0.2.1:8765", path="/statics")


@pytest.mark.parametrize("host", ["192.0.2.1:8765", "[2001:db8::1]:8765", "0.0.0.0:8765"])
def test_with_a_token_it_is_reached_by_any_address(host: str) -> None:
    assert ask(OPEN, host=host, query="token=secret") == "passed"


def test_with_a_token_it_has_no_name_but_the_given_one() -> None:
    assert "not the name" in ask(OPEN, host="example.net:8765", query="token=secret")
    named = Address(host="example.net", port=8765, token="secret")
    assert ask(named, host="example.net:8765", query="token=secret") == "passed"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
def test_this_machine_needs_no_token(host: str) -> None:
    assert Address.of(host, 1).token is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.net", "", "localhost.example.net"])
def test_each_server_for_others_has_a_token_of_its_own(host: str) -> None:
    first, second = Address.of(host, 1).token, Address.of(host, 1).token
    assert first is not None
    assert len(first) > 20
    assert first != second


def test_urls() -> None:
    assert HERE.url() == "http://127.0.0.1:8765/"
    assert OPEN.url() == f"http://{socket.gethostname()}:8765/?token=secret"
    assert OPEN.is_named(f"{socket.gethostname()}:8765")
    assert not HERE.is_named(f"{socket.gethostname()}:8765")
    assert Address(host="::1", port=80).url() == "http://[::1]:80/"


def test_so_many_wishes_at_once_and_so_many_in_a_second() -> None:
    clock = Clock()
    rate = RateLimit(clock)
    assert [rate.allows_one_more() for _ in range(MAX_BURST + 1)] == [True] * MAX_BURST + [False]
    rate = RateLimit(clock)
    for _ in range(10 * MAX_BURST):
        clock.advance(1.001 / WISHES_PER_SECOND)
        assert rate.allows_one_more()
    clock.advance(1e6)
    assert [rate.allows_one_more() for _ in range(MAX_BURST + 1)] == [True] * MAX_BURST + [False]
