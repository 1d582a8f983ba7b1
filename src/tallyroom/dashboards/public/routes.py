"""Public dashboards and their pictures, for everyone (rest/public_headers.py, rules/pictures#public-widgets)."""

from typing import Any

from litestar import Request, Response, Router, get, post
from litestar.params import FromPath

from tallyroom.auth.guards import public
from tallyroom.dashboards.public.pictures import PublicPictureJobs
from tallyroom.dashboards.public.schemas import PublicPage
from tallyroom.dashboards.public.service import PublicDashboards
from tallyroom.images.cache import picture_response
from tallyroom.images.renderer import Renderer
from tallyroom.images.schemas import AnswerLook
from tallyroom.queries.config import Result
from tallyroom.rest.injected import Injected


@get("/{slug:str}", guards=[public])
async def get_public_dashboard(slug: FromPath[str], public_dashboards: Injected[PublicDashboards]) -> PublicPage:
    """A public dashboard and its widgets, without their configs."""
    return await public_dashboards.load_page(slug)


@post("/{slug:str}/widgets/{widget_id:str}/data", guards=[public], status_code=200)
async def get_public_data(
    slug: FromPath[str], widget_id: FromPath[str], public_dashboards: Injected[PublicDashboards]
) -> Result:
    """One public widget's data, at most 30 seconds old. The body is ignored."""
    return await public_dashboards.load_data(slug, widget_id)


@get("/widgets/{slug:str}/{widget_id:str}", guards=[public])
async def draw_widget(
    request: Request[Any, Any, Any],
    slug: FromPath[str],
    widget_id: FromPath[str],
    renderer: Injected[Renderer],
    look: Injected[AnswerLook],
    public_pictures: Injected[PublicPictureJobs],
) -> Response[bytes]:
    """Draw the public data of a widget over the saved time range, under its title."""
    async with renderer.admit_request():
        job = await public_pictures.build_widget_job(slug, widget_id, look)
        return picture_response(request, await renderer.render(job.picture), job.notices)


@get("/dashboards/{slug:str}", guards=[public])
async def draw_dashboard(
    request: Request[Any, Any, Any],
    slug: FromPath[str],
    renderer: Injected[Renderer],
    look: Injected[AnswerLook],
    public_pictures: Injected[PublicPictureJobs],
) -> Response[bytes]:
    """Draw the first chart of a public dashboard for link previews: 1200 by 630 pixels as a PNG."""
    async with renderer.admit_request():
        job = await public_pictures.build_preview_job(slug, look)
        return picture_response(request, await renderer.render(job.picture), job.notices)


routes = Router(
    path="/v1/public/dashboards", route_handlers=[get_public_dashboard, get_public_data], tags=["public dashboards"]
)
