"""GET and POST /v1/dashboards; GET, PATCH and DELETE /v1/dashboards/:id; POST /v1/dashboards/:id/slug."""

from litestar import Router, delete, get, patch, post
from litestar.params import FromPath, JSONBody

from tallyroom.auth.guards import require_developer, require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.tokens.scopes import TAKES_TOKENS
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.dashboards.dashboards import service
from tallyroom.dashboards.dashboards.schemas import DashboardChange, DashboardIn, DashboardOut, DashboardsOut
from tallyroom.rest.injected import Injected
from tallyroom.storage.metadata.connection import Session


@get("/", guards=[require_member])
async def list_dashboards(db: Injected[Session], principal: Injected[MemberPrincipal]) -> DashboardsOut:
    """All dashboards of the workspace without their widgets, oldest first."""
    return DashboardsOut(await service.list_dashboards(db, principal))


@post("/", guards=[require_developer], status_code=201)
async def create_dashboard(
    data: JSONBody[DashboardIn],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> DashboardOut:
    """Create a dashboard. POST /v1/dashboards/:id/widgets adds widgets."""
    return await service.create_dashboard(db, principal, data, clock, ids)


@get("/{dashboard_id:str}", guards=[require_member])
async def get_dashboard(
    dashboard_id: FromPath[str], db: Injected[Session], principal: Injected[MemberPrincipal]
) -> DashboardOut:
    """A dashboard with its widgets, sorted by position."""
    return await service.get_dashboard(db, principal, dashboard_id)


@patch("/{dashboard_id:str}", guards=[require_developer])
async def change_dashboard(
    dashboard_id: FromPath[str],
    data: JSONBody[DashboardChange],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> DashboardOut:
    """Change a dashboard; `isPublic` shows it to everyone who has its slug."""
    return await service.change_dashboard(db, principal, dashboard_id, data, clock, ids)


@delete("/{dashboard_id:str}", guards=[require_developer], status_code=204)
async def delete_dashboard(
    dashboard_id: FromPath[str],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> None:
    """Delete a dashboard with its widgets."""
    await service.delete_dashboard(db, principal, dashboard_id, clock, ids)


@post("/{dashboard_id:str}/slug", guards=[require_developer], status_code=200)
async def replace_slug(
    dashboard_id: FromPath[str],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> DashboardOut:
    """Replace the slug. Links with the old slug stop working."""
    return await service.replace_slug(db, principal, dashboard_id, clock, ids)


routes = Router(
    path="/v1/dashboards",
    route_handlers=[list_dashboards, create_dashboard, get_dashboard, change_dashboard, delete_dashboard, replace_slug],
    opt=TAKES_TOKENS,
    tags=["dashboards"],
)
