"""A worker that does one job, until it is killed, and notes each time when it begins and when it ends.

Its arguments: the database, the number of its spool, by how many hours the clock of its host is wrong, how long a lease
is, and how often the job is due, both in milliseconds.
"""

import asyncio
import sys
from functools import partial

import asyncpg

from tallyroom.cluster.postgresql.database import PostgresqlDatabase
from tallyroom.core.clock import SystemClock
from tallyroom.core.ids import IdGenerator
from tallyroom.core.peers import Worker
from tallyroom.core.shared_clock import SharedClock
from tallyroom.core.times import HOUR_MS
from tallyroom.server.scheduler.handler import JobHandler
from tallyroom.server.scheduler.job import Cadence, Job
from tallyroom.storage.queue import worker as queue_worker
from tallyroom.storage.queue.worker import QueueWorker


class WrongClock(SystemClock):
    def __init__(self, hours: int) -> None:
        self._hours = hours

    def now_ms(self) -> int:
        return super().now_ms() + self._hours * HOUR_MS


async def _note(connection: asyncpg.Connection, worker: str, due: int) -> None:
    await connection.execute("INSERT INTO noted (due, worker) VALUES ($1, $2)", due, worker)
    await asyncio.sleep(0.02)
    await connection.execute("UPDATE noted SET ended = true WHERE due = $1 AND worker = $2", due, worker)


async def _run(dsn: str, spool: int, hours: int, every_ms: int) -> None:
    worker = f"worker-{spool}"
    database = PostgresqlDatabase(dsn, Worker(worker, spool, "host", "settings", 1))
    await database.join_workers()
    clock = SharedClock(WrongClock(hours), database.peers)
    print(worker, flush=True)  # noqa: T201 # that is how it tells
    jobs = JobHandler(database, clock)
    jobs.set_jobs([Job("job", Cadence(every_ms), partial(_note, await asyncpg.connect(dsn), worker))])
    await jobs.refresh()
    await QueueWorker(database, clock, IdGenerator(clock), worker).run([jobs])


if __name__ == "__main__":
    vars(queue_worker).update(LEASE_MS=int(sys.argv[4]), _POLL_SECONDS=0.02)
    asyncio.run(_run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[5])))
