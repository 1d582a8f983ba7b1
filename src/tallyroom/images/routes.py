"""Pictures for anybody: graphs of a query or of a body, bots, and widgets of public dashboards."""

from typing import Annotated, Any, Literal

from litestar import Request, Response, Router, get, post
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from tallyroom.auth.guards import public
from tallyroom.core.errors import PayloadTooLarge
from tallyroom.images.cache import picture_response
from tallyroom.images.messages import Format, RenderJob
from tallyroom.images.parameters import provide_look, provide_parameters
from tallyroom.images.public_pictures import PublishedWidgets
from tallyroom.images.renderer import Renderer
from tallyroom.images.schemas import MAX_QUERY_BYTES, AnswerLook, GraphRequest
from tallyroom.rest.bodies import READS, check_json, read_body
from tallyroom.rest.body_limits import DATA_BODY_BYTES
from tallyroom.rest.disconnect import ASKS
from tallyroom.rest.injected import Injected

PICTURES = "images"
"""The tag of all these routes in the API's description."""

_GRAPHS = ["/graph", "/graph.svg", "/graph.png"]
_RENDERS = ["/render", "/render.svg", "/render.png"]

Type = Annotated[
    Literal["graph", "graph.png"] | None,
    QueryParameter(name="type", description="Changes nothing: the path decides."),
]
DataPoints = Annotated[
    str,
    QueryParameter(
        name="data_points",
        description='JSON: `[{"id": series, "x": Unix seconds, "y": value}, …]`. '
        "Where all `x` are above 10^11, they are milliseconds.",
    ),
]


@get(_GRAPHS, guards=[public])
async def draw_graph(
    request: Request[Any, Any, Any],
    renderer: Injected[Renderer],
    parameters: Injected[GraphRequest],
    data_points: DataPoints,
    type_: Type = None,  # noqa: ARG001 # taken, and without effect
) -> Response[bytes]:
    """Draw the data of the query."""
    path, query = request.scope["path"], request.scope["query_string"]
    if len(query) > MAX_QUERY_BYTES:
        raise PayloadTooLarge(f"The query is larger than {MAX_QUERY_BYTES} bytes; POST the data to /custom/render.")
    async with renderer.admission():
        job = RenderJob(Format.of(path), data_points.encode(), parameters)
        return picture_response(request, await renderer.picture(job, (path, query)))


@post(
    _RENDERS,
    guards=[public],
    status_code=200,
    request_max_body_size=DATA_BODY_BYTES,
    opt={ASKS: True, READS: GraphRequest},
)
async def render_graph(request: Request[Any, Any, Any], renderer: Injected[Renderer]) -> Response[bytes]:
    """Draw the data of the body."""
    check_json(request)
    body = await read_body(request)
    async with renderer.admission():
        return picture_response(request, await renderer.picture(RenderJob(Format.of(request.scope["path"]), body)))


@get("/widgets/{slug:str}/{widget_id:str}", guards=[public])
async def draw_widget(
    request: Request[Any, Any, Any],
    slug: FromPath[str],
    widget_id: FromPath[str],
    renderer: Injected[Renderer],
    look: Injected[AnswerLook],
    published_widgets: Injected[PublishedWidgets],
) -> Response[bytes]:
    """Draw a widget of a public dashboard: what its public data says, over the saved range, under its title."""
    async with renderer.admission():
        return picture_response(request, await renderer.picture(await published_widgets.widget(slug, widget_id, look)))


@get("/dashboards/{slug:str}", guards=[public])
async def draw_dashboard(
    request: Request[Any, Any, Any],
    slug: FromPath[str],
    renderer: Injected[Renderer],
    look: Injected[AnswerLook],
    published_widgets: Injected[PublishedWidgets],
) -> Response[bytes]:
    """Draw the first chart of a public dashboard, as previews of links show it: 1200 by 630 pixels as a PNG."""
    async with renderer.admission():
        return picture_response(request, await renderer.picture(await published_widgets.preview(slug, look)))


def image_routes(*handlers: HTTPRouteHandler) -> Router:
    """Return every path below `/custom`.

    Args:
        handlers: those of pictures that another subject draws.
    """
    return Router(
        path="/custom",
        route_handlers=[draw_graph, render_graph, draw_widget, draw_dashboard, *handlers],
        dependencies={
            "parameters": Provide(provide_parameters, sync_to_thread=False),
            "look": Provide(provide_look, sync_to_thread=False),
        },
        tags=[PICTURES],
    )
