"""GET /custom/graph, .svg and .png for anybody, POST /custom/render for more data than a URL holds."""

from typing import Annotated, Any, Literal

from litestar import Request, Response, Router, get, post
from litestar.params import JSONBody, QueryParameter

from tallyroom.auth.guards import public
from tallyroom.core.errors import PayloadTooLarge
from tallyroom.images.kept import HEADERS, is_known
from tallyroom.images.reading import graph_of, request_of
from tallyroom.images.schemas import MOST_QUERY_BYTES, DataPoint, GraphRequest
from tallyroom.images.studio import Format, Studio
from tallyroom.rest.bodies import decode_body
from tallyroom.rest.injected import Injected
from tallyroom.rest.leaving import ASKS

_GRAPHS = ["/graph", "/graph.svg", "/graph.png"]
_RENDERS = ["/render", "/render.svg", "/render.png"]

Name = Annotated[str | None, QueryParameter(name="name", description="Title of the graph.")]
Type = Annotated[
    Literal["graph", "graph.png"] | None,
    QueryParameter(name="type", description="Changes nothing: the path decides."),
]
DataPoints = Annotated[
    str, QueryParameter(name="data_points", description='JSON: `[{"id": series, "x": Unix seconds, "y": value}, …]`.')
]
Colors = Annotated[
    list[str] | None, QueryParameter(name="color", description="RGB, RRGGBB or RRGGBBAA; one for each series.")
]
Width = Annotated[str | None, QueryParameter(name="width", description="Pixels, 16 to 2000; default 1000.")]
Height = Annotated[str | None, QueryParameter(name="height", description="Pixels, 16 to 2000; default 400.")]
Scale = Annotated[str | None, QueryParameter(name="scale", description="Of a PNG, 1 to 4; default 1.")]
Theme = Annotated[
    str | None,
    QueryParameter(name="theme", description="`light` (default), `dark`, or `auto`: as the viewer of an SVG likes it."),
]
Background = Annotated[str | None, QueryParameter(name="background", description="A color, or `transparent`.")]
Fill = Annotated[
    str | None,
    QueryParameter(name="fill", description="Whether to shade what is below lines; a single one is when absent."),
]


@get(_GRAPHS, guards=[public])
async def draw_graph(
    request: Request[Any, Any, Any],
    studio: Injected[Studio],
    data_points: DataPoints,
    name: Name = None,
    type_: Type = None,  # noqa: ARG001 # taken, and without effect
    color: Colors = None,
    width: Width = None,
    height: Height = None,
    scale: Scale = None,
    theme: Theme = None,
    background: Background = None,
    fill: Fill = None,
) -> Response[bytes]:
    """Draw the data of the query."""
    if len(request.scope["query_string"]) > MOST_QUERY_BYTES:
        raise PayloadTooLarge(f"The query is larger than {MOST_QUERY_BYTES} bytes; POST the data to /custom/render.")
    words = {"name": name, "theme": theme, "background": background, "fill": fill}
    sent = request_of(words, {"width": width, "height": height, "scale": scale})
    sent.data_points = decode_body(data_points.encode(), list[DataPoint], at=["data_points"])
    sent.colors = color or []
    return await _answer(request, studio, sent, "color")


@post(_RENDERS, guards=[public], status_code=200, opt={ASKS: True})
async def render_graph(
    request: Request[Any, Any, Any], data: JSONBody[GraphRequest], studio: Injected[Studio]
) -> Response[bytes]:
    """Draw the data of the body."""
    return await _answer(request, studio, data, "colors")


async def _answer(
    request: Request[Any, Any, Any], studio: Studio, sent: GraphRequest, color_name: str
) -> Response[bytes]:
    format_ = Format.PNG if request.scope["path"].endswith(".png") else Format.SVG
    picture = await studio.picture(graph_of(sent, color_name), format_, sent.scale)
    if request.method == "GET":
        studio.keep((request.scope["path"], request.scope["query_string"]), picture)
    headers = HEADERS | {"etag": picture.tag}
    if is_known(picture, request.headers.get("if-none-match", "")):
        return Response(b"", status_code=304, headers=headers)
    return Response(picture.body, media_type=format_, headers=headers)


routes = Router(path="/custom", route_handlers=[draw_graph, render_graph], tags=["images"])
