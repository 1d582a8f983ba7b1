"""The API reference: `/openapi.json`, and `/docs` to read it, with no file from another host."""

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from litestar import MediaType, Request, Response, get
from litestar.controller import Controller
from litestar.datastructures import State
from litestar.params import FromPath

from tallyroom.auth.guards import public
from tallyroom.core.errors import NotFound
from tallyroom.core.offload import SideThread
from tallyroom.rest.static_file import REVALIDATE, StaticFile, compress_body

_side_thread = SideThread("openapi", max_waiting=64)

_ASSETS = {"swagger-ui-bundle.js", "swagger-ui.css", "start.js"}
_ONE_DAY_CACHING = b"public, max-age=86400"
_FILE_KEY = "openapi_file"  # the key of the rendered document in the app's state
_START_SCRIPT = b"""window.ui = SwaggerUIBundle({url: "/openapi.json", dom_id: "#reference", deepLinking: true});"""
_PAGE_HTML = b"""<!doctype html>
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
    async def document(self, request: Request[Any, Any, Any]) -> Response[bytes]:
        """The OpenAPI document, which is built on the first request."""
        state = request.app.state
        file: StaticFile | None = state.get(_FILE_KEY)
        return _build_response(await _side_thread.run(_build_document_file, state) if file is None else file, request)

    @get("/docs", sync_to_thread=False)
    def page(self) -> Response[bytes]:
        """The page that draws it."""
        return Response(_PAGE_HTML, media_type=MediaType.HTML, headers={"content-security-policy": _CSP})

    @get("/docs/{asset:str}")
    async def asset(self, asset: FromPath[str], request: Request[Any, Any, Any]) -> Response[bytes]:
        """Script and style of the page."""
        if asset not in _ASSETS:
            raise NotFound("This file does not exist.")
        return _build_response(await _side_thread.run(_build_asset_file, asset), request)


def _build_document_file(state: State) -> StaticFile:
    """Build the document, unless an earlier request has."""
    if _FILE_KEY not in state:
        body = msgspec.json.encode(state.openapi())
        state[_FILE_KEY] = StaticFile.of("openapi.json", compress_body(body), REVALIDATE, [])
    file: StaticFile = state[_FILE_KEY]
    return file


@cache
def _build_asset_file(asset: str) -> StaticFile:
    body = _START_SCRIPT if asset == "start.js" else (files("swagger_ui") / "static" / asset).read_bytes()
    return StaticFile.of(asset, compress_body(body), _ONE_DAY_CACHING, [])


def _build_response(file: StaticFile, request: Request[Any, Any, Any]) -> Response[bytes]:
    answer = file.build_answer(list(request.scope["headers"]))
    headers = {
        name.decode(): value.decode() for name, value in (*answer.headers, (b"content-type", answer.content_type))
    }
    return Response(answer.body, status_code=answer.status, headers=headers)
