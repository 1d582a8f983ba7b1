"""The signs of life of a child, and its look at the parent: if that ends, the child stops in an orderly way."""

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

import msgspec

from tallyroom.server.workers.messages import Heartbeat, line_of, refusal_of

HEARTBEAT_SECONDS = 0.5


class Lifeline:
    """The child's side; implements `ServerWatch`.

    Args:
        pipe: a file descriptor that the parent reads.

    Attributes:
        on_open: called when everything is open, on the event loop.
    """

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe
        self._last = Heartbeat()
        self._task: asyncio.Task[None] | None = None
        self._is_open = threading.Event()
        self.on_open: Callable[[], object] = lambda: None
        os.set_blocking(pipe, False)
        threading.Thread(target=self._run_until_open, name="lifeline", daemon=True).start()

    def prepared(self) -> None:
        """Say that this process is loaded and waits for its directory."""
        self._last = Heartbeat(is_prepared=True)
        self._send()

    def opened(self, worker: str, spool: int, stop: Callable[[], object], hand_over: Callable[[], object]) -> None:
        """Begin to send heartbeats on this event loop.

        Args:
            worker: the id of this process among the workers.
            spool: the identity of its spool.
            stop: asks this process to stop; called when the parent is gone.
            hand_over: the same; called when the parent says that another process waits for the directory.
        """
        self._is_open.set()
        self._last = Heartbeat(is_open=True, worker=worker, spool=spool)
        loop = asyncio.get_running_loop()
        self._task = loop.create_task(self._run())
        self.on_open()
        loop.add_reader(sys.stdin.fileno(), self._look_at_parent, stop, hand_over)

    def started(self, *, is_owned: bool) -> None:
        """Say that this process serves from now on."""
        self._last = msgspec.structs.replace(self._last, is_ready=True, is_owned=is_owned)
        self._send()

    def stopping(self) -> None:
        """Say nothing: the parent sees when this process has ended."""

    def refuse(self, message: str, *, is_passing: bool = False) -> None:
        """Say why this process cannot start, and whether a later start may succeed."""
        self._last = refusal_of(message, is_passing=is_passing)
        self._send()

    def _run_until_open(self) -> None:
        while not self._is_open.wait(HEARTBEAT_SECONDS):
            self._send()

    async def _run(self) -> None:
        while True:
            self._send()
            await asyncio.sleep(HEARTBEAT_SECONDS)

    def _send(self) -> None:
        with suppress(BlockingIOError, BrokenPipeError):  # the parent hangs, which costs it this one, or it is gone
            os.write(self._pipe, line_of(self._last))

    def _look_at_parent(self, stop: Callable[[], object], hand_over: Callable[[], object]) -> None:
        """Stop at the end of the standard input, which comes when the parent has ended, however it did."""
        if os.read(sys.stdin.fileno(), 1):
            hand_over()
        else:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
            stop()
