"""GET /custom/widgets/… and /custom/dashboards/…: pictures of public dashboards (rules/pictures#public-widgets)."""

from typing import Any

from litestar import Request, Response, get
from litestar.params import FromPath

from tallyroom.auth.guards import public
from tallyroom.dashboards.public.pictures import PublicPictureJobs
from tallyroom.images.cache import picture_response
from tallyroom.images.renderer import Renderer
from tallyroom.images.schemas import AnswerLook
from tallyroom.rest.injected import Injected


@get("/widgets/{slug:str}/{widget_id:str}", guards=[public])
async def draw_widget(
    request: Request[Any, Any, Any],
    slug: FromPath[str],
    widget_id: FromPath[str],
    renderer: Injected[Renderer],
    look: Injected[AnswerLook],
    public_pictures: Injected[PublicPictureJobs],
) -> Response[bytes]:
    """Draw a widget of a public dashboard: what its public data says, over the saved range, under its title."""
    async with renderer.admit_request():
        return picture_response(
            request, await renderer.render(await public_pictures.build_widget_job(slug, widget_id, look))
        )


@get("/dashboards/{slug:str}", guards=[public])
async def draw_dashboard(
    request: Request[Any, Any, Any],
    slug: FromPath[str],
    renderer: Injected[Renderer],
    look: Injected[AnswerLook],
    public_pictures: Injected[PublicPictureJobs],
) -> Response[bytes]:
    """Draw the first chart of a public dashboard, as previews of links show it: 1200 by 630 pixels as a PNG."""
    async with renderer.admit_request():
        return picture_response(request, await renderer.render(await public_pictures.build_preview_job(slug, look)))
