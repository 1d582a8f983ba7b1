"""The bodies and answers of the dashboard routes (rules/boards#dashboard)."""

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.core.ranges import DEFAULT_RANGE, RangeName
from tallyroom.dashboards.widgets.schemas import WidgetOut
from tallyroom.queries.filters import Filter, Filters
from tallyroom.rest.fields import Icon, Name, ShortText


class DashboardIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a new dashboard; `environment` is `production` by default, and `filters` apply to all widgets."""

    name: Name
    description: ShortText | None = None
    icon: Icon | None = None
    environment: str | UnsetType = UNSET
    time_range: RangeName = DEFAULT_RANGE
    filters: Filters = ()
    is_public: bool = False


class DashboardChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change: absent fields stay the same; null clears `description` and `icon`."""

    name: Name | UnsetType = UNSET
    description: ShortText | UnsetType | None = UNSET
    icon: Icon | UnsetType | None = UNSET
    environment: str | UnsetType = UNSET
    time_range: RangeName | UnsetType = UNSET
    filters: Filters | UnsetType = UNSET
    is_public: bool | UnsetType = UNSET


class DashboardFields(msgspec.Struct, rename="camel"):
    """The fields of a dashboard; `slug` names its public page, null before it is first published."""

    id: str
    name: str
    description: str | None
    icon: str | None
    environment: str
    time_range: RangeName
    filters: tuple[Filter, ...]
    is_public: bool
    slug: str | None
    created_at: str
    updated_at: str


class DashboardRow(DashboardFields, rename="camel"):
    """A dashboard in the list, with the number of its widgets; `createdBy` is the id of a user, null if deleted."""

    created_by: str | None
    widget_count: int


class DashboardOut(DashboardFields, rename="camel"):
    """A dashboard with its widgets, sorted by position."""

    widgets: list[WidgetOut]


class DashboardsOut(msgspec.Struct, rename="camel"):
    """All dashboards of the workspace, oldest first."""

    dashboards: list[DashboardRow]
