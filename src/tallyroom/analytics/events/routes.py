"""Paths of the event endpoints that the framework serves; `POST /v1/events` itself is ingest.py."""

from litestar import Router, get

from tallyroom.analytics.events.schemas import RefusalList
from tallyroom.analytics.injected import Injected
from tallyroom.auth.guards import require_member
from tallyroom.auth.tenant import SessionPrincipal
from tallyroom.ingest.refusals import Refusals


@get("/refusals", guards=[require_member], sync_to_thread=False)
def list_refusals(principal: Injected[SessionPrincipal], refusals: Injected[Refusals]) -> RefusalList:
    """Why does nothing arrive? The last 100 refused requests of the workspace's keys."""
    return RefusalList(refusals.recent(principal.workspace_id))


routes = Router("/v1/events", route_handlers=[list_refusals], tags=["events"])
