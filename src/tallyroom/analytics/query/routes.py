"""Paths under /v1/query."""

from litestar import Router

routes = Router(path="/v1/query", route_handlers=[], tags=["widgets"])
