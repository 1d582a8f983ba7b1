"""GET /v1/schema."""

from litestar import Router, get
from litestar.di import Provide

from tallyroom.auth.guards import require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.scope import scope_of
from tallyroom.auth.tokens.scopes import TAKES_TOKENS
from tallyroom.core.ranges import TimeRange
from tallyroom.events.parameters import Environment
from tallyroom.events.schema.schemas import SchemaOut
from tallyroom.events.schema.service import Schemas
from tallyroom.rest.injected import Injected
from tallyroom.rest.time_ranges import provide_time_range
from tallyroom.storage.metadata.connection import Database


@get("/", guards=[require_member])
async def get_schema(
    principal: Injected[MemberPrincipal],
    database: Injected[Database],
    schemas: Injected[Schemas],
    time_range: Injected[TimeRange],
    environment: Environment = None,
) -> SchemaOut:
    """The event names and property keys of a time range, most frequent first."""
    return await schemas.find_schema(await scope_of(principal, environment, database), time_range)


routes = Router(
    path="/v1/schema",
    route_handlers=[get_schema],
    dependencies={"time_range": Provide(provide_time_range, sync_to_thread=False)},
    opt=TAKES_TOKENS,
    tags=["events"],
)
