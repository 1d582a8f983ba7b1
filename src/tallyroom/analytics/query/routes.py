"""POST /v1/query: a read, which holds no transaction while the event store is asked, and never the write lock."""

from litestar import Router, post
from litestar.params import JSONBody

from tallyroom.analytics.query import service
from tallyroom.analytics.query.schemas import QueryIn
from tallyroom.auth.guards import require_member
from tallyroom.auth.tenant import SessionPrincipal
from tallyroom.db.connection import Database
from tallyroom.engine.answer import Engine
from tallyroom.engine.config import Result
from tallyroom.rest.body_limits import CONFIG_BODY_BYTES
from tallyroom.rest.injected import Injected


@post("/", guards=[require_member], status_code=200, asks=True)
async def run_query(
    data: JSONBody[QueryIn],
    database: Injected[Database],
    engine: Injected[Engine],
    principal: Injected[SessionPrincipal],
) -> Result:
    """Run a widget's config without saving it, as a preview."""
    return await service.answer(database, engine, principal, data)


routes = Router(path="/v1/query", route_handlers=[run_query], request_max_body_size=CONFIG_BODY_BYTES, tags=["widgets"])
