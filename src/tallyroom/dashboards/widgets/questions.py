"""The question of a stored widget, as its dashboard asks it."""

from tallyroom.dashboards.widgets.configs import find_kind, read_stored_config
from tallyroom.dashboards.widgets.service import dashboard_filters
from tallyroom.queries.answer import WidgetQuestion
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.models import Dashboard, Widget


def build_stored_question(widget: Widget, dashboard: Dashboard) -> WidgetQuestion:
    """Return the question of a widget for its dashboard's time range, environment and filters."""
    kind = find_kind(widget.type)
    return WidgetQuestion(
        scope=Scope(dashboard.workspace_id, dashboard.environment),
        time_range=dashboard.time_range,
        kind=kind,
        config=read_stored_config(kind, widget.config),
        filters=dashboard_filters(dashboard, widget),
    )
