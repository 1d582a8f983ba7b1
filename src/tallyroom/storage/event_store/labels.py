"""Reads the newest label of each actor, with the one SQL text that all callers use (rules/actors-and-groups#label)."""

from collections.abc import Sequence

import msgspec

from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

NEWEST_LABEL = "tupleElement(max(newest), 5)"  # the label comes after time, arrival, spool and sequence number

# The labels of ``actors``; an actor that never had a label has no row.
LABELS = f"""
SELECT actor, {NEWEST_LABEL} AS label
FROM actor_labels
WHERE {{scope}} AND actor IN {{actors:Array(String)}}
GROUP BY actor"""

# The actors whose newest label contains ``q``, in any case.
ACTORS_BY_LABEL = f"""
SELECT actor
FROM actor_labels
WHERE {{scope}}
GROUP BY actor
HAVING positionCaseInsensitiveUTF8({NEWEST_LABEL}, {{q:String}}) > 0"""


class Label(msgspec.Struct, frozen=True):
    """A row of `LABELS`."""

    actor: str
    label: str


async def fetch_newest_labels(reader: EventReader, scope: Scope, actors: Sequence[str]) -> dict[str, str]:
    """Return the newest label of each of `actors` that ever had one, regardless of any time range."""
    if not actors:
        return {}
    return {row.actor: row.label for row in await reader.fetch_rows(LABELS, scope, {"actors": list(actors)}, Label)}
