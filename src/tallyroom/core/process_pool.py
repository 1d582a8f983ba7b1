"""Runs separate processes for work that would hold Python's lock for long (core/worker.py is the other side)."""

import asyncio
import logging
import sys
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import msgspec

from tallyroom.core.errors import Unavailable
from tallyroom.core.worker import LENGTH_BYTE_COUNT, REFUSAL_TYPES, JobFailure, JobRefusal, JobReply

_log = logging.getLogger(__name__)

R = TypeVar("R")

_decode_reply = msgspec.msgpack.Decoder[JobReply](JobReply).decode

_MAX_JOB_SECONDS = 120.0
_MAX_QUEUE_SECONDS = 60.0
_MAX_IDLE_SECONDS = 60.0  # a process keeps much of the memory that its largest job took
_CHUNK_BYTES = 65_536  # a pipe's capacity; a larger piece would be copied on the event loop


class WorkerFault(Exception):
    """A job failed because of a bug in the worker."""


class PoolRefusals(NamedTuple):
    """The messages if too many jobs wait and if a job fails, and when to try again."""

    busy_message: str
    failure_message: str
    retry_after_seconds: int


class ProcessPool:
    """Up to `max_workers` processes of one module that calls `serve_jobs`; they start on demand, for one job at a time.

    At most `max_waiting` jobs wait; None for any number. An idle process ends after `idle_seconds`; None for never.
    """

    def __init__(  # the limits of one kind of work
        self,
        command: Sequence[str],
        refusals: PoolRefusals,
        *,
        max_workers: int,
        max_waiting: int | None = None,
        job_seconds: float = _MAX_JOB_SECONDS,
        queue_seconds: float = _MAX_QUEUE_SECONDS,
        idle_seconds: float | None = _MAX_IDLE_SECONDS,
    ) -> None:
        self._command = (sys.executable, "-m", *command)
        self._refusals = refusals
        self._job_seconds = job_seconds
        self._queue_seconds = queue_seconds
        self._max_waiting = max_waiting
        self._idle_seconds = idle_seconds
        self._waiting_count = 0
        self._worker_slots = asyncio.Semaphore(max_workers)
        self._idle_workers: list[_Worker] = []
        self._workers: set[_Worker] = set()
        self._running_tasks: set[asyncio.Task[bytes]] = set()
        self._is_closed = False

    async def ask(self, job: object, result_type: type[R]) -> R:
        """Return the result of a job, both of types that MessagePack can carry.

        Cancelling does not stop a job that has begun. Raises `ValidationFailed` or `PayloadTooLarge` for an invalid
        job, `Unavailable` if the pool is busy, closed or broken, and `WorkerFault` for a bug.
        """
        reply = _decode_reply(await self._run_queued(msgspec.msgpack.encode(job)))
        if isinstance(reply, JobRefusal):
            raise REFUSAL_TYPES[reply.slug](reply.message, details=reply.details)
        if isinstance(reply, JobFailure):
            raise WorkerFault(reply.reason)
        return msgspec.msgpack.decode(reply.value, type=result_type)

    async def close(self) -> None:
        """Kill the workers, even busy ones, and start no more."""
        self._is_closed = True
        for worker in self._workers:
            worker.kill()
            if worker.retirement_timer is not None:
                worker.retirement_timer.cancel()
        await asyncio.gather(*(worker.wait_for_end() for worker in self._workers))

    async def _run_queued(self, job: bytes) -> bytes:
        if self._max_waiting is not None and self._waiting_count >= self._max_waiting:
            raise Unavailable(self._refusals.busy_message, self._refusals.retry_after_seconds)
        self._waiting_count += 1
        try:
            async with asyncio.timeout(self._queue_seconds):
                await self._worker_slots.acquire()
        except TimeoutError as error:
            raise Unavailable(self._refusals.busy_message, self._refusals.retry_after_seconds) from error
        finally:
            self._waiting_count -= 1
        task = asyncio.create_task(self._run_now(job))
        self._running_tasks.add(task)
        task.add_done_callback(self._forget_task)
        return await asyncio.shield(task)

    async def _run_now(self, job: bytes) -> bytes:
        """Ask an idle worker or a new one; a worker that owes a reply never becomes idle again."""
        worker = None
        try:
            async with asyncio.timeout(self._job_seconds):
                worker = await self._take_worker()
                reply = await worker.ask(job)
        except (TimeoutError, OSError, EOFError, RuntimeError) as error:
            _log.warning("a worker process failed or timed out", extra={"reason": repr(error)})
            if worker is not None:
                self._workers.discard(worker)
                worker.kill()
            raise Unavailable(self._refusals.failure_message, self._refusals.retry_after_seconds) from error
        finally:
            self._worker_slots.release()
        self._make_idle(worker)
        return reply

    def _forget_task(self, task: asyncio.Task[bytes]) -> None:
        self._running_tasks.discard(task)
        if not task.cancelled():
            task.exception()  # marks it as retrieved, because all callers may have left

    def _make_idle(self, worker: "_Worker") -> None:
        self._idle_workers.append(worker)
        if self._idle_seconds is not None:
            worker.retirement_timer = asyncio.get_running_loop().call_later(self._idle_seconds, self._retire, worker)

    def _retire(self, worker: "_Worker") -> None:
        self._idle_workers.remove(worker)
        self._workers.discard(worker)
        worker.kill()

    async def _take_worker(self) -> "_Worker":
        while self._idle_workers:
            worker = self._idle_workers.pop()
            if worker.retirement_timer is not None:
                worker.retirement_timer.cancel()
            if worker.is_running:
                return worker
            self._workers.discard(worker)
        return await self._start_worker()

    async def _start_worker(self) -> "_Worker":
        if self._is_closed:
            raise EOFError("the server is stopping")
        worker = _Worker(
            await asyncio.create_subprocess_exec(
                *self._command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
            )
        )
        self._workers.add(worker)
        return worker


class _Worker:
    """One process. `retirement_timer` ends it unless it gets another job."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.retirement_timer: asyncio.TimerHandle | None = None
        self._process = process
        self._jobs: asyncio.StreamWriter = process.stdin  # type: ignore[assignment] # it was started with both
        self._replies: asyncio.StreamReader = process.stdout  # type: ignore[assignment] # as above

    @property
    def is_running(self) -> bool:
        return self._process.returncode is None and not self._jobs.is_closing()

    async def ask(self, job: bytes) -> bytes:
        """Send a job and wait for its reply; raises `OSError`, `RuntimeError` or `EOFError` if the process ends."""
        self._jobs.write(len(job).to_bytes(LENGTH_BYTE_COUNT, "big"))
        remaining = memoryview(job)
        while remaining:
            self._jobs.write(remaining[:_CHUNK_BYTES])
            await self._jobs.drain()
            remaining = remaining[_CHUNK_BYTES:]
        length = int.from_bytes(await self._replies.readexactly(LENGTH_BYTE_COUNT), "big")
        return await self._replies.readexactly(length)

    def kill(self) -> None:
        if self._process.returncode is None:
            self._process.kill()

    async def wait_for_end(self) -> None:
        await self._process.wait()
