"""GET /v1/public/dashboards/:slug and POST …/widgets/:widgetId/data: for anybody (rest/public_headers.py)."""

from litestar import Router, get, post
from litestar.params import FromPath

from tallyroom.auth.guards import public
from tallyroom.dashboards.public.schemas import PublicPage
from tallyroom.dashboards.public.service import PublicDashboards
from tallyroom.queries.config import Result
from tallyroom.rest.injected import Injected


@get("/{slug:str}", guards=[public])
async def get_public_dashboard(slug: FromPath[str], public_dashboards: Injected[PublicDashboards]) -> PublicPage:
    """A published dashboard and its widgets, without what they are made from."""
    return await public_dashboards.load_page(slug)


@post("/{slug:str}/widgets/{widget_id:str}/data", guards=[public], status_code=200)
async def get_public_data(
    slug: FromPath[str], widget_id: FromPath[str], public_dashboards: Injected[PublicDashboards]
) -> Result:
    """One public widget's data, at most half a minute old; the body is not looked at."""
    return await public_dashboards.load_data(slug, widget_id)


routes = Router(
    path="/v1/public/dashboards",
    route_handlers=[get_public_dashboard, get_public_data],
    tags=["public dashboards"],
)
