"""GET /rankings/bots."""

from typing import Annotated, cast

from litestar import MediaType, Response, Router, get
from litestar.params import QueryParameter

from tallyroom.rest.injected import Injected
from tallyroom.statistics.context import StatisticsContext
from tallyroom.statistics.paging import limit_of, offset_of
from tallyroom.statistics.rankings import service
from tallyroom.statistics.rankings.schemas import Rankings
from tallyroom.statistics.rankings.service import SortBy, SortMethod

DEFAULT_LIMIT = 100
MAX_LIMIT = 500


@get("/bots")
async def rank_bots(
    context: Injected[StatisticsContext],
    limit: Annotated[str | None, QueryParameter(name="limit", description="1 to 500; default 100.")] = None,
    offset: Annotated[str | None, QueryParameter(name="offset", description="At least 0; default 0.")] = None,
    sort_by: Annotated[
        SortBy, QueryParameter(name="sortBy", description="Whose order the entries have.")
    ] = "monthly_votes_rank",
    sort_method: Annotated[
        SortMethod, QueryParameter(name="sortMethod", description="`asc` begins with rank 1.")
    ] = "asc",
) -> Response[Rankings]:
    """All listed bots by one of their ranks."""
    number = limit_of(limit, default=DEFAULT_LIMIT, most=MAX_LIMIT)
    page = await service.page(context, number, offset_of(offset), sort_by, sort_method)
    return Response(cast("Rankings", page), media_type=MediaType.JSON)  # written already


routes = Router(path="/rankings", route_handlers=[rank_bots], tags=["statistics"])
