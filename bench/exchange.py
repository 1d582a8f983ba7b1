"""One kept-alive connection of a load generator, which hands over each answer's status."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from typing import cast

from httptools import HttpResponseParser

LOST = 0
"""In place of a status: the connection ended before the answer did."""


class Exchange(asyncio.Protocol):
    """Sends one request after the other.

    Args:
        answered: called with the status of each answer, and the seconds of its `retry-after`.
    """

    def __init__(self, answered: Callable[["Exchange", int, float], None]) -> None:
        self._answered = answered
        self._parser = HttpResponseParser(self)
        self._retry_after = 0.0
        self._waits = False
        self.open = True

    def send(self, parts: Sequence[bytes]) -> None:
        """Write a request; its answer has to come before the next."""
        self._waits = True
        self._transport.writelines(parts)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """As asyncio calls it."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's own class is not a subclass

    def data_received(self, data: bytes) -> None:
        """As asyncio calls it."""
        self._parser.feed_data(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """As asyncio calls it."""
        self.open = False
        if self._waits:
            self._waits = False
            sys.stderr.write(f"lost a connection: {exc}\n")
            self._answered(self, LOST, 0.0)

    def on_header(self, name: bytes, value: bytes) -> None:
        """As the parser calls it."""
        if name.lower() == b"retry-after":
            self._retry_after = float(value)

    def on_message_complete(self) -> None:
        """As the parser calls it."""
        status, after = self._parser.get_status_code(), self._retry_after
        self._parser, self._retry_after, self._waits = HttpResponseParser(self), 0.0, False
        self._answered(self, status, after)


async def connect(port: int, count: int, answered: Callable[[Exchange, int, float], None]) -> list[Exchange]:
    """`count` connections to a port of this machine."""
    loop = asyncio.get_running_loop()
    made = [await loop.create_connection(lambda: Exchange(answered), "127.0.0.1", port) for _ in range(count)]
    return [exchange for _, exchange in made]
