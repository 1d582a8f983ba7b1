"""The workers of one installation, by their rows in the database: who is alive, and what each has seen.

A worker's lease runs by the database's clock, and its trust in what it remembers by its own, from the moment at which
it asked for the lease. The trust is shorter, so whoever waits for a lease to end knows that its worker trusts nothing
any more, even if that worker hangs or is cut off (rules/people#revoked-everywhere).
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
from tallyroom.core.peers import SpoolPosition, SpoolState, Worker

MESSAGE_CHANNEL = "messages"
"""Where the database passes on what workers tell each other."""

LEASE_SECONDS = 10.0
TRUST_SECONDS = 8.0
"""How long a worker that cannot renew its lease trusts what it remembers: shorter, by more than any clock may err."""

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
    """Another worker, whose lease has not ended, serves from this spool, or from a copy of it."""


async def end_lease(dsn: str, spool_id: int, worker_id: str) -> None:
    """End the lease of a worker that has ended, so that nobody waits for it.

    Its row stays, which shows that it has not left by itself: its spool may have more than it has reported.

    Args:
        dsn: the database.
        spool_id: the identity of its spool.
        worker_id: its id.

    Raises:
        Unavailable: the database does not answer.
    """
    with translate_errors():
        connection = await connect(dsn)
        try:
            await connection.execute(_END_LEASE, spool_id, worker_id, timeout=ANSWER_SECONDS)
        finally:
            connection.terminate()


class WorkerRegistry:
    """This process among the workers; implements `Peers`.

    Args:
        worker: this process.
        change_numbers: what it knows of changes, which it trusts for as long as its lease is renewed.
        look_up_pool: answers questions about the others.
        monotonic: the clock of `change_numbers`, in seconds.

    Attributes:
        is_fenced: whether another process has taken this worker's place.
    """

    def __init__(
        self, worker: Worker, change_numbers: ChangeNumbers, look_up_pool: LookUpPool, monotonic: Callable[[], float]
    ) -> None:
        self._joined_event = asyncio.Event()
        self.is_fenced = False
        self._worker = worker
        self._change_numbers = change_numbers
        self._look_up_pool = look_up_pool
        self._monotonic = monotonic
        self._spool_positions = SpoolPositions(worker.spool_id, look_up_pool, monotonic)
        self._worker_count = 1
        self._is_unfinished = False
        self._clock_zero_ms: float | None = None  # the database's time at the zero of the monotonic clock
        self._hosts_with_other_settings: frozenset[str] = frozenset()
        self._kept_spool_ids: frozenset[int] = frozenset()
        self._on_message: Callable[[str], None] = lambda _: None
        change_numbers.trust(until=0)

    def worker_id(self) -> str:
        """Return the id of this worker."""
        return self._worker.id

    def worker_count(self) -> int:
        """Return how many workers there were when the lease was renewed last, this one included."""
        return self._worker_count

    def spool_id(self) -> int:
        """Return the identity of this worker's spool."""
        return self._worker.spool_id

    def find_objection(self) -> str:
        """Return why this worker must neither take events nor deliver them; "" if it may."""
        if self.is_fenced:
            return "Another process has taken the place of this worker."
        if not self.has_joined:
            return "This worker has not joined the others yet."
        return "" if self._change_numbers.is_trusted else "The lease of this worker could not be renewed."

    def hosts_with_other_settings(self) -> frozenset[str]:
        """Return the hosts of workers that started before this one, with other settings than its own."""
        return self._hosts_with_other_settings

    def now_ms(self) -> int | None:
        """Return the database's time, as of the last renewal and by how much has passed since; never ahead of it."""
        return None if self._clock_zero_ms is None else round(self._clock_zero_ms + self._monotonic() * 1000)

    async def is_alive(self, spool_id: int) -> bool:
        """Return whether a worker other than this one runs on the spool with this identity.

        Raises:
            Unavailable: the database does not answer.
        """
        return bool(await self._look_up_pool.fetch_rows(_FIND_OTHER_WORKER, (spool_id, self._worker.id)))

    def owns_spool(self, spool_id: int) -> bool:
        """Return whether this worker answers for the events of a spool, as far as it knew when it renewed its lease."""
        return spool_id == self._worker.spool_id or spool_id in self._kept_spool_ids

    async def find_owned_spools(self) -> frozenset[int]:
        """Return the spools whose events in the store this worker answers for.

        Raises:
            Unavailable: the database does not answer.
        """
        rows = await self._look_up_pool.fetch_rows(_LIST_KEPT_SPOOLS, (self._worker.spool_id,))
        return frozenset({self._worker.spool_id, *(spool_id for (spool_id,) in rows)})

    def publish_position(self, read_position: Callable[[], SpoolPosition]) -> None:
        """Tell the others with each renewal of the lease how far this worker's spool is."""
        self._spool_positions.read_position = read_position

    def mark_unfinished(self) -> None:
        """Let the row of this worker stay when it leaves, as if it had been killed."""
        self._is_unfinished = True

    async def wait_until_stored(self, timeout_seconds: float) -> Mapping[int, int]:
        """Wait for what other workers have acknowledged, as `SpoolPositions.wait_until_stored` does.

        Raises:
            Unavailable: as there.
        """
        return await self._spool_positions.wait_until_stored(timeout_seconds)

    async def find_spools(self) -> Mapping[int, SpoolState]:
        """Return all spools, as `SpoolPositions.list_spool_states` does.

        Raises:
            Unavailable: as there.
        """
        return await self._spool_positions.list_spool_states()

    async def broadcast(self, message: str) -> None:
        """Send a message to all who listen at the database now.

        Raises:
            Unavailable: the database does not answer.
        """
        await self._look_up_pool.fetch_rows(_NOTIFY, (message,))

    def subscribe(self, listener: Callable[[str], None]) -> None:
        """Have each message handed over."""
        self._on_message = listener

    def receive_message(self, _connection: Any, _process: int, _channel: str, message: object) -> None:
        """Hand over a message from the database."""
        self._on_message(str(message))

    async def renew_lease(self, connection: Any, number_by_kind: Mapping[str, int]) -> None:
        """Say which changes this process has seen, and renew the lease; the first time, join.

        Args:
            connection: an open connection to the database.
            number_by_kind: the number of the last change of each kind that it knows.

        Raises:
            SpoolTaken: another worker has the spool.
        """
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
            raise SpoolTaken(f"Another worker serves from the spool {worker.spool_id}.")
        self._change_numbers.trust(until=asked_at + TRUST_SECONDS)
        self._clock_zero_ms = rows[0]["now_ms"] - self._monotonic() * 1000
        await self._spool_positions.report_position(connection)
        self._note_alive_workers(await connection.fetch(_LIST_ALIVE_WORKERS, timeout=ANSWER_SECONDS))
        rows = await connection.fetch(number_placeholders(_LIST_KEPT_SPOOLS), worker.spool_id, timeout=ANSWER_SECONDS)
        self._kept_spool_ids = frozenset(spool_id for (spool_id,) in rows)
        self._joined_event.set()

    @property
    def has_joined(self) -> bool:
        """Whether this process has had its row."""
        return self._joined_event.is_set()

    async def wait_joined(self) -> None:
        """Wait until this process has its row, but not for much longer than a lease."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LEASE_SECONDS + ANSWER_SECONDS):
                await self._joined_event.wait()

    async def leave(self, connection: Any) -> None:
        """Say for the last time how far the spool is, and end the lease at once, so that nobody waits for it."""
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
