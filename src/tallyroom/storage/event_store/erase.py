"""Permanently deletes an actor, a whole environment, or an environment's old events from the event store."""

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, nullcontext

import msgspec

from tallyroom.storage.event_store.column_fill import stop_fills
from tallyroom.storage.event_store.hidden_count import changing_hidden_events
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.event_store.writer import Writer

# Wraps a deletion; called with the number of events to delete, by spool and month (as in 202611).
DeletionCounter = Callable[[dict[tuple[int, int], int]], AbstractContextManager[object]]

_ENVIRONMENT_CONDITION = "workspace_id = {workspace_id:UUID} AND environment = {environment:String}"
_ACTOR_CONDITION = f"{_ENVIRONMENT_CONDITION} AND actor = {{actor:String}}"

_CUT_SQL = "fromUnixTimestamp64Milli({before_ms:Int64}, 'UTC')"
_OLD_EVENT_CONDITION = (
    f"{_ENVIRONMENT_CONDITION} AND timestamp < {_CUT_SQL} AND (spool != {{spool:UInt32}} OR seq <= {{last_seq:UInt64}})"
)
_OLD_LABEL_CONDITION = f"{_ENVIRONMENT_CONDITION} AND tupleElement(newest, 1) < {_CUT_SQL}"

_FIND_OLD_ROWS = f"""
SELECT 'events', toYYYYMM(timestamp) AS month FROM events WHERE {{old}} GROUP BY month
UNION ALL
SELECT 'actor_labels', 0 FROM actor_labels WHERE {_OLD_LABEL_CONDITION} LIMIT 1
UNION ALL
SELECT 'hidden_events', 0 FROM hidden_events WHERE {{old}} LIMIT 1"""


class OutdatedEvents(msgspec.Struct, frozen=True):
    """Events before `before_ms`, the first millisecond that an environment keeps."""

    scope: Scope
    before_ms: int
    spool_id: int  # still delivers events, so of this spool, only those up to `last_seq` may be deleted
    last_seq: int
    spool_ids: Collection[int] | None = None  # limits the events' spools; None for all


def erase_actor(
    writer: Writer,
    scope: Scope,
    actor: str,
    count_deletion: DeletionCounter = nullcontext,
    spool_ids: Collection[int] | None = None,
) -> int:
    """Delete an actor's events and label, of all spools if `spool_ids` is None, and return how many events there were.

    Their parts are rewritten by then. After a `StoreError`, another call deletes the rest.
    """
    parameters = {**_build_scope_parameters(scope), "actor": actor}
    return _erase(writer, _ACTOR_CONDITION, parameters, count_deletion, spool_ids)


def erase_environment(
    writer: Writer,
    scope: Scope,
    count_deletion: DeletionCounter = nullcontext,
    spool_ids: Collection[int] | None = None,
) -> int:
    """Delete all events and labels of an environment, and return how many events there were; see `erase_actor`."""
    return _erase(writer, _ENVIRONMENT_CONDITION, _build_scope_parameters(scope), count_deletion, spool_ids)


def expire_events(
    writer: Writer, outdated_events: OutdatedEvents, count_deletion: DeletionCounter = nullcontext
) -> int:
    """Delete old events month by month, then old labels and hidden-event entries; return how many events there were.

    Other threads may write between months. After a `StoreError`, another call deletes the rest.
    """
    parameters: dict[str, str | int] = {
        **_build_scope_parameters(outdated_events.scope),
        "before_ms": outdated_events.before_ms,
        "spool": outdated_events.spool_id,
        "last_seq": outdated_events.last_seq,
    }
    old_condition = _OLD_EVENT_CONDITION + _build_spool_condition(outdated_events.spool_ids)
    sql = _FIND_OLD_ROWS.replace("{old}", old_condition)
    rows = [line.split("\t") for line in writer.command(sql, parameters).splitlines()]
    months = [int(month) for table, month in rows if table == "events"]
    deleted_count = sum([_expire_month(writer, month, old_condition, parameters, count_deletion) for month in months])
    tables_with_old_rows = {table for table, _ in rows}
    if "actor_labels" in tables_with_old_rows:
        writer.command(f"ALTER TABLE actor_labels DELETE WHERE {_OLD_LABEL_CONDITION}", parameters)
    if "hidden_events" in tables_with_old_rows:  # last: an event must stay hidden until it is gone
        with changing_hidden_events(writer):
            writer.command(f"ALTER TABLE hidden_events DELETE WHERE {old_condition}", parameters)
    return deleted_count


def _expire_month(
    writer: Writer, month: int, old_condition: str, parameters: dict[str, str | int], count_deletion: DeletionCounter
) -> int:
    with writer.removing_events():
        stop_fills(writer.command)
        condition = f"toYYYYMM(timestamp) = {month} AND {old_condition}"
        count_by_spool_month = _count_by_spool_and_month(writer, condition, parameters)
        month_event_count = int(writer.command(f"SELECT count() FROM events WHERE toYYYYMM(timestamp) = {month}"))
        with count_deletion(count_by_spool_month):
            if sum(count_by_spool_month.values()) == month_event_count and not writer.backend.inserts_late:
                writer.command(f"ALTER TABLE events DROP PARTITION {month}")  # this also drops the month's tokens
            else:
                writer.command(f"ALTER TABLE events DELETE IN PARTITION {month} WHERE {old_condition}", parameters)
    return sum(count_by_spool_month.values())


def _build_spool_condition(spool_ids: Collection[int] | None) -> str:
    """Return the condition that an event came through one of these spools; "" if None."""
    return "" if spool_ids is None else f" AND spool IN ({', '.join(map(str, sorted(spool_ids)))})"


def _build_scope_parameters(scope: Scope) -> dict[str, str]:
    return {"workspace_id": scope.workspace_id, "environment": scope.environment}


def _erase(
    writer: Writer,
    actor_condition: str,
    parameters: dict[str, str],
    count_deletion: DeletionCounter,
    spool_ids: Collection[int] | None,
) -> int:
    condition = actor_condition + _build_spool_condition(spool_ids)
    with writer.removing_events():
        stop_fills(writer.command)
        count_by_spool_month = _count_by_spool_and_month(writer, condition, parameters)
        with count_deletion(count_by_spool_month):
            writer.command(f"ALTER TABLE events DELETE WHERE {condition}", parameters)
            writer.command(f"ALTER TABLE actor_labels DELETE WHERE {actor_condition}", parameters)
            with changing_hidden_events(writer):
                writer.command(f"ALTER TABLE hidden_events DELETE WHERE {condition}", parameters)
    return sum(count_by_spool_month.values())


def _count_by_spool_and_month(
    writer: Writer, condition: str, parameters: Mapping[str, str | int]
) -> dict[tuple[int, int], int]:
    sql = f"SELECT spool, toYYYYMM(timestamp) AS month, count() FROM events WHERE {condition} GROUP BY spool, month"
    rows = (row.split("\t") for row in writer.command(sql, dict(parameters)).splitlines())
    return {(int(spool), int(month)): int(event_count) for spool, month, event_count in rows}
