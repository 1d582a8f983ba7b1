"""Paths under /v1/dashboards."""

from litestar import Router

routes = Router(path="/v1/dashboards", route_handlers=[], tags=["dashboards"])
