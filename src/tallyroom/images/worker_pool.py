"""The server's side of the workers that draw: they start when there is work, and end if they take too long."""

import asyncio
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from tallyroom.core.errors import TallyroomError, Unavailable
from tallyroom.images.messages import (
    LENGTH_BYTES,
    REPLY,
    Job,
    Picture,
    RenderFailure,
    RenderRefusal,
    RenderReply,
    framed,
)

_log = logging.getLogger(__name__)

_MOST = 2
_SECONDS = 20.0
_QUEUE_SECONDS = 30.0
_RETRY_SECONDS = 5


class WorkerPool:
    """A few processes, each of which draws one picture at a time (images/worker.py).

    Args:
        font_folders: folders with more typefaces.
        seconds: how long a picture may take.
        queue_seconds: how long a job may wait for its turn.

    Raises:
        TallyroomError: a folder does not exist.
    """

    def __init__(
        self, font_folders: Sequence[Path] = (), seconds: float = _SECONDS, queue_seconds: float = _QUEUE_SECONDS
    ) -> None:
        for folder in font_folders:
            if not folder.is_dir():
                raise TallyroomError(f"{folder} is not a folder of typefaces.")
        self._font_folders = font_folders
        self._seconds = seconds
        self._queue_seconds = queue_seconds
        self._turns = asyncio.Semaphore(_MOST)
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._drawing: set[asyncio.Task[Picture | RenderRefusal]] = set()
        self._is_closed = False

    async def draw(self, job: Job) -> Picture | RenderRefusal:
        """Return the picture of a job, or the reason why there is none.

        Cancelling removes a waiting job; a picture that is already being drawn is finished.

        Raises:
            Unavailable: the picture takes too long, its worker ended, or the server stops.
        """
        try:
            async with asyncio.timeout(self._queue_seconds):
                await self._turns.acquire()
        except TimeoutError as error:
            raise Unavailable("Too many pictures are being drawn.", _RETRY_SECONDS) from error
        task = asyncio.create_task(self._draw_now(job))
        self._drawing.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """End the workers, whatever they are doing; no more are started."""
        self._is_closed = True
        for worker in self._all:
            worker.kill()
        await asyncio.gather(*(worker.ended() for worker in self._all))

    async def _draw_now(self, job: Job) -> Picture | RenderRefusal:
        """Draw in an idle worker or a new one; a worker that owes an answer never becomes idle again."""
        worker = None
        try:
            async with asyncio.timeout(self._seconds):
                worker = await self._free()
                reply = await worker.ask(job)
        except (TimeoutError, OSError, EOFError, RuntimeError) as error:
            _log.warning("a process that draws took too long or broke", extra={"reason": repr(error)})
            if worker is not None:
                self._all.discard(worker)
                worker.kill()
            raise Unavailable("This picture could not be drawn in time.", _RETRY_SECONDS) from error
        finally:
            self._turns.release()
        self._idle.append(worker)
        if isinstance(reply, RenderFailure):
            _log.error("a picture could not be drawn", extra={"reason": reply.reason})
            raise Unavailable("This picture could not be drawn.", _RETRY_SECONDS)
        return reply

    def _ended(self, task: "asyncio.Task[Picture | RenderRefusal]") -> None:
        self._drawing.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waits has it; nobody may be left

    async def _free(self) -> "_Worker":
        while self._idle:
            worker = self._idle.pop()
            if worker.is_there:
                return worker
            self._all.discard(worker)
        return await self._start()

    async def _start(self) -> "_Worker":
        if self._is_closed:
            raise EOFError("the server is stopping")
        worker = _Worker(
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tallyroom.images.worker", *map(str, self._font_folders)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
        )
        self._all.add(worker)
        return worker


class _Worker:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._jobs: asyncio.StreamWriter = process.stdin  # type: ignore[assignment] # it was started with both
        self._replies: asyncio.StreamReader = process.stdout  # type: ignore[assignment] # as above

    @property
    def is_there(self) -> bool:
        """Return True if the worker has not ended, as far as this process knows."""
        return self._process.returncode is None and not self._jobs.is_closing()

    async def ask(self, job: Job) -> RenderReply:
        """Send a job and wait for its reply.

        Raises:
            OSError: the process has ended.
            RuntimeError: as that.
            EOFError: it ended meanwhile.
        """
        self._jobs.write(framed(job))
        await self._jobs.drain()
        length = int.from_bytes(await self._replies.readexactly(LENGTH_BYTES), "big")
        return REPLY.decode(await self._replies.readexactly(length))

    def kill(self) -> None:
        """End it at once."""
        if self._process.returncode is None:
            self._process.kill()

    async def ended(self) -> None:
        """Wait for its end."""
        await self._process.wait()
