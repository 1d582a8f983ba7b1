"""Bytes that were written to connections but not taken by their clients (rules/safety#unread-answers).

Bytes count as taken when the other side's kernel has acknowledged them: this side's kernel accepts more for a client
that reads nothing.
"""

import asyncio
import logging
import socket
import struct
from collections.abc import Callable, Sequence
from contextvars import Context
from typing import Any, Final

from tallyroom.server.protocol.deadlines import UNTAKEN_SECONDS
from tallyroom.server.protocol.log_throttle import ThrottledLog
from tallyroom.server.protocol.sockets import UNSENT_BYTES, count_unacknowledged_bytes

_CHECK_SECONDS: Final = 1.0
_RESET_LINGER: Final = struct.pack("ii", 1, 0)  # close immediately, and discard what waits in the kernel

_log = logging.getLogger(__name__)


class Backlogs:
    """The backlogs of all connections; beyond `max_bytes` in total, those that have waited longest are closed.

    `held_bytes` wait in this process, or unsent in the kernel, as of the last check.
    """

    def __init__(
        self,
        max_bytes: int,
        count_unacknowledged: Callable[[socket.socket], int] = count_unacknowledged_bytes,
        read_clock: Callable[[], float] | None = None,
    ) -> None:
        self._max_bytes = max_bytes
        self._count_unacknowledged = count_unacknowledged
        self._read_clock = read_clock or (lambda: asyncio.get_running_loop().time())
        self._waiting_backlogs: set[Backlog] = set()
        self._timer: asyncio.TimerHandle | None = None
        self.held_bytes = 0
        self.disconnect_log = ThrottledLog(_log, "clients disconnected")
        self._closed_log = ThrottledLog(_log, "closed connections whose clients do not read")

    def open_backlog(self, transport: Any) -> "Backlog":
        """Return the backlog of a new connection."""
        return Backlog(self, transport, self._count_unacknowledged)

    def watch(self, backlog: "Backlog") -> None:
        """Check a backlog until it is empty."""
        if backlog not in self._waiting_backlogs:
            self._waiting_backlogs.add(backlog)
            backlog.waiting_since = self._read_clock()
            self._schedule_check()

    def forget(self, backlog: "Backlog") -> None:
        """Stop checking the backlog of a closed connection."""
        self._waiting_backlogs.discard(backlog)
        self.held_bytes -= backlog.held_bytes
        backlog.held_bytes = 0

    def close_late_connections(self) -> None:
        """Close connections that wait for too long, or with too many bytes."""
        now_seconds = self._read_clock()
        for backlog in tuple(self._waiting_backlogs):
            if not backlog.measure(now_seconds):
                self.forget(backlog)
        late_backlogs = [
            backlog for backlog in self._waiting_backlogs if now_seconds - backlog.waiting_since >= UNTAKEN_SECONDS
        ]
        self._drop(late_backlogs, f"read nothing for {UNTAKEN_SECONDS:g} seconds")
        self._keep_within_bounds()

    def note_growth(self, backlog: "Backlog") -> None:
        """Note a large write."""
        backlog.measure(self._read_clock())
        self._keep_within_bounds()

    def _keep_within_bounds(self) -> None:
        excess_backlogs = []
        while self.held_bytes > self._max_bytes:
            longest_waiting = min(
                self._waiting_backlogs, key=lambda backlog: (backlog.waiting_since, -backlog.held_bytes)
            )
            self.forget(longest_waiting)
            excess_backlogs.append(longest_waiting)
        self._drop(excess_backlogs, "had waited longest when too much was queued")

    def _drop(self, backlogs: Sequence["Backlog"], reason: str) -> None:
        for backlog in backlogs:
            self.forget(backlog)
            backlog.drop()
        self._closed_log.count_connections(reason, len(backlogs))

    def _schedule_check(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_CHECK_SECONDS, self._check_again, context=Context())

    def _check_again(self) -> None:
        self._timer = None
        self.close_late_connections()
        if self._waiting_backlogs:
            self._schedule_check()


class Backlog:
    """What was written to one connection but not taken; `held_bytes` count toward the total as of the last check."""

    def __init__(
        self, backlogs: Backlogs, transport: Any, count_unacknowledged: Callable[[socket.socket], int]
    ) -> None:
        self._backlogs = backlogs
        self._transport = transport
        self._socket = transport.get_extra_info("socket")
        self._count_unacknowledged = count_unacknowledged
        self._taken_bytes = 0
        self.written_bytes = self.held_bytes = 0
        self.waiting_since = 0.0

    @property
    def waiting_bytes(self) -> int:
        """The number of bytes that wait now."""
        return int(self._transport.get_write_buffer_size()) + self._count_unacknowledged(self._socket)

    def write(self, data: bytes) -> None:
        """Write to the connection."""
        self.written_bytes += len(data)
        self._backlogs.watch(self)
        self._transport.write(data)

    def note_growth(self) -> None:
        """Note that nothing more should be written until some bytes are taken."""
        self._backlogs.note_growth(self)

    def end(self, error: Exception | None = None) -> None:
        """Note that the connection is closed; `error` is set if the client broke it off."""
        self._backlogs.forget(self)
        if error is not None:
            self._backlogs.disconnect_log.count_connections(str(error))

    def measure(self, now_seconds: float) -> int:
        """Note what the client has taken, and return the number of bytes that wait."""
        buffer_bytes, queue_bytes = (self._transport.get_write_buffer_size(), self._count_unacknowledged(self._socket))
        taken_bytes = self.written_bytes - buffer_bytes - queue_bytes
        if taken_bytes > self._taken_bytes:
            self._taken_bytes, self.waiting_since = taken_bytes, now_seconds
        held_bytes = buffer_bytes + min(queue_bytes, UNSENT_BYTES)
        self._backlogs.held_bytes += held_bytes - self.held_bytes
        self.held_bytes = held_bytes
        return int(buffer_bytes + queue_bytes)

    def drop(self) -> None:
        """Close the connection, and discard everything that waits."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_LINGER)
        self._transport.abort()
