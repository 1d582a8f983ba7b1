"""What stands beside the product in the same run: servers that do less.

``python -m bench.peers parse PORT`` validates and answers 202, nothing else. ``short PORT`` does the same on the
product's own connection and its short way. ``append PORT FILE`` appends each body to a file and fsyncs it, in groups,
before it answers. All use the product's own reading and parsing.
"""

import asyncio
import os
import sys
import threading
from collections import deque
from functools import partial

import uvicorn
from litestar.types import HTTPScope, Receive, Send

from tallyroom.core.clock import SystemClock
from tallyroom.core.settings import Settings
from tallyroom.ingest.body import read_body
from tallyroom.ingest.validation.fast import parse
from tallyroom.rest.answer import Exchange, HttpAnswer, send_answer
from tallyroom.rest.body_families import BodyFamilies
from tallyroom.server.protocol.backlog import Backlogs
from tallyroom.server.protocol.direct_routes import DirectRoutes
from tallyroom.server.protocol.fair_turns import ChunkTurns
from tallyroom.server.protocol.memory_quota import Allowance
from tallyroom.server.protocol.shortcut import ShortcutProtocol

_clock = SystemClock()


async def parse_only(scope: HTTPScope, receive: Receive, send: Send) -> None:
    """Validate and answer."""
    if scope["type"] != "http":  # type: ignore[comparison-overlap] # the framework declares an enumeration of text
        return
    body = await read_body(dict(scope["headers"]), receive)
    await send_answer(send, _accepted(body))


def parse_only_short(exchange: Exchange) -> bool:
    """Validate and answer on the short way."""
    exchange.answer(_accepted(exchange.body))
    return True


def _accepted(body: bytes) -> HttpAnswer:
    return HttpAnswer(202, b'{"accepted":%d}' % len(parse(body, _clock.now_ms())), ())


class AppendFile:
    """Validate, append, fsync once for all that wait, answer."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        self._waiting_bodies: deque[tuple[bytes, asyncio.Future[None]]] = deque()
        self._wake_event = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":  # type: ignore[comparison-overlap] # the framework declares an enumeration of text
            return
        body = await read_body(dict(scope["headers"]), receive)
        answer = _accepted(body)
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting_bodies.append((body, future))
        self._wake_event.set()
        await future
        await send_answer(send, answer)

    def _run(self) -> None:
        while True:
            self._wake_event.wait()
            self._wake_event.clear()
            bodies_and_futures = [self._waiting_bodies.popleft() for _ in range(len(self._waiting_bodies))]
            if not bodies_and_futures:
                continue
            os.write(self._file, b"".join(body for body, _ in bodies_and_futures))
            os.fdatasync(self._file)
            bodies_and_futures[0][1].get_loop().call_soon_threadsafe(
                _answer, [future for _, future in bodies_and_futures]
            )


def _answer(futures: list[asyncio.Future[None]]) -> None:
    for future in futures:
        future.set_result(None)


if __name__ == "__main__":
    application = AppendFile(sys.argv[3]) if sys.argv[1] == "append" else parse_only
    settings = Settings()
    allowance, backlogs = (
        Allowance(settings.requests_max_bytes, BodyFamilies(settings.platforms)),
        Backlogs(settings.answers_max_bytes),
    )
    connection = partial(
        ShortcutProtocol, DirectRoutes({("POST", "/v1/events"): parse_only_short}), allowance, backlogs, ChunkTurns()
    )
    uvicorn.run(
        application,
        port=int(sys.argv[2]),
        loop="uvloop",
        http=connection if sys.argv[1] == "short" else "httptools",  # type: ignore[arg-type] # uvicorn calls it like a class
        lifespan="off",
        log_level="critical",  # asked whether it is ready, it fails: it can do only one thing
    )
