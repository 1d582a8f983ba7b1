"""What the event endpoints take and answer (rules/events#event); of ingest, for the API reference."""

import datetime as dt
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta

from tallyroom.core.event_limits import MAX_ACTOR, MAX_EVENTS, MAX_LABEL, MAX_NAME, MAX_SOURCE
from tallyroom.core.notices import Notices
from tallyroom.core.ranges import AskedMs
from tallyroom.engine.newest import EventOut, StoredEvent
from tallyroom.ingest.refusals import Refusal


class RefusalList(msgspec.Struct, frozen=True):
    """The last refused ingest requests of the workspace's keys, newest first."""

    refusals: list[Refusal]


class EventIn(msgspec.Struct, forbid_unknown_fields=True):
    """One event as a client sends it."""

    name: Annotated[str, Meta(min_length=1, max_length=MAX_NAME, description="What happened.")]
    properties: Annotated[dict[str, Any], Meta(description="Any keys; strings, numbers, lists, any JSON.")] = {}
    actor: Annotated[str, Meta(max_length=MAX_ACTOR, description="Who did it.")] = msgspec.field(
        default="", name="_actor"
    )
    actor_label: Annotated[str, Meta(max_length=MAX_LABEL, description="Display name of the actor.")] = msgspec.field(
        default="", name="_actorLabel"
    )
    source: Annotated[str, Meta(max_length=MAX_SOURCE, description="Where the event was sent from.")] = msgspec.field(
        default="", name="_source"
    )
    timestamp: Annotated[
        dt.datetime | msgspec.UnsetType, Meta(description="When it happened; the time of receipt by default.")
    ] = msgspec.field(default=msgspec.UNSET, name="_timestamp")


class EventBatch(msgspec.Struct, forbid_unknown_fields=True):
    """Several events, all of which are taken or none."""

    events: Annotated[list[EventIn], Meta(min_length=1, max_length=MAX_EVENTS)]


class AcceptedOut(msgspec.Struct, frozen=True):
    """How many events are durable now."""

    accepted: int


class EventList(msgspec.Struct, frozen=True):
    """Events, newest first; `next` is the cursor of the following page."""

    events: list[EventOut]
    next: str | None
    notices: Notices = UNSET


class Page(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """Where a page of the list ended: the time of the first page, and the position of its last event in their order."""

    asked_ms: AskedMs
    timestamp_ms: int
    received_ms: int
    spool: int
    seq: int


class EventCount(msgspec.Struct, frozen=True):
    """A row of the store: how many events there are."""

    found: int


class ArrivalPosition(msgspec.Struct, frozen=True):
    """A row of the store: where an event is, by arrival and by the UTC day since 1970 on which it happened."""

    seq: int
    day: int


class Received(msgspec.Struct, frozen=True):
    """A row of the store: when an event was received."""

    received_ms: int


class NewestOfSpool(msgspec.Struct, frozen=True):
    """A row of the store: a spool, and its newest event."""

    spool: int
    seq: int


class Streamed(StoredEvent, frozen=True):
    """A row of the store: an event, and for each selection whether it is one of its events."""

    seq: int
    matches: list[int]
