"""The queue in the metadata database."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Subquery, case, delete, func, or_, select, update

from tallyroom.core.shared_clock import MAX_CLOCK_SKEW_MS
from tallyroom.core.times import DAY_MS
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import WorkItem
from tallyroom.storage.queue.item import ClaimedItem, Handler, ItemType, NewItem

_WITHOUT_LEASE: Final[dict[str, Any]] = {"leased_by": None, "leased_until_ms": None}

_SELECT_ANY_DUE = (
    "SELECT 1 FROM work_items WHERE (due_ms <= ? OR due_ms > ?)"
    " AND (leased_until_ms IS NULL OR leased_until_ms <= ? OR leased_until_ms > ?) AND (type <> 'job' OR id IN ({}))"
    " LIMIT 1"
)


async def enqueue(db: Session, new_item: NewItem, due_ms: int) -> None:
    """Add an item in the same transaction as its cause; if it waits already, only change when it is due."""
    item = await db.get(WorkItem, new_item.id)
    if item is None:
        item = WorkItem(**new_item._asdict(), attempts=0)
        db.add(item)
    item.due_ms = due_ms
    await db.flush()


async def count_items(db: Session, item_type: ItemType, lane: str | None = None) -> int:
    """Count the items of a type, in one lane or in all."""
    query = select(func.count()).select_from(WorkItem).where(WorkItem.type == item_type)
    return await db.scalar(query if lane is None else query.where(WorkItem.lane == lane)) or 0


async def list_due_ms_by_id(db: Session, item_ids: Sequence[str]) -> dict[str, int]:
    """Return when each of some items is due; finished items are missing."""
    rows = await db.execute(select(WorkItem.id, WorkItem.due_ms).where(WorkItem.id.in_(item_ids)))
    return {row.id: row.due_ms for row in rows}


async def delete_unleased_items(db: Session, item_type: ItemType, lane: str, now_ms: int) -> None:
    """Delete the items of a lane, except one that a worker handles now."""
    is_unleased = or_(WorkItem.leased_until_ms.is_(None), WorkItem.leased_until_ms <= now_ms)
    await db.execute(delete(WorkItem).where(WorkItem.type == item_type, WorkItem.lane == lane, is_unleased))


async def is_any_due(database: Database, now_ms: int, lease_ms: int, job_names: Sequence[str]) -> bool:
    """Return True if an item may be due that no worker has leased; only jobs with these names count."""
    query = _SELECT_ANY_DUE.format(", ".join("?" * len(job_names)) or "NULL")
    latest_lease_end_ms = now_ms + lease_ms + MAX_CLOCK_SKEW_MS
    row = await database.look_up(query, now_ms, now_ms + DAY_MS, now_ms, latest_lease_end_ms, *job_names)
    return row is not None


async def claim_items(
    db: Session, handler: Handler, holder_id: str, now_ms: int, lease_ms: int, running_items: Collection[ClaimedItem]
) -> list[ClaimedItem]:
    """Lease the first due item of each lane without one in progress, as many as the handler has free slots.

    `running_items` are the handler's items in progress. Workspaces take turns: the one with the fewest items in
    progress comes first, so none waits for the backlog of another. An item that is due later than the handler's items
    ever are, and a lease that ends later than `lease_ms`, were written before the clock was set back, and count as due
    and as ended.
    """
    free_slot_count = handler.limits.max_concurrent - len(running_items)
    if free_slot_count <= 0:
        return []
    due_subquery = _select_due_items(handler, now_ms, lease_ms, {item.lane for item in running_items})
    running_count_by_workspace_id = Counter(item.workspace_id for item in running_items)
    rows = await db.execute(
        select(*(getattr(WorkItem, field) for field in ClaimedItem._fields))
        .join(due_subquery, (due_subquery.c.id == WorkItem.id) & (due_subquery.c.place == 1))
        .order_by(_turn_position(running_count_by_workspace_id), WorkItem.due_ms, WorkItem.id)
        .limit(free_slot_count)
    )
    items = [ClaimedItem(*row) for row in rows]
    is_claimed = WorkItem.id.in_([item.id for item in items])
    await db.execute(update(WorkItem).where(is_claimed).values(leased_by=holder_id, leased_until_ms=now_ms + lease_ms))
    return items


def _select_due_items(handler: Handler, now_ms: int, lease_ms: int, running_lanes: set[str]) -> Subquery:
    """Select the due items, each with its place in its lane."""
    is_leased = (WorkItem.leased_until_ms > now_ms) & (
        WorkItem.leased_until_ms <= now_ms + lease_ms + MAX_CLOCK_SKEW_MS
    )
    busy_lanes = select(WorkItem.lane).where(WorkItem.type == handler.type, is_leased)
    is_due: ColumnElement[bool] = WorkItem.due_ms <= now_ms
    if handler.limits.max_age_ms is not None:
        is_due = or_(is_due, WorkItem.due_ms > now_ms + handler.limits.max_age_ms)
    position = func.row_number().over(
        partition_by=WorkItem.lane, order_by=(WorkItem.due_ms, WorkItem.created_at_ms, WorkItem.id)
    )
    is_lane_free = WorkItem.lane.not_in(busy_lanes) & WorkItem.lane.not_in(running_lanes)
    query = select(WorkItem.id, position.label("place")).where(WorkItem.type == handler.type, is_due, is_lane_free)
    return (query if handler.item_ids is None else query.where(WorkItem.id.in_(handler.item_ids))).subquery()


def _turn_position(running_count_by_workspace_id: Mapping[str, int]) -> ColumnElement[Any]:
    """Return the turn of an item: its place in its workspace, after the items in progress."""
    position = func.row_number().over(partition_by=WorkItem.workspace_id, order_by=(WorkItem.due_ms, WorkItem.id))
    if not running_count_by_workspace_id:
        return position
    return position + case(dict(running_count_by_workspace_id), value=WorkItem.workspace_id, else_=0)


async def extend_leases(db: Session, holder_id: str, item_ids: Collection[str], until_ms: int) -> set[str]:
    """Extend the leases of `holder_id` on some items; return the items that it still holds."""
    statement = update(WorkItem).where(WorkItem.id.in_(item_ids), WorkItem.leased_by == holder_id)
    return set(await db.scalars(statement.values(leased_until_ms=until_ms).returning(WorkItem.id)))


async def release_leases(db: Session, holder_id: str) -> None:
    """Release all leases of `holder_id`, so that other workers can handle the items immediately."""
    await db.execute(update(WorkItem).where(WorkItem.leased_by == holder_id).values(_WITHOUT_LEASE))


async def is_leased(db: Session, holder_id: str, item_id: str) -> bool:
    """Return True if `holder_id` has the item, so that no other worker has taken it over."""
    query = select(WorkItem.id).where(WorkItem.id == item_id, WorkItem.leased_by == holder_id)
    return await db.scalar(query) is not None


async def reschedule_item(db: Session, item_id: str, due_ms: int, attempts: int) -> None:
    """Release an item, and make it due at `due_ms`."""
    values = {"due_ms": due_ms, "attempts": attempts, **_WITHOUT_LEASE}
    await db.execute(update(WorkItem).where(WorkItem.id == item_id).values(values))


async def hold_back(db: Session, item_id: str, until_ms: int | None) -> None:
    """Keep all workers from an item until a moment, at most the length of a lease away; None ends that."""
    is_unleased = (WorkItem.id == item_id) & WorkItem.leased_by.is_(None)
    await db.execute(update(WorkItem).where(is_unleased).values(leased_until_ms=until_ms))


async def delete_item(db: Session, item_id: str) -> None:
    """Delete an item that is over."""
    await db.execute(delete(WorkItem).where(WorkItem.id == item_id))
