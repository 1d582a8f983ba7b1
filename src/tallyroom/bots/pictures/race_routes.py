"""GET /custom/bots/:slug/race: a race between bots of a public listing, as a picture (rules/pictures#race)."""

from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.params import FromPath, QueryParameter

from tallyroom.auth.guards import public
from tallyroom.bots.counters import Metric
from tallyroom.bots.pictures.race_graph import build_race_graph
from tallyroom.bots.pictures.race_reader import PublishedRaceReader
from tallyroom.bots.pictures.routes import Frame
from tallyroom.bots.race import RaceView
from tallyroom.bots.statistics_api.bot_lookup import parse_compared_ids
from tallyroom.images.cache import picture_response
from tallyroom.images.messages import GraphJob, PictureFormat
from tallyroom.images.renderer import Renderer
from tallyroom.images.schemas import GraphRequest
from tallyroom.rest.injected import Injected

Ids = Annotated[str, QueryParameter(name="ids", description="2 to 10 different bot IDs separated by commas.")]
View = Annotated[
    RaceView,
    QueryParameter(
        name="as",
        description="`value`, `growth` in percent since the first moment that all have, or `gap` to the leader.",
    ),
]


@get([f"/bots/{{slug:str}}/race{suffix}" for suffix in ("", ".svg", ".png")], guards=[public])
async def draw_race(  # noqa: PLR0913, PLR0917 # they are the parameters of a request
    request: Request[Any, Any, Any],
    slug: FromPath[str],
    renderer: Injected[Renderer],
    parameters: Injected[GraphRequest],
    published_races: Injected[PublishedRaceReader],
    bot_ids: Ids,
    metric: Annotated[Metric, QueryParameter(name="metric", description="The counter.")] = "monthly_votes",
    view: View = "value",
    time_frame: Frame = "30d",
) -> Response[bytes]:
    """Draw a counter of 2 to 10 bots of a published listing, with the day on which one passed another.

    `color` sets the color of each bot, in the order of `ids`. Otherwise, a bot has the color of its ID, or another one
    if that color is taken or hard to tell from one that is.
    """
    async with renderer.admit_request():
        race = await published_races.get_race(slug, parse_compared_ids(bot_ids, ","), metric, time_frame)
        graph = build_race_graph(race, view, parameters)
        job = GraphJob(PictureFormat.from_path(request.scope["path"]), graph, parameters.scale)
        return picture_response(request, await renderer.render(job))
