"""Paths under /v1/schema."""

from litestar import Router

routes = Router(path="/v1/schema", route_handlers=[], tags=["events"])
