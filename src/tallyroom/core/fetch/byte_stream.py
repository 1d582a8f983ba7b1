"""The bytes of a connection, with or without TLS; the event loop's own TLS would drop some without close_notify."""

import asyncio
import socket
import ssl
from collections.abc import Callable
from typing import Final, Protocol, TypeVar

_TLS_READ_BYTES: Final = 65_536  # bytes of TLS that are taken from the kernel at once
_Result = TypeVar("_Result")


class ByteStream(Protocol):
    """A connection to a peer."""

    async def send(self, data: bytes) -> None:
        """Send all of the data; raises `OSError` if the connection breaks."""

    async def receive(self, max_bytes: int) -> bytes:
        """Return the next bytes, at most `max_bytes`, or b"" at the end; raises `OSError` if the connection breaks."""


class PlainStream:
    """A connection without TLS: the end of the connection is the end of the data."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._loop = asyncio.get_running_loop()

    async def send(self, data: bytes) -> None:
        """Send all of the data."""
        await self._loop.sock_sendall(self._connection, data)

    async def receive(self, max_bytes: int) -> bytes:
        """Return the next bytes; b"" at the end."""
        return await self._loop.sock_recv(self._connection, max_bytes)


class TlsStream:
    """TLS on a connection; the certificate must be for `host`."""

    def __init__(self, connection: socket.socket, tls_context: ssl.SSLContext, host: str) -> None:
        self._plain_stream = PlainStream(connection)
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = tls_context.wrap_bio(self._incoming, self._outgoing, server_hostname=host)

    async def shake_hands(self) -> None:
        """Agree on keys first, and check the certificate; raises `OSError` if the connection or the check fails."""
        await self._run_tls(self._tls.do_handshake)

    async def send(self, data: bytes) -> None:
        """Send all of the data."""
        await self._run_tls(lambda: self._tls.write(data))

    async def receive(self, max_bytes: int) -> bytes:
        """Return the next bytes; b"" after close_notify."""
        return await self._run_tls(lambda: self._tls.read(max_bytes))

    async def _run_tls(self, operation: Callable[[], _Result]) -> _Result:
        while True:
            try:
                result = operation()
            except ssl.SSLWantReadError:
                await self._flush()
                await self._read_incoming()
            else:
                await self._flush()
                return result

    async def _flush(self) -> None:
        if self._outgoing.pending:
            await self._plain_stream.send(self._outgoing.read())

    async def _read_incoming(self) -> None:
        data = await self._plain_stream.receive(_TLS_READ_BYTES)
        if not data:  # an attacker on the way can cut a connection here
            raise ConnectionAbortedError
        self._incoming.write(data)
