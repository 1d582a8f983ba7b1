"""Paths under /v1/usage."""

from litestar import Router

routes = Router(path="/v1/usage", route_handlers=[], tags=["workspaces"])
