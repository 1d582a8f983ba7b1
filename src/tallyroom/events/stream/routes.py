"""GET /v1/events/stream (rules/questions#event-stream)."""

from functools import partial
from typing import Annotated, Any

from litestar import Request, Router, get
from litestar.params import HeaderParameter
from litestar.response.base import ASGIResponse

from tallyroom.auth.guards import require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.scope import scope_of
from tallyroom.auth.tokens.scopes import TAKES_TOKENS
from tallyroom.events.parameters import Actor, Environment, FiltersText, Name
from tallyroom.events.selection import parse_selection
from tallyroom.events.stream.response import StreamHead, StreamOperation, StreamResponse
from tallyroom.events.stream.stream import Streams
from tallyroom.rest.injected import Injected
from tallyroom.rest.methods import is_head_request
from tallyroom.storage.metadata.connection import Database


@get("/stream", guards=[require_member], operation_class=StreamOperation)
async def stream_events(
    request: Request[Any, Any, Any],
    principal: Injected[MemberPrincipal],
    database: Injected[Database],
    streams: Injected[Streams],
    environment: Environment = None,
    name: Name = None,
    actor: Actor = None,
    filters: FiltersText = None,
    last_event_id: Annotated[
        str | None, HeaderParameter(name="Last-Event-ID", description="Continue after this event.")
    ] = None,
) -> ASGIResponse:
    """Newly stored events as server-sent events, in the order of arrival; each `id` is the ID of the event."""
    selection = await parse_selection(name, actor, filters)
    scope = await scope_of(principal, environment, database)
    if is_head_request(request):
        return StreamHead()
    texts = await streams.open_stream(principal, scope, selection, last_event_id)
    return StreamResponse(texts, partial(streams.wait_until_over, principal))


routes = Router("/v1/events", route_handlers=[stream_events], opt=TAKES_TOKENS, tags=["events"])
