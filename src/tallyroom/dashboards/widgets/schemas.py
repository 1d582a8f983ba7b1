"""What the widget routes take and answer (rules/boards#widget)."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.core.notices import Notices
from tallyroom.core.ranges import AskedMs, CalendarRange, RollingRange
from tallyroom.queries.activity import ActorRow, GroupRow
from tallyroom.queries.data_point import DataPoint
from tallyroom.queries.filters import Filters
from tallyroom.queries.question import ChosenInterval, Comparison
from tallyroom.rest.fields import Title

MAX_WIDGETS = 100
"""On a dashboard."""

MAX_SIDE = 12

PageLimit = Annotated[int, Meta(ge=1)]
Side = Annotated[int, Meta(ge=1, le=MAX_SIDE)]


class Layout(msgspec.Struct, forbid_unknown_fields=True, rename="camel", frozen=True):
    """The size of a widget on a grid of twelve columns."""

    w: Side = 6
    h: Side = 4


class WidgetIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a new widget; `config` is what its type takes, and only a table has rows to publish."""

    type: str
    config: dict[str, Any]
    title: Title = ""
    layout: Layout = Layout()
    publish_rows: bool = False
    ignore_dashboard_filters: bool = False


class LayoutChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """A change of a widget's size: the side that is absent stays."""

    w: Side | UnsetType = UNSET
    h: Side | UnsetType = UNSET


class WidgetChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change: what is absent stays; another `type` needs a `config` that fits it."""

    title: Title | UnsetType = UNSET
    type: str | UnsetType = UNSET
    config: dict[str, Any] | UnsetType = UNSET
    layout: LayoutChange | UnsetType = UNSET
    publish_rows: bool | UnsetType = UNSET
    ignore_dashboard_filters: bool | UnsetType = UNSET


class OrderIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a reorder: the ids of all widgets of the dashboard, each once, in the new order."""

    widget_ids: Annotated[list[str], Meta(max_length=MAX_WIDGETS)]


class WidgetOut(msgspec.Struct, rename="camel"):
    """A widget; `config` is as its type takes it, without fields that have their default."""

    id: str
    dashboard_id: str
    title: str
    type: str
    config: msgspec.Raw
    layout: Layout
    publish_rows: bool
    ignore_dashboard_filters: bool
    position: int
    created_at: str
    updated_at: str


class WidgetsOut(msgspec.Struct, rename="camel"):
    """All widgets of a dashboard by their positions."""

    widgets: list[WidgetOut]


class DataIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a question to a widget; what is absent is that of the dashboard or of the widget's config.

    Attributes:
        time_range, from_, to: of which time; either `timeRange`, or `from` and `to`.
        filters: what the events have to match as well.
        interval: the length of time buckets.
        compare: what to compare with.
    """

    time_range: RollingRange | CalendarRange | UnsetType = UNSET
    from_: str | UnsetType = msgspec.field(default=UNSET, name="from")
    to: str | UnsetType = UNSET
    filters: Filters = ()
    interval: ChosenInterval | None = None
    compare: Comparison | None = None


class Spot(DataPoint, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A data point, under the name that /openapi.json has for it."""


class BehindIn(DataIn):
    """Body of a question for those who are behind a number of a widget's answer.

    Attributes:
        at: which number.
        limit: how many, at most 200; a file has all.
        cursor: `next` from the previous page.
    """

    at: Spot = Spot()
    limit: PageLimit | None = None
    cursor: str | None = None


class ActorsBehind(msgspec.Struct, rename="camel"):
    """How many actors have events that made the number, and one page of them, those with the most such events first."""

    total: int
    actors: list[ActorRow]
    next: str | None
    notices: Notices = UNSET


class GroupsBehind(msgspec.Struct, rename="camel"):
    """The same of groups, where the answer counts groups."""

    total: int
    groups: list[GroupRow]
    next: str | None
    notices: Notices = UNSET


Behind = ActorsBehind | GroupsBehind


class DrillDownPosition(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Where a page of such a list ended; the time of the first page is kept so that pages fit together."""

    asked_ms: AskedMs
    event_count: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    unit: str
