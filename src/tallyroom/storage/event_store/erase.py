"""Permanently deletes an actor, a whole environment, or an environment's old events from the event store."""

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, nullcontext

import msgspec

from tallyroom.storage.event_store.hidden_count import change_hidden_events
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.event_store.writer import Writer

DeletionCounter = Callable[[dict[tuple[int, int], int]], AbstractContextManager[object]]
"""Wraps a deletion; called with the number of events that it takes, by spool and month (as in 202611)."""

_ENVIRONMENT_CONDITION = "workspace_id = {workspace_id:UUID} AND environment = {environment:String}"
_ACTOR_CONDITION = f"{_ENVIRONMENT_CONDITION} AND actor = {{actor:String}}"

_CUT_SQL = "fromUnixTimestamp64Milli({before_ms:Int64}, 'UTC')"
_OLD_CONDITION = (
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
    """The events that an environment no longer keeps.

    Attributes:
        scope: the environment.
        before_ms: the first millisecond that the environment keeps.
        spool: identity of the spool that still delivers events.
        last_seq: sequence number up to which that spool's events may be deleted.
        spools: delete only what came through these; everything if None.
    """

    scope: Scope
    before_ms: int
    spool: int
    last_seq: int
    spools: Collection[int] | None = None


def erase_actor(
    writer: Writer,
    scope: Scope,
    actor: str,
    counter: DeletionCounter = nullcontext,
    spools: Collection[int] | None = None,
) -> int:
    """Delete an actor's events and label; once their parts are rewritten, return how many events there were.

    Args:
        writer: the event store.
        scope: the environment.
        actor: the actor.
        counter: wraps the deletion.
        spools: delete only the events that came through these; all if None.

    Raises:
        StoreError: the store failed; another call deletes what is left.
    """
    return _erase(writer, _ACTOR_CONDITION, {**_scope_parameters(scope), "actor": actor}, counter, spools)


def erase_environment(
    writer: Writer, scope: Scope, counter: DeletionCounter = nullcontext, spools: Collection[int] | None = None
) -> int:
    """Delete all events and labels of an environment, and return how many events there were; see `erase_actor`.

    Raises:
        StoreError: the store failed; another call deletes what is left.
    """
    return _erase(writer, _ENVIRONMENT_CONDITION, _scope_parameters(scope), counter, spools)


def expire_events(writer: Writer, events: OutdatedEvents, counter: DeletionCounter = nullcontext) -> int:
    """Delete old events month by month, then old labels and hidden-event entries; return how many events there were.

    Other threads may write between two months. If nothing is old, this is a single query.

    Raises:
        StoreError: the store failed; another call deletes what is left.
    """
    parameters: dict[str, str | int] = {
        **_scope_parameters(events.scope),
        "before_ms": events.before_ms,
        "spool": events.spool,
        "last_seq": events.last_seq,
    }
    old_condition = _OLD_CONDITION + _spool_condition(events.spools)
    sql = _FIND_OLD_ROWS.replace("{old}", old_condition)
    rows = [line.split("\t") for line in writer.command(sql, parameters).splitlines()]
    months = [int(month) for table, month in rows if table == "events"]
    deleted_count = sum([_expire_month(writer, month, old_condition, parameters, counter) for month in months])
    tables = {table for table, _ in rows}
    if "actor_labels" in tables:
        writer.command(f"ALTER TABLE actor_labels DELETE WHERE {_OLD_LABEL_CONDITION}", parameters)
    if "hidden_events" in tables:  # last: an event must stay hidden until it is gone
        with change_hidden_events(writer):
            writer.command(f"ALTER TABLE hidden_events DELETE WHERE {old_condition}", parameters)
    return deleted_count


def _expire_month(
    writer: Writer, month: int, old_condition: str, parameters: dict[str, str | int], counter: DeletionCounter
) -> int:
    with writer.removing_events():
        condition = f"toYYYYMM(timestamp) = {month} AND {old_condition}"
        event_counts = _count_by_spool_and_month(writer, condition, parameters)
        month_count = int(writer.command(f"SELECT count() FROM events WHERE toYYYYMM(timestamp) = {month}"))
        with counter(event_counts):
            if sum(event_counts.values()) == month_count and not writer.backend.inserts_late:
                writer.command(f"ALTER TABLE events DROP PARTITION {month}")  # it forgets the month's tokens
            else:
                writer.command(f"ALTER TABLE events DELETE IN PARTITION {month} WHERE {old_condition}", parameters)
    return sum(event_counts.values())


def _spool_condition(spools: Collection[int] | None) -> str:
    """Return the condition that an event came through one of these spools; none if None."""
    return "" if spools is None else f" AND spool IN ({', '.join(map(str, sorted(spools)))})"


def _scope_parameters(scope: Scope) -> dict[str, str]:
    return {"workspace_id": scope.workspace_id, "environment": scope.environment}


def _erase(
    writer: Writer,
    actor_condition: str,
    parameters: dict[str, str],
    counter: DeletionCounter,
    spools: Collection[int] | None,
) -> int:
    condition = actor_condition + _spool_condition(spools)
    with writer.removing_events():
        event_counts = _count_by_spool_and_month(writer, condition, parameters)
        with counter(event_counts):
            writer.command(f"ALTER TABLE events DELETE WHERE {condition}", parameters)
            writer.command(f"ALTER TABLE actor_labels DELETE WHERE {actor_condition}", parameters)
            with change_hidden_events(writer):
                writer.command(f"ALTER TABLE hidden_events DELETE WHERE {condition}", parameters)
    return sum(event_counts.values())


def _count_by_spool_and_month(
    writer: Writer, condition: str, parameters: Mapping[str, str | int]
) -> dict[tuple[int, int], int]:
    sql = f"SELECT spool, toYYYYMM(timestamp) AS month, count() FROM events WHERE {condition} GROUP BY spool, month"
    rows = (row.split("\t") for row in writer.command(sql, dict(parameters)).splitlines())
    return {(int(spool), int(month)): int(event_count) for spool, month, event_count in rows}
