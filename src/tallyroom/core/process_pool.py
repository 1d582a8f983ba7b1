"""Processes of the server's own, for work that would hold Python's lock for long (core/worker.py is the other side)."""

import asyncio
import logging
import sys
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import msgspec

from tallyroom.core.errors import Unavailable
from tallyroom.core.worker import LENGTH_BYTES, REFUSALS, JobFailure, JobRefusal, JobReply

_log = logging.getLogger(__name__)

R = TypeVar("R")

_decode = msgspec.msgpack.Decoder[JobReply](JobReply).decode

_SECONDS = 120.0
_QUEUE_SECONDS = 60.0
_IDLE_SECONDS = 60.0  # a process keeps much of the memory that its largest job took
_PIECE = 65_536  # what a pipe takes at once; a larger piece would be copied on the event loop


class WorkerFault(Exception):
    """The worker met a fault of the program."""


class PoolRefusals(NamedTuple):
    """What the refusals of a pool say: that too many jobs wait, that one could not be done, and when to try again."""

    busy: str
    failure: str
    retry_after: int


class ProcessPool:
    """A few processes of one module, each of which does one job at a time; they start when there is work.

    Args:
        command: the module that each process runs, which calls `answer_jobs`, and its arguments.
        refusals: what they say.
        most: the most processes.
        most_waiting: the most jobs that may wait for a turn; None for any number.
        seconds: how long a job may take.
        queue_seconds: how long a job may wait for its turn.
        idle_seconds: how long a process waits for another job before it ends; None if it stays.
    """

    def __init__(  # the limits of one kind of work
        self,
        command: Sequence[str],
        refusals: PoolRefusals,
        *,
        most: int,
        most_waiting: int | None = None,
        seconds: float = _SECONDS,
        queue_seconds: float = _QUEUE_SECONDS,
        idle_seconds: float | None = _IDLE_SECONDS,
    ) -> None:
        self._command = (sys.executable, "-m", *command)
        self._refusals = refusals
        self._seconds = seconds
        self._queue_seconds = queue_seconds
        self._most_waiting = most_waiting
        self._idle_seconds = idle_seconds
        self._waiting = 0
        self._turns = asyncio.Semaphore(most)
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._working: set[asyncio.Task[bytes]] = set()
        self._is_closed = False

    async def ask(self, job: object, result: type[R]) -> R:
        """Return the result of a job, both of types that MessagePack can carry.

        Cancelling removes a waiting job; one that has begun is finished.

        Raises:
            ValidationFailed, PayloadTooLarge: the job is invalid.
            Unavailable: too many jobs wait, it has waited or takes too long, its worker ended, or the pool is closed.
            WorkerFault: the program has a fault.
        """
        reply = _decode(await self._reply(msgspec.msgpack.encode(job)))
        if isinstance(reply, JobRefusal):
            raise REFUSALS[reply.slug](reply.message, details=reply.details)
        if isinstance(reply, JobFailure):
            raise WorkerFault(reply.reason)
        return msgspec.msgpack.decode(reply.value, type=result)

    async def close(self) -> None:
        """End the workers, whatever they are doing; no more are started."""
        self._is_closed = True
        for worker in self._all:
            worker.kill()
            if worker.retirement is not None:
                worker.retirement.cancel()
        await asyncio.gather(*(worker.ended() for worker in self._all))

    async def _reply(self, job: bytes) -> bytes:
        if self._most_waiting is not None and self._waiting >= self._most_waiting:
            raise Unavailable(self._refusals.busy, self._refusals.retry_after)
        self._waiting += 1
        try:
            async with asyncio.timeout(self._queue_seconds):
                await self._turns.acquire()
        except TimeoutError as error:
            raise Unavailable(self._refusals.busy, self._refusals.retry_after) from error
        finally:
            self._waiting -= 1
        task = asyncio.create_task(self._ask_now(job))
        self._working.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    async def _ask_now(self, job: bytes) -> bytes:
        """Ask an idle worker or a new one; a worker that owes a reply never becomes idle again."""
        worker = None
        try:
            async with asyncio.timeout(self._seconds):
                worker = await self._free()
                reply = await worker.ask(job)
        except (TimeoutError, OSError, EOFError, RuntimeError) as error:
            _log.warning("a worker process took too long or broke", extra={"reason": repr(error)})
            if worker is not None:
                self._all.discard(worker)
                worker.kill()
            raise Unavailable(self._refusals.failure, self._refusals.retry_after) from error
        finally:
            self._turns.release()
        self._rest(worker)
        return reply

    def _ended(self, task: asyncio.Task[bytes]) -> None:
        self._working.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waits has it; nobody may be left

    def _rest(self, worker: "_Worker") -> None:
        self._idle.append(worker)
        if self._idle_seconds is not None:
            worker.retirement = asyncio.get_running_loop().call_later(self._idle_seconds, self._retire, worker)

    def _retire(self, worker: "_Worker") -> None:
        self._idle.remove(worker)
        self._all.discard(worker)
        worker.kill()

    async def _free(self) -> "_Worker":
        while self._idle:
            worker = self._idle.pop()
            if worker.retirement is not None:
                worker.retirement.cancel()
            if worker.is_there:
                return worker
            self._all.discard(worker)
        return await self._start()

    async def _start(self) -> "_Worker":
        if self._is_closed:
            raise EOFError("the server is stopping")
        worker = _Worker(
            await asyncio.create_subprocess_exec(
                *self._command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
            )
        )
        self._all.add(worker)
        return worker


class _Worker:
    """One process.

    Attributes:
        retirement: ends it unless it gets another job.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.retirement: asyncio.TimerHandle | None = None
        self._process = process
        self._jobs: asyncio.StreamWriter = process.stdin  # type: ignore[assignment] # it was started with both
        self._replies: asyncio.StreamReader = process.stdout  # type: ignore[assignment] # as above

    @property
    def is_there(self) -> bool:
        """Return True if the worker has not ended, as far as this process knows."""
        return self._process.returncode is None and not self._jobs.is_closing()

    async def ask(self, job: bytes) -> bytes:
        """Send a job and wait for its reply.

        Raises:
            OSError: the process has ended.
            RuntimeError: as that.
            EOFError: it ended meanwhile.
        """
        self._jobs.write(len(job).to_bytes(LENGTH_BYTES, "big"))
        rest = memoryview(job)
        while rest:
            self._jobs.write(rest[:_PIECE])
            await self._jobs.drain()
            rest = rest[_PIECE:]
        length = int.from_bytes(await self._replies.readexactly(LENGTH_BYTES), "big")
        return await self._replies.readexactly(length)

    def kill(self) -> None:
        """End it at once."""
        if self._process.returncode is None:
            self._process.kill()

    async def ended(self) -> None:
        """Wait for its end."""
        await self._process.wait()
