"""A server on the loopback address for what Tallyroom fetches: it says what a test tells it, with TLS or without."""

import fcntl
import socket
import ssl
import struct
import termios
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, Self

from harness.suite.patience import PATIENCE, wait_until

Ending = Literal["fin", "reset", "notify"]
Send = Callable[[bytes], None]
_HANDSHAKE = b"\x16"  # how TLS begins, which this server may not speak

Say = Callable[[Send, str], None]
"""Gets the function that sends bytes, and the head of the request."""


def answer(body: bytes = b'{"value": 7}', status: str = "200 OK", **headers: str) -> bytes:
    """A whole answer; underscores in the names of headers are dashes."""
    fields = {"content-type": "application/json", "content-length": str(len(body))}
    fields |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
    return "\r\n".join(lines).encode() + body


def saying(*pieces: bytes) -> Say:
    """Says the same to every request."""

    def say(send: Send, _: str) -> None:
        for piece in pieces:
            send(piece)

    return say


class OutsideServer:
    """Listens on a free port until the block ends.

    Args:
        say: what to say when the head of a request is there; then the connection ends.
        tls: the certificate; None for plain HTTP.
        ending: how the connection ends, once everything has arrived: `fin` by TCP alone, `reset` by a reset, and
            `notify` by TLS's close_notify before TCP's end.
    """

    def __init__(self, say: Say, tls: ssl.SSLContext | None = None, ending: Ending = "fin") -> None:
        self.connections = 0
        self.heads: list[str] = []
        self.say = say
        self._tls, self._ending = tls, ending
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._threads = [threading.Thread(target=self._accept, daemon=True)]

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(PATIENCE)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self.connections += 1
                thread = threading.Thread(target=self._talk, args=(connection,), daemon=True)
                thread.start()
                self._threads.append(thread)

    def _talk(self, connection: socket.socket) -> None:
        connection.settimeout(PATIENCE)
        with suppress(OSError), connection:
            if self._tls is None:
                self._converse(connection)
                self._end(connection)
                return
            with self._tls.wrap_socket(connection, server_side=True, suppress_ragged_eofs=False) as encrypted:
                self._converse(encrypted)
                self._end(encrypted)

    def _end(self, connection: socket.socket) -> None:
        if self._ending == "reset":
            wait_until(lambda: not _on_the_way(connection))
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif self._ending == "notify" and isinstance(connection, ssl.SSLSocket):
            connection.unwrap()

    def _converse(self, connection: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head and not head.startswith(_HANDSHAKE):
            data = connection.recv(65_536)
            if not data:
                return
            head += data
        self.heads.append(head.decode("latin-1"))
        self.say(connection.sendall, self.heads[-1])


def _on_the_way(connection: socket.socket) -> int:
    """How many bytes the other side's kernel has not acknowledged."""
    (size,) = struct.unpack("i", fcntl.ioctl(connection, termios.TIOCOUTQ, bytes(4)))
    return int(size)
