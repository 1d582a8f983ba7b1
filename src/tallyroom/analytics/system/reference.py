"""The API reference: `/openapi.json`, and `/docs` to read it, with no file from another host."""

from functools import cache
from importlib.resources import files
from typing import Any

from litestar import MediaType, Request, Response, get
from litestar.controller import Controller
from litestar.params import FromPath

from tallyroom.auth.guards import public
from tallyroom.core.errors import NotFound
from tallyroom.core.side_thread import SideThread

_side = SideThread("openapi", most_waiting=64)

_ASSETS = {
    "swagger-ui-bundle.js": "text/javascript",
    "swagger-ui.css": "text/css",
    "start.js": "text/javascript",
}
_START = b"""window.ui = SwaggerUIBundle({url: "/openapi.json", dom_id: "#reference", deepLinking: true});"""
_PAGE = b"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tallyroom API reference</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"""
# Swagger UI sets style attributes on its elements and draws its icons from data URLs.
_CSP = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"


class Reference(Controller):
    """The routes of the reference; the framework asks for a controller here."""

    path = "/"
    include_in_schema = False
    guards = [public]  # noqa: RUF012 # the framework reads a plain class attribute

    @get("/openapi.json")
    async def document(self, request: Request[Any, Any, Any]) -> Response[dict[str, object]]:
        """The OpenAPI document, which is made when it is first asked for and takes a while then."""
        return Response(await _side.run(request.app.state.openapi), media_type=MediaType.JSON)

    @get("/docs", sync_to_thread=False)
    def page(self) -> Response[bytes]:
        """The page that draws it."""
        return Response(_PAGE, media_type=MediaType.HTML, headers={"content-security-policy": _CSP})

    @get("/docs/{asset:str}", sync_to_thread=False)
    def asset(self, asset: FromPath[str]) -> Response[bytes]:
        """Script and style of the page."""
        if asset not in _ASSETS:
            raise NotFound("There is no such file.")
        headers = {"cache-control": "public, max-age=86400"}
        return Response(_read(asset), media_type=_ASSETS[asset], headers=headers)


@cache
def _read(asset: str) -> bytes:
    if asset == "start.js":
        return _START
    return (files("swagger_ui") / "static" / asset).read_bytes()
