"""Where `tallyroom_client.testing` puts events instead of the queue."""

from typing import Any

Event = dict[str, Any]

_ARGUMENT_BY_FIELD = {"_actor": "actor", "_actorLabel": "label", "_source": "source", "_timestamp": "at"}

recordings: list[list[Event]] = []
"""The recordings in progress; the innermost is the last."""


def as_arguments(fields: dict[str, Any]) -> Event:
    """Return an event with the names that `track` gives to its fields."""
    return {_ARGUMENT_BY_FIELD.get(field, field): value for field, value in fields.items()}
