"""The idempotency keys that workers share, in the metadata database. All writes hold the one write lock."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import CursorResult, select, text, tuple_

from tallyroom.ingest.acceptance.idempotency_keys import ScopedKey
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import IdempotencyKey, IdempotencyQueue
from tallyroom.storage.spool.commit_group import KeyQueue
from tallyroom.storage.spool.replays import MAX_QUEUE_KEYS, MAX_QUEUES, get_keep_ms


class WantedKey(NamedTuple):
    """A key that a worker wants to take for a request."""

    scoped_key: ScopedKey
    queue: KeyQueue | None
    fingerprint: str
    requested_ms: int


class SettledKey(NamedTuple):
    """The result of a request: the number of its events, or None if nothing was stored."""

    scoped_key: ScopedKey
    queue: KeyQueue | None
    accepted_count: int | None
    received_ms: int


_FORGOTTEN_AT_ONCE = 200

_INSERT_KEY = text(
    "INSERT INTO idempotency_keys"
    " (workspace_id, environment, key, fingerprint, spool, at_ms, api_key_id, queue)"
    " VALUES (:workspace_id, :environment, :key, :fingerprint, :spool, :at_ms, :api_key_id, :queue)"
    " ON CONFLICT (workspace_id, environment, key) DO UPDATE SET fingerprint = excluded.fingerprint,"
    " spool = excluded.spool, at_ms = excluded.at_ms, api_key_id = excluded.api_key_id, queue = excluded.queue,"
    " accepted = NULL, received_ms = NULL, queue_position = NULL"
)
_RECORD_KEY = text(
    "UPDATE idempotency_keys SET accepted = :accepted, received_ms = :received_ms, queue_position = :queue_position"
    " WHERE workspace_id = :workspace_id AND environment = :environment AND key = :key AND spool = :spool"
)
_RELEASE_KEY = text(
    "DELETE FROM idempotency_keys WHERE workspace_id = :workspace_id AND environment = :environment"
    " AND key = :key AND spool = :spool AND accepted IS NULL"
)
_ADVANCE_QUEUE = text(
    "INSERT INTO idempotency_queues (api_key_id, name, last_position, used_ms)"
    " VALUES (:api_key, :name, :key_count, :used_ms) ON CONFLICT (api_key_id, name) DO UPDATE SET"
    " last_position = idempotency_queues.last_position + excluded.last_position, used_ms = excluded.used_ms"
)
_FORGET_QUEUE_KEYS = text(
    "DELETE FROM idempotency_keys WHERE api_key_id = :api_key AND queue = :name AND queue_position <= :until_position"
)
_FORGET_QUEUE = text("DELETE FROM idempotency_queues WHERE api_key_id = :api_key AND name = :name")
_FORGET_SINGLE_KEYS = text(
    "DELETE FROM idempotency_keys WHERE (workspace_id, environment, key) IN (SELECT workspace_id, environment, key"
    " FROM idempotency_keys WHERE queue_position IS NULL AND at_ms <= :until_ms LIMIT :limit)"
)
_ALL_POSITIONS = 2**63 - 1

_SCOPED_KEY_COLUMNS = IdempotencyKey.workspace_id, IdempotencyKey.environment, IdempotencyKey.key
_QUEUE_COLUMNS = IdempotencyQueue.api_key_id, IdempotencyQueue.name


async def take_keys(
    db: Session, spool_id: int, keys: Sequence[WantedKey], now_ms: int
) -> dict[ScopedKey, IdempotencyKey]:
    """Take the free keys for a worker and return the rows of the others.

    A key is also free if it has expired, or was left open by an earlier request of the same worker.
    """
    if not keys:
        return {}
    is_requested = tuple_(*_SCOPED_KEY_COLUMNS).in_([key.scoped_key for key in keys])
    rows = await db.scalars(select(IdempotencyKey).where(is_requested))
    conflict_by_key = {
        ScopedKey(row.workspace_id, row.environment, row.key): row
        for row in rows
        if row.at_ms > now_ms - get_keep_ms(is_queued=row.queue_position is not None)
        and (row.spool != spool_id or row.accepted is not None)
    }
    values = [
        {
            **key.scoped_key._asdict(),
            "fingerprint": key.fingerprint,
            "spool": spool_id,
            "at_ms": key.requested_ms,
            "api_key_id": None if key.queue is None else key.queue.api_key,
            "queue": None if key.queue is None else key.queue.name,
        }
        for key in keys
        if key.scoped_key not in conflict_by_key
    ]
    if values:
        await db.execute(_INSERT_KEY, values)
    return conflict_by_key


async def list_open_keys(db: Session, spool_id: int) -> list[tuple[ScopedKey, KeyQueue | None]]:
    """List a worker's keys whose requests have no recorded result."""
    columns = *_SCOPED_KEY_COLUMNS, IdempotencyKey.api_key_id, IdempotencyKey.queue
    query = select(*columns).where(IdempotencyKey.spool == spool_id, IdempotencyKey.accepted.is_(None))
    return [
        (ScopedKey(*scoped_key), None if api_key_id is None or queue is None else KeyQueue(api_key_id, queue))
        for *scoped_key, api_key_id, queue in await db.execute(query)
    ]


async def settle_keys(db: Session, spool_id: int, keys: Sequence[SettledKey]) -> None:
    """Record the results of a worker's requests. Keys of requests that stored nothing become free again."""
    accepted_keys = [key for key in keys if key.accepted_count is not None]
    position_by_queue = await _advance_queues(
        db, Counter(key.queue for key in accepted_keys if key.queue), accepted_keys
    )
    released_keys = [{**key.scoped_key._asdict(), "spool": spool_id} for key in keys if key.accepted_count is None]
    if accepted_keys:
        await db.execute(
            _RECORD_KEY,
            [
                {
                    **key.scoped_key._asdict(),
                    "spool": spool_id,
                    "accepted": key.accepted_count,
                    "received_ms": key.received_ms,
                    "queue_position": position_by_queue[key.queue] if key.queue else None,
                }
                for key in accepted_keys
            ],
        )
    if released_keys:
        await db.execute(_RELEASE_KEY, released_keys)


async def forget_keys(db: Session, now_ms: int) -> bool:
    """Delete some of the expired keys of all workers, and return whether there may be more."""
    until_ms = now_ms - get_keep_ms(is_queued=False)
    result = await db.execute(_FORGET_SINGLE_KEYS, {"until_ms": until_ms, "limit": _FORGOTTEN_AT_ONCE})
    is_unused = IdempotencyQueue.used_ms <= now_ms - get_keep_ms(is_queued=True)
    query = select(*_QUEUE_COLUMNS).where(is_unused).limit(_FORGOTTEN_AT_ONCE // MAX_QUEUE_KEYS)
    unused_queues = [KeyQueue(*row) for row in await db.execute(query)]
    await _forget_queues(db, unused_queues)
    return bool(unused_queues) or (isinstance(result, CursorResult) and result.rowcount > 0)


async def _advance_queues(
    db: Session, key_count_by_queue: Mapping[KeyQueue, int], keys: Iterable[SettledKey]
) -> dict[KeyQueue, int]:
    """Make room for new keys in their queues, and return the position for them; keys of one transaction share it."""
    if not key_count_by_queue:
        return {}
    used_ms_by_queue = {key.queue: key.received_ms for key in keys}
    await db.execute(
        _ADVANCE_QUEUE,
        [
            {**queue._asdict(), "key_count": key_count, "used_ms": used_ms_by_queue[queue]}
            for queue, key_count in key_count_by_queue.items()
        ],
    )
    query = select(*_QUEUE_COLUMNS, IdempotencyQueue.last_position)
    rows = await db.execute(query.where(tuple_(*_QUEUE_COLUMNS).in_(list(key_count_by_queue))))
    position_by_queue = {KeyQueue(api_key, name): position for api_key, name, position in rows}
    await _forget_queue_keys(
        db,
        {
            queue: position - MAX_QUEUE_KEYS
            for queue, position in position_by_queue.items()
            if position > MAX_QUEUE_KEYS
        },
    )
    grown_api_keys = {
        queue.api_key for queue, position in position_by_queue.items() if position == key_count_by_queue[queue]
    }
    for api_key in grown_api_keys:
        await _forget_excess_queues(
            db, api_key, [queue.name for queue in position_by_queue if queue.api_key == api_key]
        )
    return position_by_queue


async def _forget_excess_queues(db: Session, api_key: str, used_names: Collection[str]) -> None:
    """Forget the queues of an API key that have been unused for longest, beyond the maximum, but none in use now."""
    is_unused = (IdempotencyQueue.api_key_id == api_key) & IdempotencyQueue.name.not_in(used_names)
    newest_first = select(IdempotencyQueue.name).where(is_unused).order_by(IdempotencyQueue.used_ms.desc())
    excess_names = await db.scalars(newest_first.offset(max(MAX_QUEUES - len(used_names), 0)))
    await _forget_queues(db, [KeyQueue(api_key, name) for name in excess_names])


async def _forget_queues(db: Session, queues: Collection[KeyQueue]) -> None:
    await _forget_queue_keys(db, dict.fromkeys(queues, _ALL_POSITIONS))
    if queues:
        await db.execute(_FORGET_QUEUE, [queue._asdict() for queue in queues])


async def _forget_queue_keys(db: Session, until_position_by_queue: Mapping[KeyQueue, int]) -> None:
    if until_position_by_queue:
        await db.execute(
            _FORGET_QUEUE_KEYS,
            [
                {**queue._asdict(), "until_position": until_position}
                for queue, until_position in until_position_by_queue.items()
            ],
        )
