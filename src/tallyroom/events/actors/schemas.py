"""The answers of the actor endpoints (rules/actors-and-groups#actor-detail)."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta

from tallyroom.core.notices import Notices
from tallyroom.core.ranges import AskedMs
from tallyroom.queries.activity import ActorRow


class ActorList(msgspec.Struct, rename="camel", frozen=True):
    """Actors, sorted as the request asked; `next` is the cursor of the following page."""

    actors: list[ActorRow]
    next: str | None
    notices: Notices = UNSET


class TimelineEvent(msgspec.Struct, rename="camel", frozen=True):
    """One event of an actor; `properties` is the JSON as it was sent."""

    id: str
    name: str
    timestamp: str
    source: str | None
    properties: msgspec.Raw


class ActorDetail(ActorRow, rename="camel", frozen=True):
    """One actor with its newest events in the time range, newest first, at most 100."""

    timeline: list[TimelineEvent]
    notices: Notices = UNSET


class Erased(msgspec.Struct, rename="camel", frozen=True):
    """How many events of the actor were deleted."""

    erased: int


class ActorListPosition(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Where a page of the list ended; all pages have the time of the first, so that they fit together."""

    asked_ms: AskedMs
    sort_value: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    actor_key: str


class ActorActivityRow(msgspec.Struct, frozen=True):
    """A row of the store: one actor's events in a window, times in ms."""

    actor: str
    event_count: int
    first_ms: int
    last_ms: int


class TimelineRow(msgspec.Struct, frozen=True):
    """A row of the store: one event of a timeline."""

    id: str
    name: str
    timestamp_ms: int
    source: str
    properties: str
