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
    build_refusal_heartbeat,
    encode_line,
    read_heartbeat,
)

SILENT_SECONDS = 5.0  # a child that sends no heartbeat for this long is killed
SILENT_START_SECONDS = 30.0  # the same before its first heartbeat: a slow disk loads the program slowly
_POLL_SECONDS = 0.25
_MAX_COUNTED_SECONDS = 2 * _POLL_SECONDS  # if the parent was suspended too, it is no silence of the child

_log = logging.getLogger(__name__)


class ChildProcess:
    """A process that loads the program and then executes an assignment, once it has one.

    `end_task` ends with the process. `exit_code` is negative after a signal, and None while it runs; `served_at` is by
    the event loop's clock. `descriptors` are all that any assignment may name.
    """

    def __init__(self, command: Sequence[str], descriptors: Sequence[int]) -> None:
        self.last_heartbeat = Heartbeat()
        self.exit_code: int | None = None
        self.served_at: float | None = None
        self._on_ready: Callable[[], object] = lambda: None
        self._on_prepared: Callable[[], object] = lambda: None
        self._name = ""
        self._assignment: asyncio.Future[Assignment] = asyncio.get_running_loop().create_future()
        self._silent_seconds: float | None = 0.0
        self._max_silent_seconds = SILENT_START_SECONDS
        self._process: asyncio.subprocess.Process | None = None
        self._pending_signal: signal.Signals | None = None
        self.end_task = asyncio.get_running_loop().create_task(self._run(command, descriptors))

    def assign(
        self,
        assignment: Assignment,
        on_ready: Callable[[], object],
        on_prepared: Callable[[], object] = lambda: None,
    ) -> None:
        """Give it its assignment; `on_prepared` is called when it only waits for its directory."""
        self._name, self._on_ready, self._on_prepared = assignment.name, on_ready, on_prepared
        self._assignment.set_result(assignment)

    async def _run(self, command: Sequence[str], descriptors: Sequence[int]) -> None:
        read_descriptor, write_descriptor = os.pipe()
        try:
            self._process = await _start_process(command, [write_descriptor, *descriptors])
        except OSError as error:  # no memory for another process, or no file descriptor for a pipe
            os.close(read_descriptor)
            self.last_heartbeat = build_refusal_heartbeat(f"Worker {self._name} cannot be started: {error.strerror}.")
            return
        except BaseException:
            os.close(read_descriptor)
            raise
        finally:
            os.close(write_descriptor)
        if self._pending_signal is not None:
            self.send_signal(self._pending_signal)
        reader = asyncio.StreamReader(limit=MAX_LINE_BYTES)
        pipe, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(read_descriptor, "rb")
        )
        assign_task = asyncio.create_task(self._write_assignment(self._process.stdin))  # type: ignore[arg-type] # it was started with one
        try:
            await self._watch(self._process, reader)
        finally:
            assign_task.cancel()
            pipe.close()
            self.send_signal(signal.SIGKILL)
            self.exit_code = await self._process.wait()

    async def _write_assignment(self, stdin: asyncio.StreamWriter) -> None:
        assignment = await self._assignment
        with suppress(ConnectionError):  # it has ended already
            stdin.write(encode_line(assignment))
            await stdin.drain()

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


async def _start_process(command: Sequence[str], descriptors: Sequence[int]) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *command,
        *map(str, descriptors),
        stdin=asyncio.subprocess.PIPE,
        pass_fds=descriptors,
        process_group=0,  # a Ctrl-C is for the parent, which stops all children in order
    )
