"""The routes under /v1/alerts."""

from typing import Annotated

from litestar import Router, delete, get, patch, post
from litestar.params import FromPath, JSONBody, QueryParameter

from tallyroom.alerts.rules import history, service
from tallyroom.alerts.rules.preview import AlertPreviewer
from tallyroom.alerts.rules.resolution import IncidentResolver
from tallyroom.alerts.rules.schemas import (
    ActivityOut,
    AlertChange,
    AlertHistoryOut,
    AlertIn,
    AlertOut,
    AlertPreviewIn,
    AlertPreviewOut,
    AlertsOut,
)
from tallyroom.auth.guards import require_developer, require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.tokens.scopes import TAKES_TOKENS
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.core.paging import parse_limit
from tallyroom.rest.body_limits import CONFIG_BODY_BYTES
from tallyroom.rest.injected import Injected
from tallyroom.storage.metadata.connection import Session

DEFAULT_LIMIT = 50
MAX_LIMIT = 200

Environment = Annotated[str | None, QueryParameter(name="environment", description="All environments by default.")]
AlertId = Annotated[
    str | None, QueryParameter(name="alertId", description="All alerts by default, including deleted ones.")
]
Limit = Annotated[str | None, QueryParameter(name="limit", description="1 to 200; 50 by default.")]


@get("/", guards=[require_member])
async def list_alerts(
    db: Injected[Session], principal: Injected[MemberPrincipal], environment: Environment = None
) -> AlertsOut:
    """The alerts with their status, oldest first."""
    return AlertsOut(await service.list_alerts(db, principal, environment))


@post("/", guards=[require_developer], status_code=201)
async def create_alert(
    data: JSONBody[AlertIn],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> AlertOut:
    """Create an alert; it is first evaluated at the next beat."""
    return await service.create_alert(db, principal, data, clock, ids)


@get("/{alert_id:str}", guards=[require_member])
async def get_alert(alert_id: FromPath[str], db: Injected[Session], principal: Injected[MemberPrincipal]) -> AlertOut:
    """One alert with its status."""
    return await service.get_alert(db, principal, alert_id)


@patch("/{alert_id:str}", guards=[require_developer])
async def change_alert(  # what the framework injects
    alert_id: FromPath[str],
    data: JSONBody[AlertChange],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> AlertOut:
    """Change an alert. `"enabled": false` pauses it and ends an open incident without a message."""
    return await service.change_alert(db, principal, alert_id, data, clock, ids)


@delete("/{alert_id:str}", guards=[require_developer], status_code=204)
async def delete_alert(
    alert_id: FromPath[str],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> None:
    """Delete an alert; its activity is kept."""
    await service.delete_alert(db, principal, alert_id, clock, ids)


@post("/{alert_id:str}/resolve", guards=[require_developer], status_code=200)
async def resolve_alert(
    alert_id: FromPath[str], principal: Injected[MemberPrincipal], alert_resolutions: Injected[IncidentResolver]
) -> AlertOut:
    """Resolve the open incident of an alert and notify its channels; 409 if it has none.

    If the condition is still true at the next beat, the alert fires again.
    """
    return await alert_resolutions.resolve(principal, alert_id)


@get("/activity", guards=[require_member])
async def list_alert_activity(
    db: Injected[Session], principal: Injected[MemberPrincipal], limit: Limit = None, alert_id: AlertId = None
) -> ActivityOut:
    """When alerts fired, resolved, or lost their value during an incident; newest first."""
    max_entries = parse_limit(limit, default=DEFAULT_LIMIT, max_limit=MAX_LIMIT)
    return ActivityOut(await service.list_activity(db, principal, alert_id, max_entries))


@get("/history", guards=[require_member])
async def list_alert_history(
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    environment: Environment = None,
) -> AlertHistoryOut:
    """On which of the last 30 days each alert fired, by the workspace's clocks; oldest alert first."""
    return await history.list_history(db, principal, environment, clock)


@post("/preview", guards=[require_member], status_code=200, asks=True)
async def preview_alert(
    data: JSONBody[AlertPreviewIn], alert_previews: Injected[AlertPreviewer], principal: Injected[MemberPrincipal]
) -> AlertPreviewOut:
    """What an alert with these fields would have done in the past 30 days, minute by minute."""
    return await alert_previews.preview(principal, data)


routes = Router(
    path="/v1/alerts",
    route_handlers=[
        list_alerts,
        create_alert,
        get_alert,
        change_alert,
        delete_alert,
        resolve_alert,
        list_alert_activity,
        list_alert_history,
        preview_alert,
    ],
    request_max_body_size=CONFIG_BODY_BYTES,
    opt=TAKES_TOKENS,
    tags=["alerts"],
)
