"""Deletes an actor, or all of an environment, from the event store for good."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from tallyroom.store.connection import Writer
from tallyroom.store.scope import Scope

Counted = Callable[[dict[int, int]], AbstractContextManager[object]]
"""Is told, before a deletion, how many events of each spool it takes, and wraps it, so that they can be counted."""

_ENVIRONMENT = "workspace_id = {workspace_id:UUID} AND environment = {environment:String}"
_ACTOR = f"{_ENVIRONMENT} AND actor = {{actor:String}}"


def erase_actor(writer: Writer, scope: Scope, actor: str, counted: Counted = nullcontext) -> int:
    """Delete events and label of one actor; returns how many events there were, when their parts are rewritten.

    Raises:
        StoreError: the store failed; what is left is deleted by asking again.
    """
    return _erase(writer, _ACTOR, {**_bound(scope), "actor": actor}, counted)


def erase_environment(writer: Writer, scope: Scope, counted: Counted = nullcontext) -> int:
    """Delete all events and labels of one environment; returns how many events there were.

    Raises:
        StoreError: the store failed; what is left is deleted by asking again.
    """
    return _erase(writer, _ENVIRONMENT, _bound(scope), counted)


def _bound(scope: Scope) -> dict[str, str]:
    return {"workspace_id": scope.workspace_id, "environment": scope.environment}


def _erase(writer: Writer, where: str, parameters: dict[str, str], counted: Counted) -> int:
    with writer.alone():
        rows = writer.command(f"SELECT spool, count() FROM events WHERE {where} GROUP BY spool", parameters)
        found = {int(spool): int(events) for spool, events in (row.split("\t") for row in rows.splitlines())}
        with counted(found):
            writer.command(f"ALTER TABLE events DELETE WHERE {where}", parameters)
            writer.command(f"ALTER TABLE actor_labels DELETE WHERE {where}", parameters)
            writer.command(f"ALTER TABLE hidden_events DELETE WHERE {where}", parameters)
    return sum(found.values())
