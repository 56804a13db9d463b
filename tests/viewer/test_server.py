"""The server for real, on a port of this machine, with a theatre that shows frames for ever."""

from __future__ import annotations

import asyncio
import contextlib
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from spectating import Page, sorted_rows
from visits import an_episode, visit
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from pixelplan.errors import InputError
from pixelplan.play.trace import NO_PARENT
from pixelplan.viewer import server as server_module
from pixelplan.viewer.guard import HEADERS, MAX_BURST, POLICY_VIOLATION, Address
from pixelplan.viewer.messages import MAX_MESSAGE_BYTES, Control, Play, Screen, Seek, Wish
from pixelplan.viewer.server import TRY_AGAIN_LATER, make_server, open_socket
from pixelplan.viewer.theatre import Theatre

if TYPE_CHECKING:
    from pixelplan.viewer.show import Show
    from pixelplan.viewer.stage import Message

GENEROUS_SECONDS = 60.0
FRAME = bytes(50_000)
TOO_BIG = 1009
OK, FORBIDDEN, SWITCHING, UNAVAILABLE = 200, 403, 101, 503


class Endless(Theatre):
    """A theatre in which frames are shown and a tree grows for ever."""

    def __init__(self) -> None:
        super().__init__("live", games=[], runs=[])
        self.granted: list[Wish] = []
        self.makes_it_long = False
        self.begun = self.under_way = self.made = 0
        """Videos."""

    def next_show(self) -> Show:
        raise NotImplementedError

    async def run(self) -> None:
        self.stage.reset(an_episode("pong"))
        self.stage.show_status(playing=True)
        self.stage.tree.begin(0, visit(0, NO_PARENT, -1, case=0))
        while True:
            self.stage.show_frame(FRAME)
            if self.stage.frame_number < 100:
                node = self.stage.frame_number
                self.stage.tree.add(visit(node, node - 1, 1))
            await asyncio.sleep(0.001)

    async def grant(self, wish: Wish) -> Message | None:
        self.granted.append(wish)
        match wish:
            case Screen(request, node) if node == 0:
                return bytes((4, 0, 0, 0, request, 0, 0, 0))
            case Seek():
                raise ZeroDivisionError("this was not foreseen")
            case Play() | Control():
                return None
        raise InputError("not here")

    def make_video(self, is_unwanted: Callable[[], bool] = lambda: False) -> tuple[str, bytes]:
        if not self.granted:
            raise InputError("nothing was played")
        self.begun += 1
        self.under_way += 1
        try:
            while self.makes_it_long:
                if is_unwanted():
                    raise InputError("nobody waits for it")
                time.sleep(0.01)
        finally:
            self.under_way -= 1
        self.made += 1
        return "pong.mp4", b"frames"


@dataclass(frozen=True)
class Served:
    """A server that runs, as its clients see it."""

    theatre: Endless
    address: Address

    @property
    def name(self) -> str:
        return f"127.0.0.1:{self.address.port}"

    def connect(self, **options: Any) -> ClientConnection:  # noqa: ANN401
        query = "" if self.address.token is None else f"?token={self.address.token}"
        return connect(
            f"ws://{self.name}/socket{query}",
            **{"origin": f"http://{self.name}", "compression": None, "close_timeout": 0.1, "max_size": None}
            | options,
        )

    def ask(self, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Return what a request is answered with."""
        with contextlib.closing(HTTPConnection("127.0.0.1", self.address.port, GENEROUS_SECONDS)) as client:
            client.putrequest("GET", path, skip_host=True)
            for name, value in {"Host": self.name, **headers}.items():
                client.putheader(name.replace("_", "-"), value)
            client.endheaders()
            response = client.getresponse()
            body = b"" if response.status == SWITCHING else response.read()
            return response.status, dict(response.getheaders()), body

    def is_playing(self) -> bool:
        """Say whether a new page gets frames, and newer ones after that."""
        with self.connect() as client:
            page = read(client, lambda page: "frame" in page.told)
            first, _ = page.told["frame"]
            return bool(read(client, lambda page: page.told["frame"][0] > first, page))


def read(client: ClientConnection, is_enough: Callable[[Page], bool], page: Page | None = None) -> Page:
    """Take messages until there are enough."""
    page = page or Page()
    while not is_enough(page):
        page.take(client.recv(GENEROUS_SECONDS))
    return page


def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + GENEROUS_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def closing(client: ClientConnection) -> tuple[int, str]:
    """Read until the connection is closed; return why it was."""
    with pytest.raises(ConnectionClosed) as closed:
        read(client, lambda _: False)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code, closed.value.rcvd.reason


@contextlib.contextmanager
def serving(token: str | None = None) -> Iterator[Served]:
    theatre = Endless()
    has_started = threading.Event()
    with open_socket("127.0.0.1", 0) as listener:
        address = Address(host="127.0.0.1", port=listener.getsockname()[1], token=token)
        server = make_server(theatre, address, has_started.set)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        assert has_started.wait(GENEROUS_SECONDS)
        try:
            yield Served(theatre, address)
        finally:
            server.should_exit = True
            thread.join(GENEROUS_SECONDS)
    assert not thread.is_alive()


@pytest.fixture
def served() -> Iterator[Served]:
    with serving() as served:
        yield served


UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    "Sec_WebSocket_Version": "13",
}


def test_who_comes_by_another_name_or_from_another_site_is_refused(served: Served) -> None:
    own = f"http://{served.name}"
    assert served.ask("/socket", Origin=own, **UPGRADE)[0] == SWITCHING
    for path in ("/", "/video.mp4", "/static/app.js"):
        assert served.ask(path, Host=f"example.net:{served.address.port}")[0] == FORBIDDEN
        assert served.ask(path, Host="127.0.0.1")[0] == FORBIDDEN
        assert served.ask(path, Origin="http://example.net")[0] == FORBIDDEN
    rebound = f"127.0.0.1.example.net:{served.address.port}"
    for headers in (
        {},
        {"Origin": "null"},
        {"Origin": "http://example.net"},
        {"Origin": "http://["},
        {"Host": rebound, "Origin": f"http://{rebound}"},
        {"Host": rebound, "Origin": own},
    ):
        assert served.ask("/socket", **UPGRADE, **headers)[0] == FORBIDDEN
    assert served.theatre.granted == []
    assert served.is_playing()


def test_without_the_token_nothing_is_shown() -> None:
    with serving("secret") as served:
        own = {"Origin": f"http://{served.name}", **UPGRADE}
        for query in ("", "?token=", "?token=wrong", "?token=wrong&token=secret"):
            assert served.ask(f"/{query}")[0] == FORBIDDEN
            assert served.ask(f"/video.mp4{query}")[0] == FORBIDDEN
            assert served.ask(f"/socket{query}", **own)[0] == FORBIDDEN
        assert served.ask("/static/app.js")[0] == OK
        assert served.ask("/?token=secret")[0] == OK
        assert served.ask("/socket?token=secret", **own)[0] == SWITCHING
        assert served.is_playing()


def test_the_page(served: Served) -> None:
    status, _, body = served.ask("/")
    assert status == OK
    assert b"static/app.js" in body
    assert served.ask("/nothing")[0] == 404
    assert served.ask("/static/../server.py")[0] == 404
    assert served.ask("/static/%2e%2e/server.py")[0] == 404


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/", {}, OK),
        ("/static/app.js", {}, OK),
        ("/nothing", {}, 404),
        ("/video.mp4", {}, UNAVAILABLE),
        ("/", {"Host": "example.net"}, FORBIDDEN),
    ],
)
def test_every_answer_says_what_it_may_be_used_for(
    path: str, headers: dict[str, str], status: int, served: Served
) -> None:
    found, told, _ = served.ask(path, **headers)
    assert found == status
    assert {name: told[name.decode()] for name in HEADERS} == {
        name: value.decode() for name, value in HEADERS.items()
    }
    assert "frame-ancestors 'none'" in told["content-security-policy"]


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_the_page_of_another_site_asks_for_is_refused(site: str, served: Served) -> None:
    served.theatre.granted.append(Play())
    asked = {"Sec-Fetch-Site": site}
    link = asked | {"Sec-Fetch-Mode": "navigate"}
    for path in ("/", "/video.mp4", "/static/app.js"):
        assert served.ask(path, **asked)[0] == FORBIDDEN
    assert served.ask("/video.mp4", **link)[0] == FORBIDDEN
    assert served.ask("/", **link)[0] == OK
    for own in ("same-origin", "none"):
        assert served.ask("/video.mp4", **{"Sec-Fetch-Site": own})[0] == OK


def test_one_video_is_made_at_a_time_and_given_up_when_its_client_leaves(served: Served) -> None:
    """Costs 0.5 s."""
    served.theatre.granted.append(Play())
    served.theatre.makes_it_long = True
    clients = []
    for _ in range(20):
        client = socket.create_connection((served.address.host, served.address.port))
        client.sendall(f"GET /video.mp4 HTTP/1.1\r\nHost: {served.name}\r\n\r\n".encode())
        clients.append(client)
    # All but one are answered at once.
    answered = [client for client in clients if select.select([client], [], [], 1)[0]]
    assert len(answered) >= 19
    assert all(b"503" in client.recv(100) for client in answered)
    for client in clients:
        client.close()
    deadline = time.monotonic() + 10
    while served.theatre.under_way and time.monotonic() < deadline:
        time.sleep(0.02)
    assert served.theatre.under_way == 0
    assert served.theatre.made == 0
    assert served.theatre.begun == 1


def test_the_video(served: Served) -> None:
    assert served.ask("/video.mp4")[0::2] == (UNAVAILABLE, b"nothing was played\n")
    served.theatre.granted.append(Play())
    status, headers, body = served.ask("/video.mp4")
    assert (status, body) == (OK, b"frames")
    assert headers["content-disposition"] == 'attachment; filename="pong.mp4"'
    assert headers["content-type"] == "video/mp4"


def test_wishes_are_granted_answered_or_refused(served: Served) -> None:
    with served.connect() as client:
        client.send('{"type": "play"}')
        client.send('{"type": "screen", "request": 7, "node": 0}')
        assert read(client, lambda page: "screen" in page.told).told["screen"] == (7, b"")
        assert served.theatre.granted == [Play(), Screen(7, 0)]
        refusals: list[tuple[str | bytes, dict[str, Any]]] = [
            ('{"type": "screen", "request": 8, "node": 1}', {"message": "not here", "request": 8}),
            ('{"type": "step"}', {"message": "not here"}),
            (b"play", {"message": "not understood: messages are text"}),
        ]
        for text, error in refusals:
            client.send(text)
            page = read(client, lambda page: "error" in page.told)
            assert page.told["error"] == {"type": "error"} | error


def test_who_leaves_with_the_controls_hands_them_back(served: Served) -> None:
    with served.connect() as page:
        page.send('{"type":"control","on":true}')
        until(lambda: served.theatre.granted == [Control(on=True)])
    until(lambda: served.theatre.granted[1:] == [Control(on=False)])


def test_what_is_not_foreseen_is_logged_and_ends_one_connection(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    with served.connect() as client:
        client.send('{"type": "seek", "decision": 1}')
        with pytest.raises(ConnectionClosed):
            read(client, lambda _: False)
    assert "this was not foreseen" in caplog.text
    assert served.is_playing()


@pytest.mark.parametrize("message", ["x" * (MAX_MESSAGE_BYTES + 1), bytes(MAX_MESSAGE_BYTES + 1)])
def test_long_messages_end_the_connection(served: Served, message: str | bytes) -> None:
    with served.connect() as client:
        client.send(message)
        assert closing(client)[0] == TOO_BIG
    with served.connect() as client:
        client.send(message[:MAX_MESSAGE_BYTES])
        assert read(client, lambda page: "error" in page.told)
    assert served.is_playing()


def test_too_many_messages_end_the_connection(served: Served) -> None:
    with served.connect() as client:
        with contextlib.suppress(ConnectionClosed):
            for _ in range(100 * MAX_BURST):
                client.send('{"type": "play"}')
        assert closing(client) == (POLICY_VIOLATION, "too many messages")
    assert len(served.theatre.granted) >= MAX_BURST
    assert served.is_playing()


def test_random_messages_are_refused(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    rng = Random(1)
    sent = errors = closed = 0
    while sent < 1_000:
        with served.connect() as client, contextlib.suppress(ConnectionClosed):
            for _ in range(MAX_BURST):
                content = rng.randbytes(rng.choice([0, 1, 10, 100, 1_000, 5_000]))
                client.send(content if rng.random() < 0.5 else content.decode("latin-1"))
                sent += 1
                page = read(client, lambda page: "error" in page.told)
                assert "not understood" in page.told["error"]["message"]
                errors += 1
        closed += client.close_code == TOO_BIG
    assert errors + closed >= sent - 5
    assert errors > 500
    assert closed > 50
    assert served.theatre.granted == []
    assert caplog.records == []
    assert served.is_playing()


def test_only_so_many_look_at_once(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "MAX_SPECTATORS", 3)
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(served.connect()) for _ in range(3)]
        for client in clients:
            read(client, lambda page: "frame" in page.told)
        with served.connect() as late:
            assert closing(late)[0] == TRY_AGAIN_LATER
        clients[0].close()
        until(lambda: len(served.theatre.stage.spectators) == 2)
        assert served.is_playing()
    until(lambda: not served.theatre.stage.spectators)


@pytest.mark.slow
def test_twenty_look_at_once(served: Served) -> None:
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(served.connect()) for _ in range(20)]
        pages = [read(client, lambda page: "tree" in page.told) for client in clients]
        until(lambda: served.theatre.stage.frame_number > 100)
        for client, page in zip(clients, pages, strict=True):
            read(client, lambda page: len(page.rows) == 100 and page.told["frame"][0] > 100, page)
            assert page.kinds[:4] == ["hello", "episode", "history", "status"]
            assert page.tree() == sorted_rows(served.theatre.stage.tree.rows())


def test_a_page_that_does_not_read_is_sent_no_more_and_stops_nobody(served: Served) -> None:
    """When it reads again, it gets what lay on the way, and then the newest."""
    stage = served.theatre.stage
    with served.connect(max_queue=1, ping_interval=None) as slow:
        until(lambda: len(stage.spectators) == 1)
        (spectator,) = stage.spectators
        sent = -1
        while sent != spectator._frame_number:
            sent, shown = spectator._frame_number, stage.frame_number
            until(lambda shown=shown: stage.frame_number > shown + 300)  # type: ignore[misc]
        assert served.is_playing()
        assert spectator._frame_number == sent
        newest = stage.frame_number
        page = read(slow, lambda page: page.told.get("frame", (0, b""))[0] >= newest)
        assert page.kinds.count("frame") < newest - 250
        read(slow, lambda page: len(page.rows) == 100, page)
        assert page.tree() == sorted_rows(stage.tree.rows())


def test_it_ends_though_a_page_does_not_read(caplog: pytest.LogCaptureFixture) -> None:
    with contextlib.ExitStack() as stack, serving() as served:
        client = stack.enter_context(served.connect(max_queue=1))
        read(client, lambda page: "frame" in page.told)
        shown = served.theatre.stage.frame_number
        until(lambda: served.theatre.stage.frame_number > shown + 500)
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize(
    ("host", "port"), [("127.0.0.1", -1), ("127.0.0.1", 65_536), ("192.0.2.1", 0), ("a" * 70, 0), ("::2", 0)]
)
def test_where_it_cannot_listen(host: str, port: int) -> None:
    with pytest.raises(InputError, match=f"cannot listen at {host}, port {port}: "):
        open_socket(host, port)


def test_a_port_is_taken_once() -> None:
    with open_socket("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(InputError, match="in use"):
            open_socket("127.0.0.1", port)
