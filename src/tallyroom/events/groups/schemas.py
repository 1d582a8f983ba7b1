"""What the group routes take and answer (rules/actors-and-groups#group-detail)."""

from datetime import date
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.core.notices import Notices
from tallyroom.core.ranges import AskedMs
from tallyroom.queries.activity import GroupRow
from tallyroom.queries.newest_events import EventOut
from tallyroom.rest.fields import GroupKeyLabel

MAX_PROP_KEY_LENGTH = 256
"""In characters; a longer property key is no candidate."""

START_CHARACTERS = 256
"""Of a group id, that its position in the list goes by; what is longer may not fit into a URL."""


class GroupKeyIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a new group key; without a visible character in `label`, the property key is the label."""

    prop_key: Annotated[str, Meta(min_length=1, max_length=MAX_PROP_KEY_LENGTH)]
    label: GroupKeyLabel = ""
    make_default: bool = False


class GroupKeyChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change: what is absent stays."""

    label: GroupKeyLabel | UnsetType = UNSET
    make_default: bool | UnsetType = UNSET


class GroupKeyOut(msgspec.Struct, rename="camel"):
    """A registered group key; of all keys of a workspace exactly one is the default."""

    id: str
    prop_key: str
    label: str
    is_default: bool
    created_at: str


class GroupKeysOut(msgspec.Struct, rename="camel"):
    """The registered keys, oldest first, and the property keys that could be registered, most used first."""

    keys: list[GroupKeyOut]
    candidates: list[str]


class GroupList(msgspec.Struct, rename="camel", frozen=True):
    """Groups by activity, busiest first.

    `propKey` is the property that they were made by, null when no group key is registered; `next` is the cursor of the
    following page.
    """

    prop_key: str | None
    groups: list[GroupRow]
    next: str | None
    notices: Notices = UNSET


class EventType(msgspec.Struct, rename="camel", frozen=True):
    """How often a name stands among the recent events."""

    name: str
    count: int


class GroupDetail(msgspec.Struct, rename="camel", frozen=True):
    """One group in the asked range.

    `perDay` spreads the events over the UTC days that have any, rounded half up; `recent` has the newest events, newest
    first, at most 100; `eventTypes` the five most frequent names among them.
    """

    group_key: str
    prop_key: str
    last_active: str
    event_count: int
    per_day: int
    first_seen: str
    last_seen: str
    event_types: list[EventType]
    recent: list[EventOut]
    notices: Notices = UNSET


class GroupListPosition(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Where a page of the list ended; the time of the first page is kept so that pages fit together.

    `start` and `rest` stand for the group id, as queries.py compares it.
    """

    asked_ms: AskedMs
    event_count: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    start: str
    rest: str


class GroupActivityRow(msgspec.Struct, frozen=True):
    """A row of the store: one group's events in a window."""

    group_key: str
    rest: str
    event_count: int
    last_ms: int

    def build_position(self, asked_ms: int) -> GroupListPosition:
        """The page that ends here."""
        return GroupListPosition(asked_ms, self.event_count, self.group_key[:START_CHARACTERS], self.rest)


class GroupTotals(msgspec.Struct, frozen=True):
    """A row of the store: one group's events in a window, and the UTC days of the newest 100."""

    event_count: int
    active_days: int
    first_ms: int
    last_ms: int
    recent_days: list[date]


class CandidateRow(msgspec.Struct, frozen=True):
    """A row of the store: a property key with texts, and how many events have it."""

    prop_key: str
    event_count: int


class SentRow(msgspec.Struct, frozen=True):
    """A row of the store that says that there is one."""

    is_sent: int
