"""GET and POST /v1/segments, PATCH and DELETE /v1/segments/:id."""

from typing import Annotated

from litestar import Router, delete, get, patch, post
from litestar.params import FromPath, JSONBody, QueryParameter

from tallyroom.auth.guards import require_developer, require_member_or_key
from tallyroom.auth.principals import KeyPrincipal, MemberPrincipal
from tallyroom.auth.tokens.scopes import TAKES_TOKENS
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.dashboards.segments import service
from tallyroom.dashboards.segments.schemas import SegmentChange, SegmentIn, SegmentOut, SegmentsOut
from tallyroom.rest.body_limits import CONFIG_BODY_BYTES
from tallyroom.rest.injected import Injected
from tallyroom.storage.metadata.connection import Session

Environment = Annotated[
    str | None, QueryParameter(name="environment", description="All environments by default; for an API key, its own.")
]


@get("/", guards=[require_member_or_key])
async def list_segments(
    db: Injected[Session], principal_or_key: Injected[KeyPrincipal | MemberPrincipal], environment: Environment = None
) -> SegmentsOut:
    """The saved segments, oldest first."""
    return SegmentsOut(await service.list_segments(db, principal_or_key, environment))


@post("/", guards=[require_developer], status_code=201)
async def create_segment(
    data: JSONBody[SegmentIn],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> SegmentOut:
    """Save filters under a name, for the widgets of one environment."""
    return await service.create_segment(db, principal, data, clock, ids)


@patch("/{segment_id:str}", guards=[require_developer])
async def change_segment(
    segment_id: FromPath[str],
    data: JSONBody[SegmentChange],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
) -> SegmentOut:
    """Rename a segment or replace its filters. The widgets that use it follow immediately."""
    return await service.change_segment(db, principal, segment_id, data, clock)


@delete("/{segment_id:str}", guards=[require_developer], status_code=204)
async def delete_segment(
    segment_id: FromPath[str], db: Injected[Session], principal: Injected[MemberPrincipal]
) -> None:
    """Delete a segment that no widget and no alert uses."""
    await service.delete_segment(db, principal, segment_id)


routes = Router(
    path="/v1/segments",
    route_handlers=[list_segments, create_segment, change_segment, delete_segment],
    request_max_body_size=CONFIG_BODY_BYTES,
    opt=TAKES_TOKENS,
    tags=["segments"],
)
