"""Paths under /v1/annotations."""

from litestar import Router

routes = Router(path="/v1/annotations", route_handlers=[], tags=["annotations"])
