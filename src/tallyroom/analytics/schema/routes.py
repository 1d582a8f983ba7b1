"""GET /v1/schema."""

from typing import Annotated

from litestar import Router, get
from litestar.params import QueryParameter

from tallyroom.analytics.schema.schemas import SchemaOut
from tallyroom.analytics.schema.service import Schemas
from tallyroom.auth.guards import require_member
from tallyroom.auth.scope import scope_of
from tallyroom.auth.tenant import SessionPrincipal
from tallyroom.auth.tokens.scopes import TAKES_TOKENS
from tallyroom.core.ranges import DEFAULT_RANGE, TimeRange
from tallyroom.db.connection import Database
from tallyroom.rest.injected import Injected

Environment = Annotated[str | None, QueryParameter(name="environment", description="`production` by default.")]
Range = Annotated[TimeRange, QueryParameter(name="timeRange", description="A rolling window that ends now.")]


@get("/", guards=[require_member])
async def get_schema(
    principal: Injected[SessionPrincipal],
    database: Injected[Database],
    schemas: Injected[Schemas],
    environment: Environment = None,
    time_range: Range = DEFAULT_RANGE,
) -> SchemaOut:
    """Which names of events and which property keys there are in a range, the most frequent first."""
    return await schemas.schema(scope_of(principal, environment, database), time_range)


routes = Router(path="/v1/schema", route_handlers=[get_schema], opt=TAKES_TOKENS, tags=["events"])
