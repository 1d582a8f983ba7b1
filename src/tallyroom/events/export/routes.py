"""GET /v1/export.

A viewer may export: they may read every event of the workspace anyway, and a larger answer is not another right. A
personal access token needs a scope of its own, because it may fall into the hands of others. The audit log records who
exported what.
"""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from litestar import Request, Router, get
from litestar.params import QueryParameter
from litestar.response.base import ASGIResponse

from tallyroom.auth.audit import Action, record
from tallyroom.auth.guards import require_member
from tallyroom.auth.principals import SessionPrincipal
from tallyroom.auth.recheck import recheck_role
from tallyroom.auth.scope import environment_of
from tallyroom.auth.tokens.scopes import TAKES_EXPORTING_TOKENS
from tallyroom.core.clock import Clock
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ids import Ids
from tallyroom.events.export.compression import gzipped, takes_gzip
from tallyroom.events.export.formats import FORMS
from tallyroom.events.export.response import ExportOperation
from tallyroom.events.export.schemas import Format
from tallyroom.events.export.service import Exports
from tallyroom.events.export.time_range import file_name, time_range_of
from tallyroom.events.parameters import Environment
from tallyroom.rest.injected import Injected
from tallyroom.rest.methods import asks_for_headers
from tallyroom.rest.streamed import StreamedResponse
from tallyroom.rest.time_ranges import RangeParameter, range_name_of
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database

From = Annotated[
    str | None,
    QueryParameter(name="from", description="First moment: ISO 8601, a date or date-time, UTC without offset."),
]
To = Annotated[str | None, QueryParameter(name="to", description="The end, which is not included.")]
NOTICE = "tallyroom-notice"
Form = Annotated[Format, QueryParameter(name="format", description="Format of the file.")]


@get("/export", guards=[require_member], operation_class=ExportOperation)
async def export_events(
    request: Request[Any, Any, Any],
    principal: Injected[SessionPrincipal],
    database: Injected[Database],
    exports: Injected[Exports],
    clock: Injected[Clock],
    ids: Injected[Ids],
    environment: Environment = None,
    named_range: RangeParameter = None,
    from_: From = None,
    to: To = None,
    format_: Form = "ndjson",
) -> ASGIResponse:
    """All events of a time range, or of all times, in their order, as one file.

    HEAD answers the headers that the export would have, and reads no event. The header `Tallyroom-Notice` has
    `incomplete_data` if events of the time range may be missing, because a part of the event store is damaged, and
    `older_only` if all events are older than the time range.
    """
    open_range, range_name, form = time_range_of(from_, to), range_name_of(named_range), FORMS[format_]
    if range_name and (from_ or to):
        raise ValidationFailed.at(["timeRange"], "is not valid beside from and to")
    async with database.session(write=True) as db:
        await recheck_role(db, principal, clock)
        scope = Scope(principal.workspace_id, await environment_of(principal, environment, db))
        details = {"format": format_, "from": from_, "to": to} | ({"timeRange": range_name} if range_name else {})
        if not asks_for_headers(request):
            await record(db, principal, Action.EVENTS_EXPORT, scope.environment, details, clock=clock, ids=ids)
    time_range = await exports.time_range_of(range_name, scope, clock.now_ms()) if range_name else open_range
    pieces = _no_pieces() if asks_for_headers(request) else await exports.open(scope, format_, time_range)
    name = file_name(scope.environment, format_, time_range, clock.now_ms())
    headers = {
        "content-disposition": f'attachment; filename="{name}"',
        "vary": "accept-encoding",
    }
    if notices := await exports.notices(scope, time_range, looks=not asks_for_headers(request)):
        headers[NOTICE] = ", ".join(notices)
    if form.compressible and takes_gzip(request.headers.get("accept-encoding", "")):
        headers["content-encoding"] = "gzip"
        pieces = gzipped(pieces)
    return StreamedResponse(iterator=pieces, media_type=form.media_type, headers=headers)


async def _no_pieces() -> AsyncIterator[bytes]:
    nothing: tuple[bytes, ...] = ()
    for piece in nothing:
        yield piece


routes = Router("/v1", route_handlers=[export_events], opt=TAKES_EXPORTING_TOKENS, tags=["export"])
