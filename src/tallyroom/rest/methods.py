"""The methods of a path, also those that the framework's own answer to OPTIONS lacks."""

from collections.abc import Iterable
from typing import Any

from litestar import Request, Response
from litestar.routes import HTTPRoute

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""The safe methods of RFC 9110, 9.2.1, except TRACE, which this server does not support."""

ONLY_HEADERS_KEY = "tallyroom.only_headers"  # set in the scope of a HEAD by server/request_entry.py
_ROUTES_KEY = "routes_by_path"


def build_allow_header(methods: Iterable[str]) -> dict[str, str]:
    """Return the header `Allow` of a path; every path accepts OPTIONS, and HEAD if it accepts GET."""
    allowed_methods = {"OPTIONS", *methods}
    if "GET" in allowed_methods:
        allowed_methods.add("HEAD")
    return {"allow": ", ".join(sorted(allowed_methods))}


def answer_options(request: Request[Any, Any, Any]) -> Response[None]:
    """Answer OPTIONS with the methods and nothing else."""
    return Response(None, status_code=204, headers=build_allow_header(find_route(request).methods))


def is_head_request(request: Request[Any, Any, Any]) -> bool:
    """Return whether the request is a HEAD, which the routes see as a GET."""
    return ONLY_HEADERS_KEY in request.scope


def find_route(request: Request[Any, Any, Any]) -> HTTPRoute:
    """Return the framework's route of a request: a path, and the handlers of its methods."""
    routes: dict[str, HTTPRoute] | None = request.app.state.get(_ROUTES_KEY)
    if routes is None:
        routes = {route.path_format: route for route in request.app.routes if isinstance(route, HTTPRoute)}
        request.app.state[_ROUTES_KEY] = routes
    return routes[request.scope["path_template"]]
