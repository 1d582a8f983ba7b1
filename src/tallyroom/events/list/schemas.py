"""The answers of the paths of the event list (rules/events#event)."""

import msgspec
from msgspec import UNSET

from tallyroom.core.notices import Notices
from tallyroom.core.ranges import AskedMs
from tallyroom.ingest.refusals import Refusal
from tallyroom.queries.newest_events import EventOut


class RefusalList(msgspec.Struct, frozen=True):
    """The last refused ingest requests of the workspace's keys, newest first."""

    refusals: list[Refusal]


class EventList(msgspec.Struct, frozen=True):
    """Events, newest first; `next` is the cursor of the following page."""

    events: list[EventOut]
    next: str | None
    notices: Notices = UNSET


class EventListPosition(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """Where a page of the list ended: the time of the first page, and the position of the last event."""

    asked_ms: AskedMs
    timestamp_ms: int
    received_ms: int
    spool: int
    seq: int


class EventCount(msgspec.Struct, frozen=True):
    """A row of the store: how many events there are."""

    event_count: int
