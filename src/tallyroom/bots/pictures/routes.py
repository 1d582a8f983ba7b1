"""GET /custom/bots/:slug/:id/:metric: the history of a listed bot, as a picture (rules/pictures#bot-pictures)."""

from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get
from litestar.params import FromPath, QueryParameter

from tallyroom.auth.guards import public
from tallyroom.bots.history import TimeFrame
from tallyroom.bots.pictures.service import PublishedBotReader, parse_metric
from tallyroom.images.cache import picture_response
from tallyroom.images.messages import PictureFormat, RenderJob
from tallyroom.images.renderer import Renderer
from tallyroom.images.schemas import GraphRequest
from tallyroom.rest.injected import Injected

Frame = Annotated[
    TimeFrame,
    QueryParameter(
        name="timeFrame", description="How far back to go: one point per hour up to 30d, one per day beyond that."
    ),
]


@get("/bots/{slug:str}/{bot_id:str}/{metric:str}", guards=[public])
async def draw_bot(
    request: Request[Any, Any, Any],
    slug: FromPath[str],
    bot_id: FromPath[str],
    metric: FromPath[str],
    renderer: Injected[Renderer],
    parameters: Injected[GraphRequest],
    published_bots: Injected[PublishedBotReader],
    time_frame: Frame = "30d",
) -> Response[bytes]:
    """Draw `monthly_votes`, `total_votes`, `server_count` or `review_count` of a bot in a published listing.

    The line is dotted over gaps of more than three times the usual interval between feeds, and ends where feeding
    stopped.
    """
    async with renderer.admit_request():
        history = await published_bots.get_history(slug, bot_id, parse_metric(metric), time_frame)
        parameters.name = parameters.name or history.name
        job = RenderJob(
            PictureFormat.from_path(metric), msgspec.json.encode(history.points), parameters, history.feed_moments
        )
        return picture_response(request, await renderer.render(job))
