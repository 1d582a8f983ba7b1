"""The heartbeats of a child, and its check of the parent: if the parent ends, the child stops in an orderly way."""

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

import msgspec

from tallyroom.server.workers.messages import Heartbeat, build_refusal_heartbeat, encode_line

HEARTBEAT_SECONDS = 0.5


class Lifeline:
    """The child's side; implements `ServerObserver`. `on_open` is called on the event loop when everything is open."""

    def __init__(self, pipe_descriptor: int) -> None:
        self._pipe_descriptor = pipe_descriptor
        self._last_heartbeat = Heartbeat()
        self._heartbeat_task: asyncio.Task[None] | None = None
        self._is_open = threading.Event()
        self.on_open: Callable[[], object] = lambda: None
        os.set_blocking(pipe_descriptor, False)
        threading.Thread(target=self._send_until_open, name="lifeline", daemon=True).start()

    def note_prepared(self) -> None:
        """Report that this process is loaded and waits for its directory."""
        self._last_heartbeat = Heartbeat(is_prepared=True)
        self._send()

    def note_opened(
        self, worker_id: str, spool_id: int, stop: Callable[[], object], hand_over: Callable[[], object]
    ) -> None:
        """Start sending heartbeats on this event loop; `stop` is called when the parent is gone."""
        self._is_open.set()
        self._last_heartbeat = Heartbeat(is_open=True, worker=worker_id, spool=spool_id)
        loop = asyncio.get_running_loop()
        self._heartbeat_task = loop.create_task(self._send_heartbeats())
        self.on_open()
        loop.add_reader(sys.stdin.fileno(), self._read_parent_pipe, stop, hand_over)

    def note_started(self, *, is_owned: bool) -> None:
        """Report that this process now serves."""
        self._last_heartbeat = msgspec.structs.replace(self._last_heartbeat, is_ready=True, is_owned=is_owned)
        self._send()

    def note_stopping(self) -> None:
        """Do nothing: the parent sees when this process has ended."""

    def refuse(self, message: str, *, is_passing: bool = False) -> None:
        """Report why this process cannot start, and whether a later start may succeed."""
        self._last_heartbeat = build_refusal_heartbeat(message, is_passing=is_passing)
        self._send()

    def _send_until_open(self) -> None:
        while not self._is_open.wait(HEARTBEAT_SECONDS):
            self._send()

    async def _send_heartbeats(self) -> None:
        while True:
            self._send()
            await asyncio.sleep(HEARTBEAT_SECONDS)

    def _send(self) -> None:
        with suppress(BlockingIOError, BrokenPipeError):  # the parent hangs and misses this one, or it is gone
            os.write(self._pipe_descriptor, encode_line(self._last_heartbeat))

    def _read_parent_pipe(self, stop: Callable[[], object], hand_over: Callable[[], object]) -> None:
        """Stop at the end of the standard input, which means that the parent has ended."""
        if os.read(sys.stdin.fileno(), 1):
            hand_over()
        else:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
            stop()
