"""The workers of one installation, by their rows in the database: which are alive, and what each has seen.

A worker's lease runs by the database's clock. Its trust in what it has cached runs by its own clock, from when it
requested the lease. The trust is shorter, so anyone who waits for a lease to end can rely on its worker trusting
nothing by then, even if that worker hangs or is cut off (rules/people#revoked-everywhere).
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from tallyroom.cluster.postgresql.change_numbers import AWAITED_KINDS, ChangeNumbers
from tallyroom.cluster.postgresql.look_ups import LookUpPool, number_placeholders
from tallyroom.cluster.postgresql.server import ANSWER_SECONDS, connect, translate_errors
from tallyroom.cluster.postgresql.spool_positions import SpoolPositions
from tallyroom.core.errors import TallyroomError
from tallyroom.core.peers import Includes, SpoolPosition, SpoolState, Worker, include_all

MESSAGE_CHANNEL = "messages"  # through which workers send messages to each other

LEASE_SECONDS = 10.0
# How long a worker that cannot renew its lease trusts its caches: less than the lease by more than any clock drift.
TRUST_SECONDS = 8.0

# Neither works once a later start has begun on the spool, or on a copy of it.
_JOIN = """
INSERT INTO workers (spool, id, host, settings, seen_access, seen_removals, lease_until)
SELECT $1, $3, $4, $5, $6, $7, clock_timestamp() + make_interval(secs => $8)
WHERE NOT EXISTS (SELECT FROM spools WHERE identity = $1 AND greatest(epoch, begun) > $2)
ON CONFLICT (spool) DO UPDATE SET id = excluded.id, host = excluded.host, settings = excluded.settings,
    seen_access = excluded.seen_access, seen_removals = excluded.seen_removals, lease_until = excluded.lease_until
WHERE workers.id = excluded.id OR workers.lease_until <= clock_timestamp()
RETURNING (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms"""
_RENEW_LEASE = """
UPDATE workers SET seen_access = $4, seen_removals = $5, lease_until = clock_timestamp() + make_interval(secs => $6)
WHERE spool = $1 AND id = $3
    AND NOT EXISTS (SELECT FROM spools WHERE identity = $1 AND greatest(epoch, begun) > $2)
RETURNING (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms"""
_LIST_ALIVE_WORKERS = """
SELECT workers.host, settings, coalesce(epoch, 0) AS epoch FROM workers LEFT JOIN spools ON identity = spool
WHERE lease_until > clock_timestamp()"""
_LIST_KEPT_SPOOLS = "SELECT identity FROM spools WHERE kept_by = ?"
_NOTIFY = "SELECT pg_notify('messages', ?)"
_DELETE_WORKER = "DELETE FROM workers WHERE spool = $1 AND id = $2"
_END_LEASE = "UPDATE workers SET lease_until = clock_timestamp() WHERE spool = $1 AND id = $2"
_FIND_OTHER_WORKER = "SELECT 1 FROM workers WHERE spool = ? AND id <> ? AND lease_until > clock_timestamp()"


class SpoolTaken(TallyroomError):
    """Another worker, whose lease has not ended, serves from this spool or a copy of it."""


async def end_lease(dsn: str, spool_id: int, worker_id: str) -> None:
    """End the lease of a killed worker; its row stays to show that its spool may have more than it reported."""
    with translate_errors():
        connection = await connect(dsn)
        try:
            await connection.execute(_END_LEASE, spool_id, worker_id, timeout=ANSWER_SECONDS)
        finally:
            connection.terminate()


class WorkerRegistry:
    """This process among the workers; implements `Peers`. It trusts `change_numbers` while its lease is renewed."""

    def __init__(
        self, worker: Worker, change_numbers: ChangeNumbers, look_up_pool: LookUpPool, monotonic: Callable[[], float]
    ) -> None:
        self._joined_event = asyncio.Event()
        self.is_fenced = False  # whether another process has replaced this worker
        self._worker = worker
        self._change_numbers = change_numbers
        self._look_up_pool = look_up_pool
        self._monotonic = monotonic
        self._spool_positions = SpoolPositions(worker.spool_id, look_up_pool, monotonic)
        self._worker_count = 1
        self._is_unfinished = False
        self._clock_zero_ms: float | None = None  # the database's time when the monotonic clock was zero
        self._hosts_with_other_settings: frozenset[str] = frozenset()
        self._kept_spool_ids: frozenset[int] = frozenset()
        self._on_message: Callable[[str], None] = lambda _: None
        change_numbers.trust(until=0)

    def worker_id(self) -> str:
        """Return this worker's id."""
        return self._worker.id

    def worker_count(self) -> int:
        """Return how many workers there were at the last renewal of the lease, including this one."""
        return self._worker_count

    def spool_id(self) -> int:
        """Return the identity of this worker's spool."""
        return self._worker.spool_id

    def find_objection(self) -> str:
        """Return why this worker must neither accept nor deliver events; "" if it may."""
        if self.is_fenced:
            return "Another process has replaced this worker."
        if not self.has_joined:
            return "This worker has not joined the others yet."
        return "" if self._change_numbers.is_trusted else "This worker's lease could not be renewed."

    def hosts_with_other_settings(self) -> frozenset[str]:
        """Return the hosts of workers that started before this one and have different settings."""
        return self._hosts_with_other_settings

    def now_ms(self) -> int | None:
        """Return the database's time, extrapolated from the last renewal; never ahead of it."""
        return None if self._clock_zero_ms is None else round(self._clock_zero_ms + self._monotonic() * 1000)

    async def is_alive(self, spool_id: int) -> bool:
        """Return whether another worker runs on the spool with this identity."""
        return bool(await self._look_up_pool.fetch_rows(_FIND_OTHER_WORKER, (spool_id, self._worker.id)))

    def owns_spool(self, spool_id: int) -> bool:
        """Return whether this worker is responsible for a spool's events, as of the last renewal of its lease."""
        return spool_id == self._worker.spool_id or spool_id in self._kept_spool_ids

    async def find_owned_spools(self) -> frozenset[int]:
        """Return the spools whose stored events this worker is responsible for."""
        rows = await self._look_up_pool.fetch_rows(_LIST_KEPT_SPOOLS, (self._worker.spool_id,))
        return frozenset({self._worker.spool_id, *(spool_id for (spool_id,) in rows)})

    def publish_position(self, read_position: Callable[[], SpoolPosition]) -> None:
        """Report with each renewal of the lease how far this worker's spool is."""
        self._spool_positions.read_position = read_position

    def mark_unfinished(self) -> None:
        """Keep this worker's row when it leaves, as if it had been killed."""
        self._is_unfinished = True

    async def wait_until_stored(self, timeout_seconds: float, includes: Includes = include_all) -> Mapping[int, int]:
        """Wait as `SpoolPositions.wait_until_stored` does."""
        return await self._spool_positions.wait_until_stored(timeout_seconds, includes)

    async def find_spools(self) -> Mapping[int, SpoolState]:
        """Return all spools, as `SpoolPositions.list_spool_states` does."""
        return await self._spool_positions.list_spool_states()

    async def broadcast(self, message: str) -> None:
        """Send a message to everyone who listens at the database now."""
        await self._look_up_pool.fetch_rows(_NOTIFY, (message,))

    def subscribe(self, listener: Callable[[str], None]) -> None:
        """Call the listener with each message."""
        self._on_message = listener

    def receive_message(self, _connection: Any, _process: int, _channel: str, message: object) -> None:
        """Pass a message from the database on to the listener."""
        self._on_message(str(message))

    async def renew_lease(self, connection: Any, number_by_kind: Mapping[str, int]) -> None:
        """Report the last seen change of each kind, and renew the lease, or join; raises `SpoolTaken`."""
        asked_at, worker = self._monotonic(), self._worker
        seen_and_lease = (*(number_by_kind[kind] for kind in AWAITED_KINDS), LEASE_SECONDS)
        identity = (worker.spool_id, worker.epoch, worker.id)
        if self.has_joined:
            rows = await connection.fetch(_RENEW_LEASE, *identity, *seen_and_lease, timeout=ANSWER_SECONDS)
        else:
            parameters = (*identity, worker.host, worker.settings_fingerprint, *seen_and_lease)
            rows = await connection.fetch(_JOIN, *parameters, timeout=ANSWER_SECONDS)
        if not rows:
            self._change_numbers.trust(until=0)
            self.is_fenced = self.has_joined
            raise SpoolTaken(f"Another worker is using the spool {worker.spool_id}.")
        self._change_numbers.trust(until=asked_at + TRUST_SECONDS)
        self._clock_zero_ms = rows[0]["now_ms"] - self._monotonic() * 1000
        await self._spool_positions.report_position(connection)
        self._note_alive_workers(await connection.fetch(_LIST_ALIVE_WORKERS, timeout=ANSWER_SECONDS))
        rows = await connection.fetch(number_placeholders(_LIST_KEPT_SPOOLS), worker.spool_id, timeout=ANSWER_SECONDS)
        self._kept_spool_ids = frozenset(spool_id for (spool_id,) in rows)
        self._joined_event.set()

    @property
    def has_joined(self) -> bool:
        """Whether this process's row has been written."""
        return self._joined_event.is_set()

    async def wait_joined(self) -> None:
        """Wait until this process's row is written, but not much longer than a lease."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LEASE_SECONDS + ANSWER_SECONDS):
                await self._joined_event.wait()

    async def leave(self, connection: Any) -> None:
        """Report the spool's position for the last time, and end the lease immediately, so that no one waits for it."""
        self._change_numbers.trust(until=0)
        if not self.is_fenced:
            await self._spool_positions.report_position(connection)
        statement = _END_LEASE if self._is_unfinished else _DELETE_WORKER
        await connection.execute(statement, self._worker.spool_id, self._worker.id, timeout=ANSWER_SECONDS)

    def _note_alive_workers(self, rows: Sequence[Any]) -> None:
        self._worker_count = max(1, len(rows))
        fingerprint, epoch = self._worker.settings_fingerprint, self._worker.epoch
        self._hosts_with_other_settings = frozenset(
            row["host"] for row in rows if row["settings"] != fingerprint and row["epoch"] < epoch
        )
