"""The sockets of the server. They listen before anything else is accessed: only then is a port really held."""

import errno
import fcntl
import socket
import struct
import sys
import termios
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final

from tallyroom.core.errors import TallyroomError

UNSENT_BYTES: Final = 65_536
"""The bytes that the kernel buffers for a client beyond what is in transit; by default, it buffers megabytes."""

_MAX_QUEUED_CONNECTIONS = 2048
_UNSENT_ON_MACOS, _UNTAKEN_ON_MACOS = 0x201, 0x1024  # TCP_NOTSENT_LOWAT and SO_NWRITE, for which Python has no names
_UNAVAILABLE_ERRORS = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}

_Address = tuple[socket.AddressFamily, Any]


class CannotListen(TallyroomError):
    """The address is not available; the message has the reason and an alternative."""


@contextmanager
def open_listeners(host: str, port: int, *, port_option: str = "--port") -> Iterator[list[socket.socket]]:
    """Listen on every address of `host`, or of the machine if it is "", while the block runs; yield the sockets.

    A `port` of 0 means a free one. `port_option` names the option in messages. Raises `CannotListen`.
    """
    with ExitStack() as stack:
        sockets: list[socket.socket] = []
        unavailable_error: OSError | None = None
        for family, address in _resolve_addresses(host, port):
            try:
                sockets.append(stack.enter_context(_listen(family, address, sockets)))
            except OSError as error:
                if error.errno not in _UNAVAILABLE_ERRORS:
                    raise _build_refusal(host, port, port_option, error) from error
                unavailable_error = error  # such as ::1 for `localhost` on a machine without IPv6
        if unavailable_error and not sockets:
            raise _build_refusal(host, port, port_option, unavailable_error) from unavailable_error
        yield sockets


def count_unacknowledged_bytes(connection: socket.socket) -> int:
    """Return how many bytes of a connection the other side's kernel has not acknowledged; 0 once it is closed."""
    try:
        if sys.platform == "darwin":
            return connection.getsockopt(socket.SOL_SOCKET, _UNTAKEN_ON_MACOS)
        (byte_count,) = struct.unpack("i", fcntl.ioctl(connection.fileno(), termios.TIOCOUTQ, bytes(4)))
    except (OSError, ValueError):  # ValueError if it is closed
        return 0
    return int(byte_count)


def _resolve_addresses(host: str, port: int) -> list[_Address]:
    try:
        entries = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, UnicodeError) as error:
        raise CannotListen(
            f"{host} is not an address or a name of this machine: choose another with --host."
        ) from error
    return list(dict.fromkeys((family, address) for family, _, _, _, address in entries))


def _listen(family: socket.AddressFamily, address: Any, earlier_listeners: list[socket.socket]) -> socket.socket:
    host, port, *rest = address
    if not port and earlier_listeners:
        port = earlier_listeners[0].getsockname()[1]
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # ignores old connections of an earlier server
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.setsockopt(socket.IPPROTO_TCP, getattr(socket, "TCP_NOTSENT_LOWAT", _UNSENT_ON_MACOS), UNSENT_BYTES)
        listener.bind((host, port, *rest))
        listener.listen(_MAX_QUEUED_CONNECTIONS)
    except OSError:
        listener.close()
        raise
    return listener


def _build_refusal(host: str, port: int, port_option: str, error: OSError) -> CannotListen:
    port_text = f"Port {port} on {host or 'this machine'}"
    if error.errno == errno.EADDRINUSE:
        return CannotListen(
            f"{port_text} is in use: stop the program that listens there, or choose another port with {port_option}."
        )
    if error.errno in {errno.EACCES, errno.EPERM}:
        return CannotListen(f"{port_text} cannot be used by this user: choose 1024 or higher with {port_option}.")
    if error.errno in _UNAVAILABLE_ERRORS:
        return CannotListen(f"{host} is not an address of this machine: choose another with --host.")
    return CannotListen(f"{port_text} cannot be used: {error.strerror}.")
