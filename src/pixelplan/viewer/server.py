"""The server: one page, one WebSocket, and the video of what was played."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from importlib.resources import files
from typing import TYPE_CHECKING

import uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from pixelplan.errors import InputError
from pixelplan.viewer.guard import POLICY_VIOLATION, Address, Guard, RateLimit
from pixelplan.viewer.messages import MAX_MESSAGE_BYTES, Control, Question, Refusal, read_wish, to_json
from pixelplan.viewer.stage import Spectator

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from pixelplan.viewer.stage import Message
    from pixelplan.viewer.theatre import Theatre

GONE_SECONDS = 0.2
"""Seconds between two looks whether the client of a video is still there."""
UNAVAILABLE = 503
MAX_SPECTATORS = 64
TRY_AGAIN_LATER = 1013
RATE_EXCEEDED = "too many messages"
CLOSING_SECONDS = 1


def make_app(theatre: Theatre, address: Address) -> ASGIApp:
    """Make the application."""
    static = files("pixelplan.viewer") / "static"
    one_video = asyncio.Lock()

    async def page(_: Request) -> Response:
        return Response((static / "index.html").read_bytes(), media_type="text/html")

    async def video(request: Request) -> Response:
        if one_video.locked():
            return refuse("a video is being made: try again when it is there")
        try:
            async with one_video:
                name, content = await make_video(theatre, request)
        except InputError as error:
            return refuse(str(error))
        disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(content, media_type="video/mp4", headers=disposition)

    async def visit(websocket: WebSocket) -> None:
        with contextlib.suppress(WebSocketDisconnect):
            await attend(theatre, websocket)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        playing = asyncio.create_task(theatre.run())
        yield
        playing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await playing

    routes = [
        Route("/", page),
        Route("/video.mp4", video),
        WebSocketRoute("/socket", visit),
        Mount("/static", StaticFiles(directory=str(static))),
    ]
    return Guard(Starlette(routes=routes, lifespan=lifespan), address)


def refuse(reason: str) -> Response:
    """Answer that something is not possible now."""
    return Response(f"{reason}\n", UNAVAILABLE, {"Retry-After": "5"}, media_type="text/plain")


async def make_video(theatre: Theatre, request: Request) -> tuple[str, bytes]:
    """Make a video in a thread, and give it up when the client leaves."""
    has_left = False
    making = asyncio.create_task(asyncio.to_thread(theatre.make_video, lambda: has_left))
    while not making.done():
        await asyncio.wait([making], timeout=GONE_SECONDS)
        has_left = has_left or await request.is_disconnected()
    return making.result()


async def attend(theatre: Theatre, websocket: WebSocket) -> None:
    """Let a page look, and hear its wishes, until it leaves."""
    spectators = theatre.stage.spectators
    await websocket.accept()
    if len(spectators) >= MAX_SPECTATORS:
        await websocket.close(TRY_AGAIN_LATER, "too many look already")
        return
    spectator = Spectator(theatre.stage)
    spectators.add(spectator)
    tasks = [
        asyncio.create_task(spectator.look(lambda message: send(websocket, message))),
        asyncio.create_task(hear(theatre, websocket, spectator)),
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        spectators.discard(spectator)
        for task in tasks:
            task.cancel()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        if spectator.has_controls:
            await theatre.grant(Control(on=False))
    for outcome in outcomes:
        # A page may leave while it is told something.
        if isinstance(outcome, Exception) and not isinstance(outcome, WebSocketDisconnect):
            raise outcome
    if RATE_EXCEEDED in outcomes:
        await websocket.close(POLICY_VIOLATION, RATE_EXCEEDED)


async def send(websocket: WebSocket, message: Message) -> None:
    """Send a message; come back when there is room for another one."""
    try:
        if isinstance(message, str):
            await websocket.send_text(message)
        else:
            await websocket.send_bytes(message)
    except RuntimeError:
        # It was closed a moment ago, and the word of it is still on its way to who listens.
        raise WebSocketDisconnect from None


async def hear(theatre: Theatre, websocket: WebSocket, spectator: Spectator) -> str | None:
    """Grant a page's wishes until it leaves; what is wrong with one is its answer."""
    rate = RateLimit()
    while (message := await websocket.receive())["type"] != "websocket.disconnect":
        if not rate.allows_one_more():
            return RATE_EXCEEDED
        request = None
        try:
            text = message.get("text")
            if text is None:
                raise InputError("not understood: messages are text")
            wish = read_wish(text)
            if isinstance(wish, Question):
                request = wish.request
            answer = await theatre.grant(wish)
            if isinstance(wish, Control):
                spectator.has_controls = wish.on
        except InputError as error:
            answer = to_json(Refusal(message=str(error), request=request))
        if answer is not None:
            spectator.answer(answer)
    return None


def serve(theatre: Theatre, host: str, port: int, on_start: Callable[[Address], None]) -> None:
    """Serve until interrupted."""
    with open_socket(host, port) as listener, contextlib.suppress(KeyboardInterrupt):
        address = Address.of(host, listener.getsockname()[1])
        make_server(theatre, address, lambda: on_start(address)).run(sockets=[listener])


def make_server(theatre: Theatre, address: Address, on_start: Callable[[], None]) -> Server:
    """Make the server of an address."""
    config = uvicorn.Config(
        make_app(theatre, address),
        # By name, because it lets a sender wait for a slow reader, and the default depends on the version.
        ws="websockets-sansio",
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=MAX_MESSAGE_BYTES,
        # Screens are small, and compressing them for each page would take longer than sending them.
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=CLOSING_SECONDS,
    )
    return Server(config, on_start)


class Server(uvicorn.Server):
    """A server that says when it can be reached."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets)
        if self.started:
            self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End, also for pages that do not read that it does."""
        await super().shutdown(sockets)
        for connection in self.server_state.connections.copy():
            if connection.transport is not None:
                connection.transport.abort()
        # It happens in the loop's next turn.
        await asyncio.sleep(0)


def open_socket(host: str, port: int) -> socket.socket:
    """Listen; InputError says in a line why that is not possible."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen()
    except (OSError, OverflowError, UnicodeError) as error:
        listener.close()
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(
            f"cannot listen at {host}, port {port}: {reason}; choose with --host and --port"
        ) from None
    return listener
