"""GET /v1/usage."""

from litestar import Router, get

from tallyroom.analytics.usage import service
from tallyroom.analytics.usage.schemas import UsageOut
from tallyroom.auth.guards import require_member
from tallyroom.auth.tenant import SessionPrincipal
from tallyroom.core.clock import Clock
from tallyroom.ingest.cap import MonthlyCap
from tallyroom.rest.injected import Injected


@get("/", guards=[require_member], sync_to_thread=False)
def get_usage(cap: Injected[MonthlyCap], principal: Injected[SessionPrincipal], clock: Injected[Clock]) -> UsageOut:
    """The plan, how many events it has taken this month, and how many it takes."""
    return service.usage(cap, principal.workspace_id, principal.plan, clock)


routes = Router(path="/v1/usage", route_handlers=[get_usage], tags=["workspaces"])
