"""Paths under /v1."""

from litestar import Router

routes = Router(path="/v1", route_handlers=[], tags=["groups"])
