"""A connection without a server: bytes go in at one end, and what the application is asked comes out at the other."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from harness.servers.transport import Transport
from tallyroom.core.errors import TallyroomError
from tallyroom.rest.answer import Exchange
from tallyroom.rest.body_families import BodyFamilies
from tallyroom.server.protocol.backlog import Backlogs
from tallyroom.server.protocol.direct_routes import DirectRoutes
from tallyroom.server.protocol.fair_turns import ChunkTurns
from tallyroom.server.protocol.lifetime import Lifetime
from tallyroom.server.protocol.memory_quota import Allowance
from tallyroom.server.protocol.shortcut import ShortcutProtocol

ROOM = 100_000_000


def allowing(most: int, relieved: Callable[[], object] = bool) -> Allowance:
    """An allowance of a server with the usual platforms."""
    return Allowance(most, BodyFamilies(["chat"]), relieved)


class Scene:
    """One connection, its transport, and an application that reads bodies and answers 200, or what it is told.

    Args:
        allowance: shared with other scenes; a large one of its own when absent.
        turns: shared with other scenes; its own when absent.
        keep_alive: longest rest in seconds.
        lifetime: how long the connection may go on.
        backlogs: shared with other scenes; its own when absent.
        body: of each answer.

    Attributes:
        takes: whether the handler of `POST /hot` takes requests the short way; it keeps them in `short`.
        asked: path, body and headers of what the application read to its end.
        refused: why it could not read others.
        answers: set while it may answer.
    """

    def __init__(
        self,
        allowance: Allowance | None = None,
        turns: ChunkTurns | None = None,
        keep_alive: float = 30,
        lifetime: Lifetime | None = None,
        backlogs: Backlogs | None = None,
        body: bytes = b"",
    ) -> None:
        self._body = body
        self.short: list[Exchange] = []
        self.takes = True
        self.asked: list[tuple[str, bytes, list[Any]]] = []
        self.refused: list[TallyroomError] = []
        self.reads = asyncio.Event()
        self.reads.set()
        self.answers = asyncio.Event()
        self.answers.set()
        state = ServerState()
        state.default_headers = [(b"date", b"today")]
        config = uvicorn.Config(self._app, interface="asgi3", log_config=None, proxy_headers=False, ws="none")
        config.load()
        routes = DirectRoutes({("POST", "/hot"): self._handler})
        self.allowance = allowance or allowing(ROOM)
        self.turns = turns or ChunkTurns()
        self.backlogs = backlogs or Backlogs(ROOM)
        of_uvicorn: dict[str, Any] = {"config": config, "server_state": state, "app_state": {}}
        self.connection = ShortcutProtocol(routes, self.allowance, self.backlogs, self.turns, lifetime, **of_uvicorn)
        self.transport: Any = Transport()
        self.connection.timeout_keep_alive = keep_alive  # type: ignore[assignment] # uvicorn's are whole seconds
        self.connection.connection_made(self.transport)  # type: ignore[arg-type] # all that it is asked for

    @property
    def usual(self) -> list[bytes]:
        """Bodies that went the usual way."""
        return [body for _, body, _ in self.asked]

    @property
    def answered(self) -> list[bytes]:
        """Status codes on the wire, in order."""
        return re.findall(rb"HTTP/1\.1 ([0-9]{3}) ", self.transport.written)

    async def receive(self, *pieces: bytes) -> None:
        """Let pieces come, as long as anybody listens, and the application work."""
        for piece in pieces:
            if not self.transport.closed:
                self.connection.data_received(piece)
        await asyncio.sleep(0.01)

    async def until_read(self) -> None:
        """Wait until more may come."""
        while self.transport.paused:  # noqa: ASYNC110 # a transport has no event for it
            await asyncio.sleep(0)

    def _handler(self, exchange: Exchange) -> bool:
        self.short.append(exchange)
        return self.takes

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        status = 200
        try:
            await self.reads.wait()
            await self._read(scope, receive)
        except TallyroomError as error:
            self.refused.append(error)
            status = error.status
        await self.answers.wait()
        length = (b"content-length", b"%d" % len(self._body))
        await send({"type": "http.response.start", "status": status, "headers": [length]})
        await send({"type": "http.response.body", "body": self._body})

    async def _read(self, scope: Any, receive: Any) -> None:
        body = b""
        while (message := await receive())["type"] == "http.request":
            body += message["body"]
            if not message["more_body"]:
                break
        self.asked.append((scope["path"], body, scope["headers"]))
