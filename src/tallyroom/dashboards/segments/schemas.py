"""The bodies and answers of the segment routes (rules/boards#segment)."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.queries.filters import MAX_FILTERS, Filter
from tallyroom.rest.fields import Name

SomeFilters = Annotated[tuple[Filter, ...], Meta(min_length=1, max_length=MAX_FILTERS)]


class SegmentIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a new segment; its environment cannot be changed."""

    name: Name
    environment: str
    filters: SomeFilters


class SegmentChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change: absent fields stay the same."""

    name: Name | UnsetType = UNSET
    filters: SomeFilters | UnsetType = UNSET


class SegmentOut(msgspec.Struct, rename="camel"):
    """A segment: the events that match all of its filters."""

    id: str
    name: str
    environment: str
    filters: tuple[Filter, ...]
    created_at: str
    updated_at: str


class SegmentRow(SegmentOut, rename="camel"):
    """A segment in the list, with the number of widgets and of alerts that use it."""

    widget_count: int
    alert_count: int


class SegmentsOut(msgspec.Struct, rename="camel"):
    """Segments of the workspace, oldest first."""

    segments: list[SegmentRow]
