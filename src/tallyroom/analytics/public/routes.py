"""Paths under /v1/public/dashboards."""

from litestar import Router

routes = Router(path="/v1/public/dashboards", route_handlers=[], tags=["public dashboards"])
