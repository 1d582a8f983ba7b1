"""GET /v1/export.

A viewer may export, because they may read every event anyway. A personal access token needs a separate scope, because
others may get hold of it. The audit log records who exported what.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Any

from litestar import Request, Router, get
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, OpenAPIType, Operation, Schema
from litestar.params import QueryParameter
from litestar.response.base import ASGIResponse

from tallyroom.auth.audit import Action, record
from tallyroom.auth.guards import require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.recheck import recheck_role
from tallyroom.auth.scope import environment_of
from tallyroom.auth.tokens.scopes import TAKES_EXPORTING_TOKENS
from tallyroom.core.clock import Clock
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ids import IdGenerator
from tallyroom.events.export.compression import accepts_gzip, compress_pieces
from tallyroom.events.export.formats import EXPORT_FORMATS
from tallyroom.events.export.schemas import Format
from tallyroom.events.export.service import Exports
from tallyroom.events.export.time_range import build_file_name, parse_time_range
from tallyroom.events.parameters import Environment
from tallyroom.rest.injected import Injected
from tallyroom.rest.methods import is_head_request
from tallyroom.rest.notice_header import NOTICE_HEADER
from tallyroom.rest.streamed import StreamedResponse
from tallyroom.rest.time_ranges import RangeParameter, parse_range_name
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database

FromParameter = Annotated[
    str | None,
    QueryParameter(
        name="from", description="Start, inclusive: an ISO 8601 date or date-time, in UTC if it has no offset."
    ),
]
ToParameter = Annotated[str | None, QueryParameter(name="to", description="End, exclusive.")]
FormatParameter = Annotated[Format, QueryParameter(name="format", description="Format of the file.")]


@dataclass
class ExportOperation(Operation):
    """The API reference's entry for the export."""

    def __post_init__(self) -> None:
        """Name the media types of the file."""
        content = {
            export_format.media_type.partition(";")[0]: OpenAPIMediaType(Schema(type=OpenAPIType.STRING))
            for export_format in EXPORT_FORMATS.values()
        }
        self.responses = {"200": OpenAPIResponse("The events, as a file.", content=content)}


@get("/export", guards=[require_member], operation_class=ExportOperation)
async def export_events(
    request: Request[Any, Any, Any],
    principal: Injected[MemberPrincipal],
    database: Injected[Database],
    exports: Injected[Exports],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
    environment: Environment = None,
    named_range: RangeParameter = None,
    from_: FromParameter = None,
    to: ToParameter = None,
    format_: FormatParameter = "ndjson",
) -> ASGIResponse:
    """All events, or those in a time range, in order, as one file.

    HEAD sends the headers of the export without reading events. The header `Tallyroom-Notice` has `incomplete_data` if
    events may be missing because a part of the event store is damaged, and `older_only` if all events are older than
    the time range.
    """
    open_range, range_name = parse_time_range(from_, to), parse_range_name(named_range)
    export_format = EXPORT_FORMATS[format_]
    if range_name and (from_ or to):
        raise ValidationFailed.at(["timeRange"], "is not valid with from and to")
    async with database.session(write=True) as db:
        await recheck_role(db, principal, clock)
        scope = Scope(principal.workspace_id, await environment_of(principal, environment, db))
        details = {"format": format_, "from": from_, "to": to} | ({"timeRange": range_name} if range_name else {})
        if not is_head_request(request):
            await record(db, principal, Action.EVENTS_EXPORT, scope.environment, details, clock=clock, id_generator=ids)
    time_range = await exports.resolve_range_name(range_name, scope, clock.now_ms()) if range_name else open_range
    pieces = _no_pieces() if is_head_request(request) else await exports.open_export(scope, format_, time_range)
    file_name = build_file_name(scope.environment, format_, time_range, clock.now_ms())
    headers = {"content-disposition": f'attachment; filename="{file_name}"', "vary": "accept-encoding"}
    if notices := await exports.find_notice_codes(scope, time_range, must_check_age=not is_head_request(request)):
        headers[NOTICE_HEADER] = ", ".join(notices)
    if export_format.is_compressible and accepts_gzip(request.headers.get("accept-encoding", "")):
        headers["content-encoding"] = "gzip"
        pieces = compress_pieces(pieces)
    return StreamedResponse(iterator=pieces, media_type=export_format.media_type, headers=headers)


async def _no_pieces() -> AsyncIterator[bytes]:
    no_pieces: tuple[bytes, ...] = ()
    for piece in no_pieces:
        yield piece


routes = Router("/v1", route_handlers=[export_events], opt=TAKES_EXPORTING_TOKENS, tags=["export"])
