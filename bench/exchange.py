"""One kept-alive connection of a load generator, which hands over each answer's status."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from typing import cast

from httptools import HttpResponseParser

LOST_STATUS = 0
"""In place of a status: the connection ended before the answer did."""


class Exchange(asyncio.Protocol):
    """Sends one request after the other.

    Args:
        on_answer: called with the status of each answer, and the seconds of its `retry-after`.
    """

    def __init__(self, on_answer: Callable[["Exchange", int, float], None]) -> None:
        self._on_answer = on_answer
        self._parser = HttpResponseParser(self)
        self._retry_after = 0.0
        self._is_waiting = False
        self.is_open = True

    def send(self, parts: Sequence[bytes]) -> None:
        """Write a request; its answer has to come before the next."""
        self._is_waiting = True
        self._transport.writelines(parts)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """As asyncio calls it."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's own class is not a subclass

    def data_received(self, data: bytes) -> None:
        """As asyncio calls it."""
        self._parser.feed_data(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """As asyncio calls it."""
        self.is_open = False
        if self._is_waiting:
            self._is_waiting = False
            sys.stderr.write(f"lost a connection: {exc}\n")
            self._on_answer(self, LOST_STATUS, 0.0)

    def on_header(self, name: bytes, value: bytes) -> None:
        """As the parser calls it."""
        if name.lower() == b"retry-after":
            self._retry_after = float(value)

    def on_message_complete(self) -> None:
        """As the parser calls it."""
        status, retry_after_s = self._parser.get_status_code(), self._retry_after
        self._parser, self._retry_after, self._is_waiting = HttpResponseParser(self), 0.0, False
        self._on_answer(self, status, retry_after_s)


async def connect(port: int, count: int, on_answer: Callable[[Exchange, int, float], None]) -> list[Exchange]:
    """`count` connections to a port of this machine."""
    loop = asyncio.get_running_loop()
    transports_and_exchanges = [
        await loop.create_connection(lambda: Exchange(on_answer), "127.0.0.1", port) for _ in range(count)
    ]
    return [exchange for _, exchange in transports_and_exchanges]
