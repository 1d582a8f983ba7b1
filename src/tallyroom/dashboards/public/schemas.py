"""What anybody may know of a published dashboard: an allow-list, and nothing else (rules/boards#public-dashboard)."""

import msgspec

from tallyroom.dashboards.widgets.schemas import Layout
from tallyroom.queries.config import Display


class PublicDashboard(msgspec.Struct, rename="camel"):
    """The head of the page; days begin at midnight in its `timezone`."""

    name: str
    description: str | None
    icon: str | None
    time_range: str
    timezone: str


class PublicWidget(msgspec.Struct, rename="camel"):
    """A widget without its config; `display` is what showing it takes."""

    id: str
    title: str
    type: str
    layout: Layout
    position: int
    display: Display


class PublicPage(msgspec.Struct):
    """A published dashboard with its widgets by their positions."""

    dashboard: PublicDashboard
    widgets: list[PublicWidget]
