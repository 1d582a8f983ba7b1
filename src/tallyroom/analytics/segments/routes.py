"""Paths under /v1/segments."""

from litestar import Router

routes = Router(path="/v1/segments", route_handlers=[], tags=["segments"])
