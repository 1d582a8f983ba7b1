"""The bodies and answers of the group routes (rules/actors-and-groups#group-detail)."""

from datetime import date
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.core.notices import Notices
from tallyroom.core.ranges import AskedMs
from tallyroom.queries.activity import GroupRow
from tallyroom.queries.newest_events import EventOut
from tallyroom.rest.fields import GroupKeyLabel

MAX_PROP_KEY_LENGTH = 256  # characters; a longer property key is no candidate
START_CHARACTERS = 256  # of a group id in its position in the list; more may not fit into a URL


class GroupKeyIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a new group key; if `label` has no visible character, the property key is the label."""

    prop_key: Annotated[str, Meta(min_length=1, max_length=MAX_PROP_KEY_LENGTH)]
    label: GroupKeyLabel = ""
    make_default: bool = False


class GroupKeyChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change: absent fields stay the same."""

    label: GroupKeyLabel | UnsetType = UNSET
    make_default: bool | UnsetType = UNSET


class GroupKeyOut(msgspec.Struct, rename="camel"):
    """A registered group key; exactly one key of a workspace is the default."""

    id: str
    prop_key: str
    label: str
    is_default: bool
    created_at: str


class GroupKeysOut(msgspec.Struct, rename="camel"):
    """The registered keys, oldest first, and the property keys that could be registered, most used first."""

    keys: list[GroupKeyOut]
    candidates: list[str]
    notices: Notices = UNSET


class ListedGroup(GroupRow, rename="camel", frozen=True):
    """One group in the list, with how many actors its listed events have."""

    actor_count: int


class GroupList(msgspec.Struct, rename="camel", frozen=True):
    """Groups, sorted as the request asked; `propKey` is null without a group key, `next` is the next page's cursor."""

    prop_key: str | None
    groups: list[ListedGroup]
    next: str | None
    notices: Notices = UNSET


class EventType(msgspec.Struct, rename="camel", frozen=True):
    """How many of the group's events have a name."""

    name: str
    count: int


class GroupDetail(msgspec.Struct, rename="camel", frozen=True):
    """One group in the time range.

    `perDay` is the average over the UTC days that have events, rounded half up. `recent` has the newest events, newest
    first, at most 100, and `eventTypes` the five most frequent names of all its events.
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
    """Where a page ended, with the time of the first page; `start` and `rest` represent the id, as in queries.py."""

    asked_ms: AskedMs
    sort_value: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    start: str
    rest: str


class GroupActivityRow(msgspec.Struct, frozen=True):
    """A row of the store: one group's events in a window."""

    group_key: str
    rest: str
    event_count: int
    actor_count: int
    last_ms: int

    def build_position(self, asked_ms: int, sort_column: str) -> GroupListPosition:
        """Return the end of a page whose last row this is."""
        return GroupListPosition(asked_ms, getattr(self, sort_column), self.group_key[:START_CHARACTERS], self.rest)


class GroupTotals(msgspec.Struct, frozen=True):
    """A row of the store: one group's events in a window, and the UTC days of the newest 100.

    `event_counts_by_name` has the most frequent names with their counts, in order.
    """

    event_count: int
    active_days: int
    first_ms: int
    last_ms: int
    recent_days: list[date]
    event_counts_by_name: list[tuple[str, int]]


class CandidateRow(msgspec.Struct, frozen=True):
    """A row of the store: a property key with texts, and how many events have it."""

    prop_key: str
    event_count: int


class SentRow(msgspec.Struct, frozen=True):
    """A row of the store, if there is one."""

    is_sent: int
