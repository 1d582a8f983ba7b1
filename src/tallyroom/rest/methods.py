"""Which methods a path takes: the `Allow` of a 405 and of the answer to OPTIONS.

The framework's own answer to OPTIONS forgets the methods that were registered after the path's first one.
"""

from collections.abc import Iterable
from typing import Any

from litestar import Request, Response
from litestar.routes import HTTPRoute

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""The safe methods of RFC 9110, 9.2.1, except TRACE, which this server does not support."""

ONLY_HEADERS_KEY = "tallyroom.only_headers"
"""What the front puts into the scope of a HEAD."""

_ROUTES_KEY = "routes_by_path"


def build_allow_header(methods: Iterable[str]) -> dict[str, str]:
    """The header `Allow` of a path with these methods; every path takes OPTIONS, and HEAD where it takes GET."""
    allowed_methods = {"OPTIONS", *methods}
    if "GET" in allowed_methods:
        allowed_methods.add("HEAD")
    return {"allow": ", ".join(sorted(allowed_methods))}


def answer_options(request: Request[Any, Any, Any]) -> Response[None]:
    """The answer to OPTIONS: the methods and nothing else."""
    return Response(None, status_code=204, headers=build_allow_header(find_route(request).methods))


def is_head_request(request: Request[Any, Any, Any]) -> bool:
    """Whether the request is a HEAD, which the routes see as the GET whose headers it wants."""
    return ONLY_HEADERS_KEY in request.scope


def find_route(request: Request[Any, Any, Any]) -> HTTPRoute:
    """The framework's route of a request: a path, and the handlers of its methods."""
    routes: dict[str, HTTPRoute] | None = request.app.state.get(_ROUTES_KEY)
    if routes is None:
        routes = {route.path_format: route for route in request.app.routes if isinstance(route, HTTPRoute)}
        request.app.state[_ROUTES_KEY] = routes
    return routes[request.scope["path_template"]]
