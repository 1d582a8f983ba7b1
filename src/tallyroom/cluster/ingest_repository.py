"""What workers share of ingest, in the metadata database. All writing is under the one write lock."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import case, delete, func, select, text, tuple_

from tallyroom.ingest.acceptance.idempotency_keys import KeyName
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import EventGrant, IdempotencyKey


class WantedKey(NamedTuple):
    """A key that a worker wants to take for a request."""

    name: KeyName
    fingerprint: str
    at_ms: int


class SettledKey(NamedTuple):
    """What became of a request: the number of its events, None if nothing was kept."""

    name: KeyName
    accepted: int | None
    received_ms: int


class Grant(NamedTuple):
    """How many events of a month a worker may count, and has counted."""

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
_MAX_WORKSPACES = 500  # in one query
_NAME_COLUMNS = IdempotencyKey.workspace_id, IdempotencyKey.environment, IdempotencyKey.key


async def take_keys(
    db: Session, spool: int, keys: Sequence[WantedKey], forgotten_ms: int
) -> dict[KeyName, IdempotencyKey]:
    """Take the keys for a worker, and return those that are not free, as they are.

    A key is free if nobody has it, if it is as old as `forgotten_ms`, or if an earlier request of the same worker has
    left it open.
    """
    if not keys:
        return {}
    rows = await db.scalars(select(IdempotencyKey).where(tuple_(*_NAME_COLUMNS).in_([key.name for key in keys])))
    conflicts = {
        KeyName(row.workspace_id, row.environment, row.key): row
        for row in rows
        if row.at_ms > forgotten_ms and (row.spool != spool or row.accepted is not None)
    }
    free_keys = [key for key in keys if key.name not in conflicts]
    if free_keys:
        values = [{**key.name._asdict(), "fingerprint": key.fingerprint, "at_ms": key.at_ms} for key in free_keys]
        await db.execute(_INSERT_KEY, [parameters | {"spool": spool} for parameters in values])
    return conflicts


async def list_open_keys(db: Session, spool: int) -> list[KeyName]:
    """List the keys of a worker of whose requests nobody has recorded what became of them."""
    query = select(*_NAME_COLUMNS).where(IdempotencyKey.spool == spool, IdempotencyKey.accepted.is_(None))
    return [KeyName(*row) for row in await db.execute(query)]


async def settle_keys(db: Session, spool: int, keys: Iterable[SettledKey]) -> None:
    """Record what became of requests of a worker; the keys of those of which nothing was kept are free again."""
    records, releases = [], []
    for key in keys:
        parameters = {**key.name._asdict(), "spool": spool}
        if key.accepted is None:
            releases.append(parameters)
        else:
            records.append(parameters | {"accepted": key.accepted, "received_ms": key.received_ms})
    if records:
        await db.execute(_RECORD_KEY, records)
    if releases:
        await db.execute(_RELEASE_KEY, releases)


async def forget_keys(db: Session, forgotten_ms: int) -> None:
    """Delete keys as old as `forgotten_ms`, whoever has them."""
    await db.execute(delete(IdempotencyKey).where(IdempotencyKey.at_ms <= forgotten_ms))


async def list_grants(db: Session, workspace_id: str, month: int) -> list[Grant]:
    """List the grants of all workers."""
    conditions = EventGrant.workspace_id == workspace_id, EventGrant.month == month
    columns = EventGrant.workspace_id, EventGrant.month, EventGrant.spool, EventGrant.granted, EventGrant.used
    return [Grant(*row) for row in await db.execute(select(*columns).where(*conditions))]


async def count_granted(db: Session, keys: Iterable[tuple[str, int]]) -> dict[tuple[str, int], int]:
    """Return what all workers may count, or have counted if that is more, by workspace and month."""
    workspaces_by_month: defaultdict[int, list[str]] = defaultdict(list)
    for workspace_id, month in keys:
        workspaces_by_month[month].append(workspace_id)
    granted_events = case((EventGrant.granted > EventGrant.used, EventGrant.granted), else_=EventGrant.used)
    totals = {}
    for month, workspaces in workspaces_by_month.items():
        for start in range(0, len(workspaces), _MAX_WORKSPACES):
            condition = EventGrant.workspace_id.in_(workspaces[start : start + _MAX_WORKSPACES])
            query = select(EventGrant.workspace_id, func.sum(granted_events)).where(
                EventGrant.month == month, condition
            )
            for workspace_id, total in await db.execute(query.group_by(EventGrant.workspace_id)):
                totals[workspace_id, month] = int(total)
    return totals


async def write_grants(db: Session, grants: Iterable[Grant]) -> None:
    """Write grants as they are from now on."""
    await db.execute(_WRITE_GRANT, [grant._asdict() for grant in grants])
