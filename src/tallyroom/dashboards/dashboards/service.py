"""The rules of dashboards: pages of widgets over one environment, which can be published for everyone."""

import msgspec
from msgspec import UNSET

from tallyroom.auth.audit import Action, record
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.scope import environment_of, sees_environment
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import iso_ms
from tallyroom.dashboards.dashboards import repository
from tallyroom.dashboards.dashboards.schemas import (
    DashboardChange,
    DashboardFields,
    DashboardIn,
    DashboardOut,
    DashboardRow,
)
from tallyroom.dashboards.widgets.configs import encode_checked_filters
from tallyroom.dashboards.widgets.service import find_dashboard, list_widgets
from tallyroom.dashboards.widgets.sources import check_dashboard_sources
from tallyroom.queries.filters import read_filters
from tallyroom.rest.changes import apply_changes, find_changes
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Dashboard

MAX_DASHBOARDS = 500


async def list_dashboards(db: Session, principal: MemberPrincipal) -> list[DashboardRow]:
    """List the workspace's dashboards without their widgets, oldest first."""
    dashboards = await repository.list_dashboards(db, principal.workspace_id)
    widget_count_by_dashboard_id = await repository.count_widgets_by_dashboard(db, principal.workspace_id)
    return [
        DashboardRow(
            **msgspec.structs.asdict(_build_fields(dashboard)),
            created_by=dashboard.created_by,
            widget_count=widget_count_by_dashboard_id.get(dashboard.id, 0),
        )
        for dashboard in dashboards
        if sees_environment(principal, dashboard.environment)
    ]


async def get_dashboard(db: Session, principal: MemberPrincipal, dashboard_id: str) -> DashboardOut:
    """Return one dashboard with its widgets, or raise `NotFound`."""
    return await _load_dashboard_out(db, await find_dashboard(db, principal, dashboard_id))


async def create_dashboard(
    db: Session, principal: MemberPrincipal, body: DashboardIn, clock: Clock, id_generator: IdGenerator
) -> DashboardOut:
    """Create a dashboard without widgets; raise `ValidationFailed`, or `Conflict` after `MAX_DASHBOARDS`."""
    filters = await encode_checked_filters(body.filters)
    environment_name = None if body.environment is UNSET else body.environment
    environment = await environment_of(principal, environment_name, db)
    if await repository.count_dashboards(db, principal.workspace_id) >= MAX_DASHBOARDS:
        raise Conflict(f"This workspace has {MAX_DASHBOARDS} dashboards, the maximum. Delete one first.")
    now_ms = clock.now_ms()
    dashboard = Dashboard(
        id=id_generator.new(),
        workspace_id=principal.workspace_id,
        name=body.name,
        description=body.description,
        icon=body.icon,
        environment=environment,
        time_range=body.time_range,
        filters=filters,
        is_public=body.is_public,
        slug=id_generator.slug() if body.is_public else None,
        created_at_ms=now_ms,
        created_by=principal.user_id,
        updated_at_ms=now_ms,
    )
    await repository.add_dashboard(db, dashboard)
    if dashboard.is_public:
        await _record_action(db, principal, Action.DASHBOARD_PUBLISH, dashboard, clock, id_generator)
    return await _load_dashboard_out(db, dashboard)


async def change_dashboard(
    db: Session,
    principal: MemberPrincipal,
    dashboard_id: str,
    body: DashboardChange,
    clock: Clock,
    id_generator: IdGenerator,
) -> DashboardOut:
    """Change the fields in the body. A dashboard gets a slug when it first becomes public, and keeps it.

    Raises `NotFound`, `ValidationFailed` as `create_dashboard` does, `Forbidden` if a limited token would publish a
    value of an external source, and `Conflict` if the environment would change while a widget uses a segment of the
    current one.
    """
    dashboard = await find_dashboard(db, principal, dashboard_id)
    filters = UNSET if body.filters is UNSET else await encode_checked_filters(body.filters)
    new_values = find_changes(dashboard, msgspec.structs.asdict(body) | {"filters": filters})
    if not new_values:
        return await _load_dashboard_out(db, dashboard)
    if "environment" in new_values:
        await environment_of(principal, new_values["environment"], db)
        if widget_count := await repository.count_segmented_widgets(db, dashboard.id):
            raise Conflict(
                f"Widgets that use a segment of the {dashboard.environment} environment: {widget_count}. "
                "Remove the segments from them first."
            )
    if new_values.get("is_public"):
        await check_dashboard_sources(db, principal, dashboard.id)
    apply_changes(dashboard, new_values | {"updated_at_ms": clock.now_ms()})
    if dashboard.is_public and dashboard.slug is None:
        dashboard.slug = id_generator.slug()
    if "is_public" in new_values:
        action = Action.DASHBOARD_PUBLISH if dashboard.is_public else Action.DASHBOARD_UNPUBLISH
        await _record_action(db, principal, action, dashboard, clock, id_generator)
    return await _load_dashboard_out(db, dashboard)


async def replace_slug(
    db: Session, principal: MemberPrincipal, dashboard_id: str, clock: Clock, id_generator: IdGenerator
) -> DashboardOut:
    """Give the public page a new address; raise `NotFound`, or `Conflict` if the dashboard was never public."""
    dashboard = await find_dashboard(db, principal, dashboard_id)
    if dashboard.slug is None:
        raise Conflict("This dashboard has never been public, so it has no slug to replace. Publish it first.")
    apply_changes(dashboard, {"slug": id_generator.slug(), "updated_at_ms": clock.now_ms()})
    await _record_action(db, principal, Action.DASHBOARD_SLUG, dashboard, clock, id_generator)
    return await _load_dashboard_out(db, dashboard)


async def delete_dashboard(
    db: Session, principal: MemberPrincipal, dashboard_id: str, clock: Clock, id_generator: IdGenerator
) -> None:
    """Delete a dashboard with its widgets and its public page, or raise `NotFound`."""
    dashboard = await find_dashboard(db, principal, dashboard_id)
    await repository.delete_dashboard(db, dashboard)
    await _record_action(db, principal, Action.DASHBOARD_DELETE, dashboard, clock, id_generator)


async def _record_action(
    db: Session,
    principal: MemberPrincipal,
    action: Action,
    dashboard: Dashboard,
    clock: Clock,
    id_generator: IdGenerator,
) -> None:
    """Record an action without the slug itself: anyone who has it can see the page."""
    details = {"name": dashboard.name, "environment": dashboard.environment}
    published_tables = [widget for widget in await list_widgets(db, dashboard) if widget.publish_rows]
    if published_tables and action is Action.DASHBOARD_PUBLISH:
        details["rowsOf"] = ", ".join(table.title or table.id for table in published_tables)
    await record(db, principal, action, dashboard.id, details, clock=clock, id_generator=id_generator)


async def _load_dashboard_out(db: Session, dashboard: Dashboard) -> DashboardOut:
    widgets = await list_widgets(db, dashboard)
    return DashboardOut(**msgspec.structs.asdict(_build_fields(dashboard)), widgets=widgets)


def _build_fields(dashboard: Dashboard) -> DashboardFields:
    return DashboardFields(
        id=dashboard.id,
        name=dashboard.name,
        description=dashboard.description,
        icon=dashboard.icon,
        environment=dashboard.environment,
        time_range=dashboard.time_range,
        filters=read_filters(dashboard.filters),
        is_public=dashboard.is_public,
        slug=dashboard.slug,
        created_at=iso_ms(dashboard.created_at_ms),
        updated_at=iso_ms(dashboard.updated_at_ms),
    )
