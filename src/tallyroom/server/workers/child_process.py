"""One child, from its start to its end, as its parent sees it."""

import asyncio
import logging
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec

from tallyroom.server.workers.messages import (
    HAND_OVER,
    MAX_LINE_BYTES,
    Assignment,
    Heartbeat,
    encode_line,
    read_heartbeat,
)

SILENT_SECONDS = 5.0  # a child that sends no heartbeat for this long is killed
SILENT_START_SECONDS = 30.0  # the same before its first heartbeat: a slow disk loads the program slowly
_POLL_SECONDS = 0.25
_MAX_COUNTED_SECONDS = 2 * _POLL_SECONDS  # if the parent was suspended too, it is no silence of the child

_log = logging.getLogger(__name__)


class ChildProcess:
    """A process that executes an assignment; `on_prepared` is called when it only waits for its directory.

    `exit_code` is negative after a signal, and None while it runs; `served_at` is by the event loop's clock.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        on_ready: Callable[[], object],
        on_prepared: Callable[[], object] = lambda: None,
    ) -> None:
        self.name = name
        self.last_heartbeat = Heartbeat()
        self.exit_code: int | None = None
        self.served_at: float | None = None
        self._command = command
        self._on_ready = on_ready
        self._on_prepared = on_prepared
        self._silent_seconds: float | None = 0.0
        self._max_silent_seconds = SILENT_START_SECONDS
        self._process: asyncio.subprocess.Process | None = None
        self._pending_signal: signal.Signals | None = None

    async def run(self, assignment: Assignment) -> None:
        """Start it, listen to it, and return when it has ended; `heartbeats` of the assignment is filled in."""
        loop = asyncio.get_running_loop()
        read_descriptor, write_descriptor = os.pipe()
        passed_descriptors = [write_descriptor, assignment.lock, *assignment.sockets]
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                pass_fds=passed_descriptors,
                process_group=0,  # a Ctrl-C is for the parent, which stops all children in order
            )
        except BaseException:
            os.close(read_descriptor)
            raise
        finally:
            os.close(write_descriptor)
        if self._pending_signal is not None:
            self.send_signal(self._pending_signal)
        reader = asyncio.StreamReader(limit=MAX_LINE_BYTES)
        pipe, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(read_descriptor, "rb")
        )
        try:
            with suppress(ConnectionError):  # it has ended already
                assignment = msgspec.structs.replace(assignment, heartbeats=write_descriptor)
                await _write_assignment(self._process.stdin, assignment)  # type: ignore[arg-type] # it was started with one
            await self._watch(self._process, reader)
        finally:
            pipe.close()
            self.send_signal(signal.SIGKILL)
            self.exit_code = await self._process.wait()

    def send_signal(self, signal_number: signal.Signals) -> None:
        """Send it a signal as soon as it runs, unless it has ended."""
        if self._process is None:
            self._pending_signal = signal_number
        elif self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(signal_number)

    def hand_over(self) -> None:
        """Ask it to stop for another process, which waits for its directory."""
        if self._process is not None and self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(HAND_OVER)

    async def _watch(self, process: asyncio.subprocess.Process, reader: asyncio.StreamReader) -> None:
        listen_task = asyncio.create_task(self._listen(reader))
        try:
            exit_task = asyncio.create_task(process.wait())
            checked_seconds = asyncio.get_running_loop().time()
            while not exit_task.done():
                await asyncio.wait([exit_task], timeout=_POLL_SECONDS)
                now_seconds = asyncio.get_running_loop().time()
                self._add_silence(now_seconds - checked_seconds)
                checked_seconds = now_seconds
            await listen_task  # its last messages
        finally:
            listen_task.cancel()

    def _add_silence(self, seconds: float) -> None:
        if self._silent_seconds is None:
            return
        self._silent_seconds += min(seconds, _MAX_COUNTED_SECONDS)
        if self._silent_seconds > self._max_silent_seconds:
            _log.error("a worker does not respond and is killed", extra={"pid": self._process and self._process.pid})
            self._silent_seconds = None
            self.send_signal(signal.SIGKILL)

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        async for line in reader:
            with suppress(msgspec.DecodeError):  # the end of the process cut the line short
                self.last_heartbeat = read_heartbeat(line)
            self._silent_seconds, self._max_silent_seconds = 0.0, SILENT_SECONDS
            if self.last_heartbeat.is_prepared:
                self._on_prepared()
            if self.last_heartbeat.is_ready and self.served_at is None:
                self.served_at = asyncio.get_running_loop().time()
                self._on_ready()


async def _write_assignment(stdin: asyncio.StreamWriter, assignment: Assignment) -> None:
    stdin.write(encode_line(assignment))
    await stdin.drain()
