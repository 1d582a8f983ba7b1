"""Workers that share one metadata database, each with a spool of its own: in this process, or in processes of their own.

A process of its own reads one command a line and answers each with a line.
"""

import asyncio
import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from harness.servers.child import WITH_HARNESS
from harness.stores.acceptance import Disk
from harness.stores.spool_batches import look
from tallyroom.cluster.open_metadata import open_metadata
from tallyroom.cluster.shared_cap import SharedCap
from tallyroom.cluster.shared_idempotency_keys import SharedIdempotencyKeys
from tallyroom.cluster.worker_parts import WorkerContext
from tallyroom.core import failpoints
from tallyroom.core.clock import Clock, SystemClock
from tallyroom.core.errors import TallyroomError
from tallyroom.core.peers import NoPeers
from tallyroom.ingest.acceptance.accept import EventAcceptor
from tallyroom.ingest.acceptance.arrivals import ArrivalNotifier
from tallyroom.ingest.acceptance.idempotency import IdempotencyRegistry
from tallyroom.ingest.validation.event import Event
from tallyroom.server.periodic import run_every
from tallyroom.storage.directory_watch import DirectoryWatch
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database, QueryValue
from tallyroom.storage.spool.commit_group import IdempotentRequest, KeyQueue
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.spool.row import SpoolRow

WORKERS = 8
SCOPE = Scope("acme", "production")

_SPOOL = "spool.sqlite"
_AT_ONCE = 4  # requests of one worker
_REPORT_SECONDS = 0.1


class LockedPeers(NoPeers):
    """The workers whose files in a folder are locked: the system lets go of a lock when a process ends, however it does."""

    def __init__(self, folder: Path, number: int = WORKERS) -> None:
        self._folder = folder
        self._number = number

    def lock(self, spool: int) -> int:
        """Be alive until the file that is returned is closed."""
        file = os.open(self._folder / f"{spool}.alive", os.O_CREAT | os.O_RDWR)
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return file

    def worker_count(self) -> int:
        return self._number

    async def is_alive(self, spool: int) -> bool:
        try:
            os.close(self.lock(spool))
        except BlockingIOError:
            return True
        return False


class SharingWorker:
    """What of a worker takes requests.

    Args:
        folder: has the spool; the folders of all workers are in one.
        database: the metadata, which the worker closes.
        clock: the time of receipt.
        peers: the other workers.
        cap: how many events a free workspace may send in a month.
    """

    def __init__(self, folder: Path, database: Database, clock: Clock, peers: LockedPeers, cap: int = 0) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.clock = clock
        self.database = database
        self.looked = False
        look = database.look_up

        async def noted(query: str, *values: QueryValue) -> tuple[Any, ...] | None:
            found = await look(query, *values)
            self.looked = True
            return found

        database.look_up = noted  # type: ignore[method-assign] # a test wants to know that it has looked
        self.spool = Spool(folder / _SPOOL, os.urandom)
        self._alive = peers.lock(self.spool.identity)
        self._is_closed = False
        reader = self.spool.open_reader()
        parts = WorkerContext(database, reader, self.spool.identity, clock, peers)
        self.keys = SharedIdempotencyKeys(parts)
        self.idempotency_registry = IdempotencyRegistry(reader, clock, self.keys)
        self.cap = SharedCap(cap, parts)
        arrivals = ArrivalNotifier(self.spool, None)  # type: ignore[arg-type] # nobody watches
        disk, directory = Disk(), DirectoryWatch(folder)
        self.acceptor = EventAcceptor(self.spool, self.cap, disk, 1 << 30, arrivals, directory, peers)  # type: ignore[arg-type] # as above

    async def count(self, events: int, plan: str = "free") -> int:
        """Send events in one request: 202, or the status of the refusal."""
        now_ms = self.clock.now_ms()
        sent = [Event("e", "", "", "", now_ms, b"{}")] * events
        try:
            while not await self.acceptor.accept(SCOPE, plan, sent, now_ms, None):
                pass
        except TallyroomError as error:
            return error.status
        return 202

    async def spend(self, *sizes: int) -> int:
        """Send requests with that many events, again and again, until each size is refused; the events accepted."""
        accepted, left = 0, list(sizes)
        while left:
            size = left.pop(0)
            status = await self.count(size)
            if status == 202:
                accepted += size
                left.append(size)
            else:
                assert status == 402
        return accepted

    async def send(self, key: str, body: str = "body", *, after: str = "", queue: KeyQueue | None = None) -> int:
        """Send an event with an idempotency key: 202, 200 if it was sent before, or the status of the refusal."""
        try:
            async with self.idempotency_registry.claim_key(SCOPE, key.encode(), body.encode(), queue) as (
                idempotent_request,
                before,
            ):
                if before is None:
                    assert idempotent_request is not None
                    if after:
                        await self.idempotency_registry.wait_for_predecessor(SCOPE, after.encode(), idempotent_request)
                    await self.keep(key, idempotent_request)
                return 202 if before is None else 200
        except TallyroomError as error:
            return error.status

    @property
    def rows(self) -> list[SpoolRow]:
        """What it has kept, in order."""
        return _rows(self.folder / _SPOOL)

    async def keep(self, name: str, idempotent_request: IdempotentRequest | None) -> None:
        """Keep an event, as of a request that has been looked at."""
        now_ms = self.clock.now_ms()
        await self.acceptor.accept(SCOPE, "paid", [Event(name, "", "", "", now_ms, b"{}")], now_ms, idempotent_request)

    async def close(self, *, silently: bool = False) -> None:
        """End in order, unless it has ended; or `silently`, so that others learn nothing, as when it is killed."""
        if self._is_closed:
            return
        self._is_closed = True
        await asyncio.to_thread(self.spool.close)
        if silently:
            self.keys.close = _nothing  # type: ignore[method-assign] # as if it did not come to that
        else:
            await self.cap.close()
        await self.idempotency_registry.close()
        await self.database.close()
        os.close(self._alive)


async def _nothing() -> None:
    """Do nothing."""


class SharingProcess:
    """A worker in a process of its own."""

    def __init__(self, folder: Path, dsn: str, cap: int, failing: str) -> None:
        words = [
            sys.executable,
            "-W",
            "error",
            "-m",
            "harness.stores.shared_metadata",
            str(folder),
            dsn,
            str(cap),
            failing,
        ]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(words, env=os.environ | WITH_HARNESS, stdin=pipe, stdout=pipe, text=True)

    def begin(self, command: str, *values: object) -> Callable[[], Any]:
        """Begin with a command; what is returned waits for the answer, which is None if the process has ended."""
        assert self._process.stdin
        try:
            self._process.stdin.write(json.dumps([command, *values]) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            return lambda: None
        return self._answer

    def do(self, command: str, *values: object) -> Any:
        return self.begin(command, *values)()

    def _answer(self) -> Any:
        assert self._process.stdout
        line = self._process.stdout.readline()
        return json.loads(line) if line else None

    def wait_for_end(self) -> int:
        """Wait for an end that it finds by itself."""
        return self._process.wait()

    def stop(self) -> None:
        """End in order, unless it has ended."""
        with self._process:
            pass  # leaving closes its input, at which it stops


@contextmanager
def sharing(
    folder: Path, dsn: str, number: int = WORKERS, failing: str = "", cap: int = 0
) -> Iterator[list[SharingProcess]]:
    """Processes that are ready; the first one fails as it is told to."""
    faults = [failing, *("" for _ in range(number - 1))]
    processes = [SharingProcess(folder / f"worker-{each}", dsn, cap, fault) for each, fault in enumerate(faults)]
    try:
        assert [process.do("hello") for process in processes] == ["hello"] * number
        yield processes
    finally:
        for process in processes:
            process.stop()


def all_at_once(processes: Sequence[SharingProcess], command: str, *values: object) -> list[Any]:
    """What all answer, who do it at the same time."""
    return [answer() for answer in [process.begin(command, *values) for process in processes]]


def spent(folder: Path) -> list[int]:
    """How many events each worker has counted, by what its spool has."""
    query = "SELECT coalesce(sum(events), 0) FROM usage"
    return [events for path in sorted(folder.glob(f"*/{_SPOOL}")) for (events,) in look(path, query)]


def kept(folder: Path) -> list[str]:
    """The names of the events in all spools below a folder, sorted."""
    return sorted(row.name for path in folder.glob(f"*/{_SPOOL}") for row in _rows(path))


def _rows(path: Path) -> list[SpoolRow]:
    bodies = [body for (body,) in look(path, "SELECT body FROM chunk ORDER BY id")]
    return [msgspec.json.decode(line, type=SpoolRow) for body in bodies for line in body.splitlines()]


async def _answer_all(folder: Path, dsn: str, cap: str, failing: str) -> None:
    database = open_metadata(folder / "unused", dsn)
    worker = SharingWorker(folder, database, SystemClock(), LockedPeers(folder.parent), int(cap))
    await worker.idempotency_registry.settle_keys()
    await worker.cap.report_counts()
    failpoints.configure(failing)
    reporting = asyncio.create_task(run_every(_REPORT_SECONDS, worker.cap.report_counts))
    while line := await asyncio.to_thread(sys.stdin.readline):
        command, *values = json.loads(line)
        print(json.dumps(await _do(worker, command, values)), flush=True)  # noqa: T201 # that is how it answers
    reporting.cancel()
    await worker.close()


async def _do(worker: SharingWorker, command: str, values: list[Any]) -> Any:
    match command:
        case "send":
            return await asyncio.gather(*(worker.send(key) for key in values))
        case "spend":
            return sum(await asyncio.gather(*(worker.spend(*values) for _ in range(_AT_ONCE))))
        case "granted":
            rows = await worker.database.look_up_all("SELECT sum(granted) FROM event_grants")
            return int(rows[0][0])
        case _:
            return command


if __name__ == "__main__":
    asyncio.run(_answer_all(Path(sys.argv[1]), *sys.argv[2:]))
