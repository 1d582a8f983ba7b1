"""GET /v1/audit."""

from typing import Annotated

from litestar import Router, get
from litestar.params import QueryParameter

from tallyroom.auth.guards import require_admin
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.paging import parse_limit
from tallyroom.rest.injected import Injected
from tallyroom.storage.metadata.connection import Session
from tallyroom.workspaces.audit import service
from tallyroom.workspaces.audit.service import EntriesOut

DEFAULT_LIMIT = 50
MAX_LIMIT = 200


@get("/", guards=[require_admin])
async def list_audit_entries(
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    limit: Annotated[str | None, QueryParameter(name="limit", description="1 to 200; 50 by default.")] = None,
    cursor: Annotated[str | None, QueryParameter(name="cursor", description="`next` from the previous page.")] = None,
) -> EntriesOut:
    """Who did what in the workspace, newest first."""
    max_entries = parse_limit(limit, default=DEFAULT_LIMIT, max_limit=MAX_LIMIT)
    return await service.list_entries(db, principal.workspace_id, max_entries, cursor)


routes = Router(path="/v1/audit", route_handlers=[list_audit_entries], tags=["audit"])
