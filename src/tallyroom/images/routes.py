"""Public pictures: graphs of a query or of a body, and the routes of other subjects below `/custom`."""

from typing import Annotated, Any, Literal

from litestar import Request, Response, Router, get, post
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter

from tallyroom.auth.guards import public
from tallyroom.core.errors import PayloadTooLarge
from tallyroom.images.cache import picture_response
from tallyroom.images.messages import PictureFormat, RenderJob
from tallyroom.images.parameters import provide_look, provide_parameters
from tallyroom.images.renderer import Renderer
from tallyroom.images.schemas import MAX_QUERY_BYTES, GraphRequest
from tallyroom.rest.bodies import BODY_TYPE_OPTION, check_json_headers, read_body
from tallyroom.rest.body_limits import DATA_BODY_BYTES
from tallyroom.rest.disconnect import READ_ONLY_OPTION
from tallyroom.rest.injected import Injected

PICTURES_TAG = "images"  # of all these routes in the API reference
_GRAPH_PATHS = ["/graph", "/graph.svg", "/graph.png"]
_RENDER_PATHS = ["/render", "/render.svg", "/render.png"]

Type = Annotated[
    Literal["graph", "graph.png"] | None,
    QueryParameter(name="type", description="Ignored; the path determines the format."),
]
DataPoints = Annotated[
    str,
    QueryParameter(
        name="data_points",
        description='JSON: `[{"id": series, "x": Unix seconds, "y": value}, …]`. '
        "If all `x` are above 10^11, they are milliseconds.",
    ),
]


@get(_GRAPH_PATHS, guards=[public])
async def draw_graph(
    request: Request[Any, Any, Any],
    renderer: Injected[Renderer],
    parameters: Injected[GraphRequest],
    data_points: DataPoints,
    type_: Type = None,  # noqa: ARG001 # accepted without effect
) -> Response[bytes]:
    """Draw the data in the query."""
    path, query = request.scope["path"], request.scope["query_string"]
    if len(query) > MAX_QUERY_BYTES:
        raise PayloadTooLarge(f"The query is larger than {MAX_QUERY_BYTES} bytes; POST the data to /custom/render.")
    async with renderer.admit_request():
        job = RenderJob(PictureFormat.from_path(path), data_points.encode(), parameters)
        return picture_response(request, await renderer.render(job, (path, query)))


@post(
    _RENDER_PATHS,
    guards=[public],
    status_code=200,
    request_max_body_size=DATA_BODY_BYTES,
    opt={READ_ONLY_OPTION: True, BODY_TYPE_OPTION: GraphRequest},
)
async def render_graph(request: Request[Any, Any, Any], renderer: Injected[Renderer]) -> Response[bytes]:
    """Draw the data in the body."""
    check_json_headers(request)
    body = await read_body(request)
    async with renderer.admit_request():
        return picture_response(
            request, await renderer.render(RenderJob(PictureFormat.from_path(request.scope["path"]), body))
        )


def image_routes(*handlers: HTTPRouteHandler) -> Router:
    """Return every path below `/custom`; `handlers` draw the pictures of other subjects."""
    return Router(
        path="/custom",
        route_handlers=[draw_graph, render_graph, *handlers],
        dependencies={
            "parameters": Provide(provide_parameters, sync_to_thread=False),
            "look": Provide(provide_look, sync_to_thread=False),
        },
        tags=[PICTURES_TAG],
    )
