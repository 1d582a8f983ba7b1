"""The configuration of retention."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tallyroom.queries.config import EventName, SegmentedConfig
from tallyroom.queries.filters import Filters, check_filters
from tallyroom.queries.kind import Path
from tallyroom.queries.units import UnitKind

Granularity = Literal["day", "week", "month"]


class RetentionConfig(SegmentedConfig, frozen=True, kw_only=True, rename="camel"):
    """Which event puts a unit into a cohort, and which event shows that it came back.

    The first `cohortEvent` of a unit decides its cohort. `returnEvent` is the same event by default. Weeks start on
    Monday. `periods` includes the current one.
    """

    cohort_event: EventName
    return_event: EventName | None = None
    granularity: Granularity = "day"
    periods: Annotated[int, Meta(ge=2, le=12)] = 8
    unit_kind: UnitKind = msgspec.field(default="actor", name="count")
    cohort_filters: Filters = ()
    return_filters: Filters = ()


def check_config(config: RetentionConfig, path: Path) -> None:
    """Refuse invalid filters."""
    check_filters(config.cohort_filters, [*path, "cohortFilters"])
    check_filters(config.return_filters, [*path, "returnFilters"])
