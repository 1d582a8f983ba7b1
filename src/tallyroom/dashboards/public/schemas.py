"""What the public may see of a published dashboard: an allow-list (rules/boards#public-dashboard)."""

import msgspec

from tallyroom.dashboards.outline import Outline
from tallyroom.dashboards.widgets.schemas import Layout
from tallyroom.queries.config import Display


class PublicDashboard(msgspec.Struct, rename="camel"):
    """The dashboard; days begin at midnight in its `timezone`."""

    name: str
    description: str | None
    icon: str | None
    time_range: str
    timezone: str


class PublicWidget(msgspec.Struct, rename="camel"):
    """A widget without its config; `display` is how to show it, and `outline` what is known of its answer."""

    id: str
    title: str
    type: str
    layout: Layout
    position: int
    display: Display
    outline: Outline


class PublicPage(msgspec.Struct):
    """A published dashboard with its widgets, sorted by position."""

    dashboard: PublicDashboard
    widgets: list[PublicWidget]
