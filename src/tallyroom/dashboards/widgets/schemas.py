"""The bodies and answers of the widget routes (rules/boards#widget)."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.core.notices import Notices
from tallyroom.core.ranges import AskedMs, CalendarRange, RollingRange
from tallyroom.queries.activity import ActorRow, GroupRow
from tallyroom.queries.data_point import DataPoint
from tallyroom.queries.differences.differences import ComparedBy
from tallyroom.queries.filters import Filters
from tallyroom.queries.question import ChosenInterval, Comparison
from tallyroom.rest.fields import Title

MAX_WIDGETS = 100  # of a dashboard
MAX_SIDE = 12
DEFAULT_DIFFERENCES = 10

PageLimit = Annotated[int, Meta(ge=1)]
Side = Annotated[int, Meta(ge=1, le=MAX_SIDE)]


class Layout(msgspec.Struct, forbid_unknown_fields=True, rename="camel", frozen=True):
    """The size of a widget on a grid of twelve columns."""

    w: Side = 6
    h: Side = 4


class WidgetIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a new widget; `config` depends on `type`, and only a table has rows to publish."""

    type: str
    config: dict[str, Any]
    title: Title = ""
    layout: Layout = Layout()
    publish_rows: bool = False
    ignore_dashboard_filters: bool = False


class LayoutChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """A change of a widget's size: an absent side stays the same."""

    w: Side | UnsetType = UNSET
    h: Side | UnsetType = UNSET


class WidgetChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change: absent fields stay the same; another `type` needs a `config` that fits it."""

    title: Title | UnsetType = UNSET
    type: str | UnsetType = UNSET
    config: dict[str, Any] | UnsetType = UNSET
    layout: LayoutChange | UnsetType = UNSET
    publish_rows: bool | UnsetType = UNSET
    ignore_dashboard_filters: bool | UnsetType = UNSET


class OrderIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a reorder: the IDs of all widgets of the dashboard, each once, in the new order."""

    widget_ids: Annotated[list[str], Meta(max_length=MAX_WIDGETS)]


class WidgetOut(msgspec.Struct, rename="camel"):
    """A widget; `config` leaves out fields that have their default."""

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
    """All widgets of a dashboard, sorted by position."""

    widgets: list[WidgetOut]


class DataIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a query to a widget. Absent fields default to the dashboard or the widget's config.

    Send either `timeRange`, or `from` and `to`. `filters` apply in addition to the others. With `foldSeries`, an answer
    over time has a series for at most eight labels, and one of the kind `other` for all further labels.
    """

    time_range: RollingRange | CalendarRange | UnsetType = UNSET
    from_: str | UnsetType = msgspec.field(default=UNSET, name="from")
    to: str | UnsetType = UNSET
    filters: Filters = ()
    interval: ChosenInterval | None = None
    compare: Comparison | None = None
    fold_series: bool = False


class Spot(DataPoint, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A data point, under the name that /openapi.json has for it."""


class BehindIn(DataIn):
    """Body of a query for the actors or groups behind the number `at` of a widget's answer.

    `limit` is at most 200, except for a file, which has all. `cursor` is `next` from the previous page.
    """

    at: Spot = Spot()
    limit: PageLimit | None = None
    cursor: str | None = None


class ActorsBehind(msgspec.Struct, rename="camel"):
    """The number of actors behind the number, and one page of them, most events first."""

    total: int
    actors: list[ActorRow]
    next: str | None
    notices: Notices = UNSET


class GroupsBehind(msgspec.Struct, rename="camel"):
    """The number of groups behind the number, and one page of them."""

    total: int
    groups: list[GroupRow]
    next: str | None
    notices: Notices = UNSET


Behind = ActorsBehind | GroupsBehind


DifferenceLimit = Annotated[int, Meta(ge=1, le=50)]


class DifferencesIn(DataIn):
    """Body of a query for what is different about the events behind the number `at` of a widget's answer.

    `by` compares events, or the actors or groups that have them; funnels and retention compare only these.
    """

    at: Spot = Spot()
    by: ComparedBy | None = None
    limit: DifferenceLimit = DEFAULT_DIFFERENCES


class DrillDownPosition(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Where a page of such a list ended; all pages have the time of the first, so that they fit together."""

    asked_ms: AskedMs
    event_count: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    unit: str
