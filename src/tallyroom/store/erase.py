"""Deletes an actor from the event store for good."""

from tallyroom.store.connection import Writer
from tallyroom.store.scope import Scope

_WHERE = "workspace_id = {workspace_id:UUID} AND environment = {environment:String} AND actor = {actor:String}"


def erase_actor(writer: Writer, scope: Scope, actor: str) -> int:
    """Delete events and label of one actor; returns how many events there were, when their parts are rewritten.

    Raises:
        StoreError: the store failed; what is left is deleted by asking again.
    """
    parameters = {"workspace_id": scope.workspace_id, "environment": scope.environment, "actor": actor}
    with writer.alone():
        erased = int(writer.command(f"SELECT count() FROM events WHERE {_WHERE}", parameters))
        writer.command(f"ALTER TABLE events DELETE WHERE {_WHERE}", parameters)
        writer.command(f"ALTER TABLE actor_labels DELETE WHERE {_WHERE}", parameters)
    return erased
