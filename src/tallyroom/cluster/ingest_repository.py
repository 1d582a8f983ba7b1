"""The ingest state that workers share, in the metadata database. All writes hold the one write lock."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import case, delete, func, select, text, tuple_

from tallyroom.ingest.acceptance.idempotency_keys import ScopedKey
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import EventGrant, IdempotencyKey


class WantedKey(NamedTuple):
    """A key that a worker wants to take for a request."""

    scoped_key: ScopedKey
    fingerprint: str
    requested_ms: int


class SettledKey(NamedTuple):
    """The result of a request: the number of its events, or None if nothing was stored."""

    scoped_key: ScopedKey
    accepted_count: int | None
    received_ms: int


class Grant(NamedTuple):
    """How many events of a month a worker may count, and how many it has counted."""

    workspace_id: str
    month: int
    spool: int
    granted: int
    used: int


_INSERT_KEY = text(
    "INSERT INTO idempotency_keys (workspace_id, environment, key, fingerprint, spool, at_ms)"
    " VALUES (:workspace_id, :environment, :key, :fingerprint, :spool, :at_ms)"
    " ON CONFLICT (workspace_id, environment, key) DO UPDATE SET fingerprint = excluded.fingerprint,"
    " spool = excluded.spool, at_ms = excluded.at_ms, accepted = NULL, received_ms = NULL"
)
_RECORD_KEY = text(
    "UPDATE idempotency_keys SET accepted = :accepted, received_ms = :received_ms"
    " WHERE workspace_id = :workspace_id AND environment = :environment AND key = :key AND spool = :spool"
)
_RELEASE_KEY = text(
    "DELETE FROM idempotency_keys WHERE workspace_id = :workspace_id AND environment = :environment"
    " AND key = :key AND spool = :spool AND accepted IS NULL"
)
_WRITE_GRANT = text(
    "INSERT INTO event_grants (workspace_id, month, spool, granted, used)"
    " VALUES (:workspace_id, :month, :spool, :granted, :used) ON CONFLICT (workspace_id, month, spool)"
    " DO UPDATE SET granted = excluded.granted, used = excluded.used"
)
_MAX_WORKSPACES_PER_QUERY = 500
_SCOPED_KEY_COLUMNS = IdempotencyKey.workspace_id, IdempotencyKey.environment, IdempotencyKey.key


async def take_keys(
    db: Session, spool_id: int, keys: Sequence[WantedKey], forget_until_ms: int
) -> dict[ScopedKey, IdempotencyKey]:
    """Take the free keys for a worker and return the rows of the others.

    A key is also free if it is as old as `forget_until_ms`, or left open by an earlier request of the same worker.
    """
    if not keys:
        return {}
    is_requested = tuple_(*_SCOPED_KEY_COLUMNS).in_([key.scoped_key for key in keys])
    rows = await db.scalars(select(IdempotencyKey).where(is_requested))
    conflict_by_key = {
        ScopedKey(row.workspace_id, row.environment, row.key): row
        for row in rows
        if row.at_ms > forget_until_ms and (row.spool != spool_id or row.accepted is not None)
    }
    values = [
        {**key.scoped_key._asdict(), "fingerprint": key.fingerprint, "spool": spool_id, "at_ms": key.requested_ms}
        for key in keys
        if key.scoped_key not in conflict_by_key
    ]
    if values:
        await db.execute(_INSERT_KEY, values)
    return conflict_by_key


async def list_open_keys(db: Session, spool_id: int) -> list[ScopedKey]:
    """List a worker's keys whose requests have no recorded result."""
    query = select(*_SCOPED_KEY_COLUMNS).where(IdempotencyKey.spool == spool_id, IdempotencyKey.accepted.is_(None))
    return [ScopedKey(*row) for row in await db.execute(query)]


async def settle_keys(db: Session, spool_id: int, keys: Iterable[SettledKey]) -> None:
    """Record the results of a worker's requests. Keys of requests that stored nothing become free again."""
    recorded_keys, released_keys = [], []
    for key in keys:
        parameters = {**key.scoped_key._asdict(), "spool": spool_id}
        if key.accepted_count is None:
            released_keys.append(parameters)
        else:
            recorded_keys.append(parameters | {"accepted": key.accepted_count, "received_ms": key.received_ms})
    if recorded_keys:
        await db.execute(_RECORD_KEY, recorded_keys)
    if released_keys:
        await db.execute(_RELEASE_KEY, released_keys)


async def forget_keys(db: Session, forget_until_ms: int) -> None:
    """Delete all workers' keys that are as old as `forget_until_ms`."""
    await db.execute(delete(IdempotencyKey).where(IdempotencyKey.at_ms <= forget_until_ms))


async def list_grants(db: Session, workspace_id: str, month: int) -> list[Grant]:
    """List the grants of all workers."""
    conditions = EventGrant.workspace_id == workspace_id, EventGrant.month == month
    columns = EventGrant.workspace_id, EventGrant.month, EventGrant.spool, EventGrant.granted, EventGrant.used
    return [Grant(*row) for row in await db.execute(select(*columns).where(*conditions))]


async def sum_grants(db: Session, keys: Iterable[tuple[str, int]]) -> dict[tuple[str, int], int]:
    """Return what all workers together may count, or have counted if that is more, by (workspace, month)."""
    workspace_ids_by_month: defaultdict[int, list[str]] = defaultdict(list)
    for workspace_id, month in keys:
        workspace_ids_by_month[month].append(workspace_id)
    granted_events = case((EventGrant.granted > EventGrant.used, EventGrant.granted), else_=EventGrant.used)
    query = select(EventGrant.workspace_id, func.sum(granted_events)).group_by(EventGrant.workspace_id)
    total_by_key = {}
    for month, workspace_ids in workspace_ids_by_month.items():
        for start in range(0, len(workspace_ids), _MAX_WORKSPACES_PER_QUERY):
            condition = EventGrant.workspace_id.in_(workspace_ids[start : start + _MAX_WORKSPACES_PER_QUERY])
            for workspace_id, total in await db.execute(query.where(EventGrant.month == month, condition)):
                total_by_key[workspace_id, month] = int(total)
    return total_by_key


async def write_grants(db: Session, grants: Iterable[Grant]) -> None:
    """Insert or replace grants."""
    await db.execute(_WRITE_GRANT, [grant._asdict() for grant in grants])
