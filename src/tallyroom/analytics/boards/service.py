"""The rules that dashboards and widgets share (rules/boards#room-on-boards)."""

import msgspec

from tallyroom.analytics.boards import repository
from tallyroom.analytics.boards.schemas import Layout, WidgetOut
from tallyroom.core.errors import NotFound
from tallyroom.core.times import iso_ms
from tallyroom.db.connection import Session
from tallyroom.db.models import Dashboard, Widget


async def find_dashboard(db: Session, workspace_id: str, dashboard_id: str) -> Dashboard:
    """Return the workspace's dashboard with this id.

    Raises:
        NotFound: there is none.
    """
    dashboard = await repository.find_dashboard(db, workspace_id, dashboard_id)
    if dashboard is None:
        raise NotFound("This workspace has no such dashboard.")
    return dashboard


async def list_widgets(db: Session, dashboard: Dashboard) -> list[WidgetOut]:
    """Return the widgets of a dashboard, sorted by position, in the shape of an answer."""
    return [widget_out(widget) for widget in await repository.list_widgets(db, dashboard.id)]


def widget_out(widget: Widget) -> WidgetOut:
    """A widget as it is answered."""
    return WidgetOut(
        id=widget.id,
        dashboard_id=widget.dashboard_id,
        title=widget.title,
        type=widget.type,
        config=msgspec.Raw(widget.config.encode()),
        layout=Layout(widget.width, widget.height),
        position=widget.position,
        created_at=iso_ms(widget.created_at_ms),
        updated_at=iso_ms(widget.updated_at_ms),
    )
