"""Widgets: a config fits its type, and positions count from 0 without gaps (rules/boards#order-of-widgets)."""

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import msgspec
from msgspec import UNSET

from tallyroom.auth.audit import Action
from tallyroom.auth.principals import KeyPrincipal, MemberPrincipal
from tallyroom.auth.scope import sees_environment
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, Detail, NotFound, ValidationFailed
from tallyroom.core.fetch.rules import OutboundRules
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import iso_ms
from tallyroom.dashboards.widgets import repository
from tallyroom.dashboards.widgets.configs import encode_to_store, find_kind, read_sent_config
from tallyroom.dashboards.widgets.repository import PlacedWidget
from tallyroom.dashboards.widgets.row_publication import (
    record_row_publication,
    refuse_rows_without_table,
    will_publish_rows,
)
from tallyroom.dashboards.widgets.schemas import MAX_WIDGETS, Layout, LayoutChange, WidgetChange, WidgetIn, WidgetOut
from tallyroom.dashboards.widgets.sources import check_source_choice
from tallyroom.queries.config import Config
from tallyroom.queries.filters import Filter, read_filters
from tallyroom.queries.repository import find_segment_filters
from tallyroom.rest.changes import apply_changes, find_changes
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Dashboard, Widget

PUBLIC_ONLY_RULES = OutboundRules()  # unless the settings allow more


async def find_dashboard(db: Session, principal: KeyPrincipal | MemberPrincipal, dashboard_id: str) -> Dashboard:
    """Return the workspace's dashboard with this id, or raise `NotFound` if the principal cannot see it."""
    dashboard = await repository.find_dashboard(db, principal.workspace_id, dashboard_id)
    if dashboard is None or not sees_environment(principal, dashboard.environment):
        raise NotFound("This workspace has no such dashboard.")
    return dashboard


async def list_widgets(db: Session, dashboard: Dashboard) -> list[WidgetOut]:
    """Return the widgets of a dashboard, sorted by position, in the shape of a response."""
    return [build_widget_out(widget) for widget in await repository.list_widgets(db, dashboard.id)]


async def add_widget(
    db: Session,
    principal: MemberPrincipal,
    dashboard_id: str,
    body: WidgetIn,
    clock: Clock,
    id_generator: IdGenerator,
    outbound_rules: OutboundRules = PUBLIC_ONLY_RULES,
) -> WidgetOut:
    """Add a widget after the others of a dashboard.

    Raises `NotFound`, `ValidationFailed` for an invalid body, `Forbidden` if a limited token would use an external
    source, and `Conflict` if the dashboard is full.
    """
    dashboard = await find_dashboard(db, principal, dashboard_id)
    config = await read_sent_config(find_kind(body.type), body.config)
    refuse_rows_without_table(body.type, body.publish_rows)
    await check_source_choice(db, principal, config, outbound_rules)
    widget_count = len(await repository.list_widgets(db, dashboard.id))
    if widget_count >= MAX_WIDGETS:
        raise Conflict(f"This dashboard has {MAX_WIDGETS} widgets, the maximum. Delete one first.")
    now_ms = clock.now_ms()
    widget = Widget(
        id=id_generator.new(),
        dashboard_id=dashboard.id,
        title=body.title,
        type=body.type,
        config=encode_to_store(config, ["config"]),
        segment_id=await _find_segment_id(db, dashboard, config),
        publish_rows=body.publish_rows,
        ignores_dashboard_filters=body.ignore_dashboard_filters,
        width=body.layout.w,
        height=body.layout.h,
        position=widget_count,
        created_at_ms=now_ms,
        updated_at_ms=now_ms,
    )
    await repository.add_widget(db, widget)
    if widget.publish_rows:
        placed_widget = PlacedWidget(widget, dashboard)
        await record_row_publication(db, principal, placed_widget, Action.WIDGET_PUBLISH_ROWS, clock, id_generator)
    return build_widget_out(widget)


async def change_widget(
    db: Session,
    principal: MemberPrincipal,
    widget_id: str,
    body: WidgetChange,
    clock: Clock,
    id_generator: IdGenerator,
    outbound_rules: OutboundRules = PUBLIC_ONLY_RULES,
) -> WidgetOut:
    """Change the fields in the body; raises the errors of `add_widget` except `Conflict`."""
    placed_widget = await find_placed_widget(db, principal, widget_id)
    layout = LayoutChange() if body.layout is UNSET else body.layout
    values: dict[str, object] = {
        "title": body.title,
        "type": body.type,
        "publish_rows": will_publish_rows(placed_widget.widget, body),
        "ignores_dashboard_filters": body.ignore_dashboard_filters,
        "width": layout.w,
        "height": layout.h,
    }
    if config := await _read_changed_config(placed_widget.widget, body):
        await check_source_choice(db, principal, config, outbound_rules)
        values["config"] = encode_to_store(config, ["config"])
        values["segment_id"] = await _find_segment_id(db, placed_widget.dashboard, config)
    if new_values := find_changes(placed_widget.widget, values):
        apply_changes(placed_widget.widget, new_values | {"updated_at_ms": clock.now_ms()})
    if "publish_rows" in new_values:
        action = Action.WIDGET_PUBLISH_ROWS if placed_widget.widget.publish_rows else Action.WIDGET_WITHHOLD_ROWS
        await record_row_publication(db, principal, placed_widget, action, clock, id_generator)
    return build_widget_out(placed_widget.widget)


async def delete_widget(
    db: Session, principal: MemberPrincipal, widget_id: str, clock: Clock, id_generator: IdGenerator
) -> None:
    """Delete a widget, or raise `NotFound`; the widgets after it move up."""
    placed_widget = await find_placed_widget(db, principal, widget_id)
    await repository.delete_widget(db, placed_widget.widget)
    if placed_widget.widget.publish_rows:
        await record_row_publication(db, principal, placed_widget, Action.WIDGET_WITHHOLD_ROWS, clock, id_generator)


async def reorder_widgets(
    db: Session, principal: MemberPrincipal, dashboard_id: str, widget_ids: Sequence[str]
) -> list[WidgetOut]:
    """Put the widgets of a dashboard into this order; raise `NotFound`, or `ValidationFailed` for other ids."""
    dashboard = await find_dashboard(db, principal, dashboard_id)
    widget_by_id = {widget.id: widget for widget in await repository.list_widgets(db, dashboard.id)}
    _check_widget_ids(widget_ids, widget_by_id.keys())
    for position, widget_id in enumerate(widget_ids):
        widget_by_id[widget_id].position = position
    return [build_widget_out(widget_by_id[widget_id]) for widget_id in widget_ids]


def dashboard_filters(dashboard: Dashboard, widget: Widget) -> tuple[Filter, ...]:
    """Return the filters of a dashboard that apply to one of its widgets."""
    return () if widget.ignores_dashboard_filters else read_filters(dashboard.filters)


def build_widget_out(widget: Widget) -> WidgetOut:
    """Return a widget in the shape of a response."""
    return WidgetOut(
        id=widget.id,
        dashboard_id=widget.dashboard_id,
        title=widget.title,
        type=widget.type,
        config=msgspec.Raw(widget.config.encode()),
        layout=Layout(widget.width, widget.height),
        publish_rows=widget.publish_rows,
        ignore_dashboard_filters=widget.ignores_dashboard_filters,
        position=widget.position,
        created_at=iso_ms(widget.created_at_ms),
        updated_at=iso_ms(widget.updated_at_ms),
    )


async def find_placed_widget(db: Session, principal: MemberPrincipal, widget_id: str) -> PlacedWidget:
    """Return the workspace's widget with this id and its dashboard, or raise `NotFound` if they are not visible."""
    placed_widget = await repository.find_placed_widget(db, principal.workspace_id, widget_id)
    if placed_widget is None or not sees_environment(principal, placed_widget.dashboard.environment):
        raise NotFound("This workspace has no such widget.")
    return placed_widget


async def _read_changed_config(widget: Widget, body: WidgetChange) -> Config | None:
    kind = None if body.type is UNSET else find_kind(body.type)
    if body.config is not UNSET:
        return await read_sent_config(kind or find_kind(widget.type), body.config)
    if kind and kind.name != widget.type:
        raise ValidationFailed.at(["config"], "is required when type changes")
    return None


async def _find_segment_id(db: Session, dashboard: Dashboard, config: Config) -> str | None:
    segment_id: str | None = getattr(config, "segment_id", None)
    scope = Scope(dashboard.workspace_id, dashboard.environment)
    if segment_id is not None and await find_segment_filters(db, scope, segment_id) is None:
        raise ValidationFailed.at(["config", "segmentId"], "is not a segment of the dashboard's environment")
    return segment_id


def _check_widget_ids(widget_ids: Sequence[str], expected_ids: AbstractSet[str]) -> None:
    count_by_id = Counter(widget_ids)
    details = [
        Detail(
            ["widgetIds", index], "appears twice" if widget_id in expected_ids else "is not a widget of this dashboard"
        )
        for index, widget_id in enumerate(widget_ids)
        if widget_id not in expected_ids or count_by_id[widget_id] > 1
    ]
    if missing_ids := expected_ids - count_by_id.keys():
        details.append(Detail(["widgetIds"], f"must list all widgets of the dashboard; missing: {min(missing_ids)}"))
    if details:
        raise ValidationFailed.of(details)
