"""Who may come in: requests to this server under its own name, from its own page, with its token.

A name that somebody else points at this machine is refused (DNS rebinding). So is whatever another site's
page asks for, but for a link to the page itself. Where other machines can reach the server, a token is
needed as well. Every answer, a refusal too, tells browsers what it may be used for.
"""

from __future__ import annotations

import contextlib
import ipaddress
import secrets
import socket
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

WISHES_PER_SECOND = 100
MAX_BURST = 200
POLICY_VIOLATION = 1008
"""WebSocket: why a connection is closed."""
FORBIDDEN = 403
REFUSAL = "websocket.http.response"
"""ASGI's extension by which the refusal of a WebSocket has headers."""
HTTP_PORT = 80
"""Browsers do not name it."""
ANY_HOST = ("0.0.0.0", "::")
"""All addresses that the machine has."""
OPEN_PATHS = "/static/"
"""The page's code, which is in every package: the same for everybody, and without anything of the game."""
OWN_SITE = ("same-origin", "none")
"""Values of Sec-Fetch-Site: the request comes from the server's own page, or from the user's address bar."""
HEADERS = {
    b"content-security-policy": (
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        b"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cache-control": b"no-store",
}
"""Of every answer."""


@dataclass(frozen=True, kw_only=True)
class Address:
    """Where the server listens."""

    host: str
    port: int
    token: str | None = None

    @classmethod
    def of(cls, host: str, port: int) -> Address:
        """Return an address; with a new token if other machines can reach it."""
        return cls(host=host, port=port, token=None if is_loopback(host) else secrets.token_urlsafe(16))

    def url(self) -> str:
        """Return the page's address, as others would write it."""
        host = socket.gethostname() if self.host in ANY_HOST else self.host
        name = f"[{host}]" if ":" in host else host
        return f"http://{name}:{self.port}/" + ("" if self.token is None else f"?token={self.token}")

    def is_named(self, host: str) -> bool:
        """Say whether a Host header names this server."""
        name = host.removesuffix(f":{self.port}")
        if name == host and self.port != HTTP_PORT:
            return False
        if self.token is None:
            return is_loopback(name.strip("[]"))
        # It has addresses that nobody has told it. A name could be somebody else's; an address cannot.
        return name in (self.host, socket.gethostname(), "localhost") or is_address(name.strip("[]"))


def is_loopback(host: str) -> bool:
    """Say whether a host's name or address means this machine alone."""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def is_address(host: str) -> bool:
    """Say whether a host is given by its address."""
    with contextlib.suppress(ValueError):
        ipaddress.ip_address(host)
        return True
    return False


class Guard:
    """Passes requests on to an application, or refuses them."""

    def __init__(self, app: ASGIApp, address: Address) -> None:
        self._app = app
        self._address = address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = [(name, value) for name, value in message.get("headers", ()) if name not in HEADERS]
                message = {**message, "headers": [*given, *HEADERS.items()]}
            await original_send(message)

        original_send, send = send, send_with_headers
        reason = None if scope["type"] == "lifespan" else self._refusal(scope)
        if reason is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket" and REFUSAL in scope.get("extensions", {}):
            start = {"type": f"{REFUSAL}.start", "status": FORBIDDEN, "headers": [*HEADERS.items()]}
            await send(start)
            await send({"type": f"{REFUSAL}.body", "body": f"{reason}\n".encode()})
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": reason})
        else:
            headers = [(b"content-type", b"text/plain; charset=utf-8")]
            await send({"type": "http.response.start", "status": FORBIDDEN, "headers": headers})
            await send({"type": "http.response.body", "body": f"{reason}\n".encode()})

    def _refusal(self, scope: Scope) -> str | None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._address.is_named(host):
            return "this is not the name of the server"
        if scope["type"] == "websocket" and origin is None:
            return "a WebSocket must come from the server's own page"
        is_link = scope["path"] == "/" and headers.get("sec-fetch-mode") == "navigate"
        is_own = headers.get("sec-fetch-site", "none") in OWN_SITE or (is_link and origin is None)
        if not is_own or origin not in (None, f"http://{host}"):
            return "the request comes from another site"
        if not scope["path"].startswith(OPEN_PATHS) and not self._has_token(scope):
            return "the token is missing or wrong: use the address that the server has printed"
        return None

    def _has_token(self, scope: Scope) -> bool:
        if self._address.token is None:
            return True
        (given,) = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[:1]
        return secrets.compare_digest(given.encode(), self._address.token.encode())


class RateLimit:
    """So many wishes in a second, and some at once."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._credit = float(MAX_BURST)
        self._counted_at = clock()

    def allows_one_more(self) -> bool:
        """Count one."""
        now = self._clock()
        self._credit = min(MAX_BURST, self._credit + WISHES_PER_SECOND * (now - self._counted_at)) - 1
        self._counted_at = now
        return self._credit >= 0
