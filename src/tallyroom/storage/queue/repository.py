"""The queue in the metadata database."""

from collections.abc import Collection, Sequence
from typing import Any, Final, cast

from sqlalchemy import ColumnElement, Select, Table, delete, func, insert, or_, select, update

from tallyroom.core.shared_clock import MAX_CLOCK_SKEW_MS
from tallyroom.core.times import DAY_MS
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import WorkItem
from tallyroom.storage.queue.item import ClaimedItem, Handler, ItemType, NewItem

_WITHOUT_LEASE: Final[dict[str, Any]] = {"leased_by": None, "leased_until_ms": None}

_ITEMS = cast("Table", WorkItem.__table__)
"""Statements on the table cost less than on the model, whose objects they would have to update."""

_SELECT_ANY_DUE = (
    "SELECT 1 FROM work_items WHERE (due_ms <= ? OR due_ms > ?)"
    " AND (leased_until_ms IS NULL OR leased_until_ms <= ? OR leased_until_ms > ?)"
    " AND type IN ({}) AND (type <> 'job' OR id IN ({})) AND lane NOT IN ({}) LIMIT 1"
)


async def enqueue(db: Session, new_item: NewItem, due_ms: int) -> None:
    """Add an item in the same transaction as its cause; if it waits already, only change when it is due."""
    is_this_item = WorkItem.id == new_item.id
    if await db.scalar(update(WorkItem).where(is_this_item).values(due_ms=due_ms).returning(WorkItem.id)) is None:
        await enqueue_all(db, [new_item], due_ms)


async def enqueue_all(db: Session, new_items: Sequence[NewItem], due_ms: int) -> None:
    """Add items with new ids."""
    rows = [new_item._asdict() | {"attempts": 0, "due_ms": due_ms} for new_item in new_items]
    if rows:
        await db.execute(insert(_ITEMS), rows)


async def count_items(db: Session, item_type: ItemType) -> int:
    """Count the items of a type."""
    return await db.scalar(select(func.count()).select_from(WorkItem).where(WorkItem.type == item_type)) or 0


async def count_by_lane(db: Session, item_types: Sequence[ItemType], lanes: Sequence[str]) -> dict[str, int]:
    """Count the items of some types in each of some lanes; lanes without items are missing."""
    is_of_lanes = WorkItem.type.in_(item_types) & WorkItem.lane.in_(lanes)
    query = select(WorkItem.lane, func.count().label("item_count")).where(is_of_lanes).group_by(WorkItem.lane)
    return {row.lane: row.item_count for row in await db.execute(query)}


async def list_due_ms_by_id(db: Session, item_ids: Sequence[str]) -> dict[str, int]:
    """Return when each of some items is due; finished items are missing."""
    rows = await db.execute(select(WorkItem.id, WorkItem.due_ms).where(WorkItem.id.in_(item_ids)))
    return {row.id: row.due_ms for row in rows}


async def delete_unleased_items(db: Session, item_type: ItemType, lane: str, now_ms: int) -> None:
    """Delete the items of a lane, except one that a worker handles now."""
    is_unleased = or_(WorkItem.leased_until_ms.is_(None), WorkItem.leased_until_ms <= now_ms)
    await db.execute(delete(WorkItem).where(WorkItem.type == item_type, WorkItem.lane == lane, is_unleased))


async def is_any_due(
    database: Database, now_ms: int, lease_ms: int, handlers: Sequence[Handler], running_lanes: Collection[str]
) -> bool:
    """Return True if one of the handlers may have a due item that no worker has leased, in another lane."""
    types = (handler.type for handler in handlers)
    job_names = [item_id for handler in handlers for item_id in handler.item_ids or ()]
    lists: list[list[str]] = [[*types], job_names, [*running_lanes] or [""]]
    query = _SELECT_ANY_DUE.format(*(", ".join("?" * len(values)) or "NULL" for values in lists))
    times = now_ms, now_ms + DAY_MS, now_ms, now_ms + lease_ms + MAX_CLOCK_SKEW_MS
    return await database.look_up(query, *times, *(value for values in lists for value in values)) is not None


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
    is_leased = (WorkItem.leased_until_ms > now_ms) & (
        WorkItem.leased_until_ms <= now_ms + lease_ms + MAX_CLOCK_SKEW_MS
    )
    leased_items = select(WorkItem).where(WorkItem.type == handler.type, is_leased).subquery()
    running_lanes = {item.lane for item in running_items}
    is_lane_free = WorkItem.lane.not_in(select(leased_items.c.lane)) & WorkItem.lane.not_in(running_lanes)
    due_items = _select_due_items(handler, now_ms).where(is_lane_free).subquery()
    running_counts = (
        select(leased_items.c.workspace_id, func.count().label("count"))
        .group_by(leased_items.c.workspace_id)
        .subquery()
    )
    place_in_workspace = func.row_number().over(
        partition_by=WorkItem.workspace_id, order_by=(WorkItem.due_ms, WorkItem.id)
    )
    rows = await db.execute(
        select(*(getattr(WorkItem, field) for field in ClaimedItem._fields))
        .join(due_items, (due_items.c.id == WorkItem.id) & (due_items.c.place == 1))
        .outerjoin(running_counts, running_counts.c.workspace_id == WorkItem.workspace_id)
        .order_by(place_in_workspace + func.coalesce(running_counts.c.count, 0), WorkItem.due_ms, WorkItem.id)
        .limit(free_slot_count)
    )
    items = [ClaimedItem(*row) for row in rows]
    is_claimed = _ITEMS.c.id.in_([item.id for item in items])
    await db.execute(update(_ITEMS).where(is_claimed).values(leased_by=holder_id, leased_until_ms=now_ms + lease_ms))
    return items


def _select_due_items(handler: Handler, now_ms: int) -> Select[tuple[str, int]]:
    """Select the due items, each with its place in its lane."""
    is_due: ColumnElement[bool] = WorkItem.due_ms <= now_ms
    if handler.limits.max_age_ms is not None:
        is_due = or_(is_due, WorkItem.due_ms > now_ms + handler.limits.max_age_ms)
    place_in_lane = func.row_number().over(
        partition_by=WorkItem.lane, order_by=(WorkItem.due_ms, WorkItem.created_at_ms, WorkItem.id)
    )
    query = select(WorkItem.id, place_in_lane.label("place")).where(WorkItem.type == handler.type, is_due)
    return query if handler.item_ids is None else query.where(WorkItem.id.in_(handler.item_ids))


async def extend_leases(db: Session, holder_id: str, item_ids: Collection[str], until_ms: int) -> set[str]:
    """Extend the leases of `holder_id` on some items; return the items that it still holds."""
    statement = update(WorkItem).where(WorkItem.id.in_(item_ids), WorkItem.leased_by == holder_id)
    return set(await db.scalars(statement.values(leased_until_ms=until_ms).returning(WorkItem.id)))


async def release_leases(db: Session, holder_prefix: str) -> None:
    """Release all leases of holders whose ids begin like this, so that workers can handle the items immediately."""
    is_held = WorkItem.leased_by.startswith(holder_prefix, autoescape=True)
    await db.execute(update(WorkItem).where(is_held).values(_WITHOUT_LEASE))


async def reschedule_item(db: Session, holder_id: str, item_id: str, due_ms: int, attempts: int) -> bool:
    """Release an item, and make it due at `due_ms`; return False if `holder_id` does not have it any more."""
    statement = update(WorkItem).where(WorkItem.id == item_id, WorkItem.leased_by == holder_id)
    values = {"due_ms": due_ms, "attempts": attempts, **_WITHOUT_LEASE}
    return await db.scalar(statement.values(values).returning(WorkItem.id)) is not None


async def postpone_item(db: Session, holder_id: str, item_id: str, until_ms: int) -> bool:
    """Release an item, but keep it and its lane back until then; return False if `holder_id` no longer has it."""
    statement = update(WorkItem).where(WorkItem.id == item_id, WorkItem.leased_by == holder_id)
    values = {"leased_by": None, "leased_until_ms": until_ms}
    return await db.scalar(statement.values(values).returning(WorkItem.id)) is not None


async def hold_back(db: Session, item_id: str, until_ms: int | None) -> None:
    """Keep all workers from an item until a moment, at most the length of a lease away; None ends that."""
    is_unleased = (WorkItem.id == item_id) & WorkItem.leased_by.is_(None)
    await db.execute(update(WorkItem).where(is_unleased).values(leased_until_ms=until_ms))


async def delete_item(db: Session, holder_id: str, item_id: str) -> bool:
    """Delete an item that is over; return False if `holder_id` does not have it any more."""
    statement = delete(_ITEMS).where(_ITEMS.c.id == item_id, _ITEMS.c.leased_by == holder_id)
    return await db.scalar(statement.returning(_ITEMS.c.id)) is not None
