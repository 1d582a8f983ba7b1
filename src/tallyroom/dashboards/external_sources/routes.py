"""GET and POST /v1/external-sources, PATCH and DELETE /v1/external-sources/:id."""

from litestar import Router, delete, get, patch, post
from litestar.params import FromPath, JSONBody

from tallyroom.auth.guards import require_developer, require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.tokens.scopes import TAKES_UNLIMITED_TOKENS
from tallyroom.dashboards.external_sources import service
from tallyroom.dashboards.external_sources.schemas import (
    ExternalSourceChange,
    ExternalSourceIn,
    ExternalSourceOut,
    ExternalSourcesOut,
)
from tallyroom.dashboards.external_sources.service import ExternalSources
from tallyroom.rest.injected import Injected
from tallyroom.storage.metadata.connection import Session


@get("/", guards=[require_member])
async def list_external_sources(db: Injected[Session], principal: Injected[MemberPrincipal]) -> ExternalSourcesOut:
    """The external sources without their tokens, oldest first."""
    return ExternalSourcesOut(await service.list_sources(db, principal.workspace_id))


@post("/", guards=[require_developer], status_code=201)
async def create_external_source(
    data: JSONBody[ExternalSourceIn],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    external_sources: Injected[ExternalSources],
) -> ExternalSourceOut:
    """Trust a host, so that External widgets may fetch from it. The token is sent to this host only."""
    return await external_sources.create(db, principal, data)


@patch("/{source_id:str}", guards=[require_developer])
async def change_external_source(
    source_id: FromPath[str],
    data: JSONBody[ExternalSourceChange],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    external_sources: Injected[ExternalSources],
) -> ExternalSourceOut:
    """Change an external source. A new `host` without a `token` removes the stored token."""
    return await external_sources.change(db, principal, source_id, data)


@delete("/{source_id:str}", guards=[require_developer], status_code=204)
async def delete_external_source(
    source_id: FromPath[str],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    external_sources: Injected[ExternalSources],
) -> None:
    """Delete an external source that no widget fetches from, and its token."""
    await external_sources.delete(db, principal, source_id)


routes = Router(
    path="/v1/external-sources",
    route_handlers=[list_external_sources, create_external_source, change_external_source, delete_external_source],
    opt=TAKES_UNLIMITED_TOKENS,
    tags=["external sources"],
)
