"""What handlers ask for: the framework finds it by the parameter's name alone, so no other parameter has that name."""

from collections.abc import Iterator
from typing import Any, get_type_hints

from litestar import Router
from litestar.di import Dependency
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

from tallyroom.bots.pictures.routes import draw_bot
from tallyroom.bots.statistics_api.routes import build_statistics_routes
from tallyroom.images.routes import image_routes
from tallyroom.server.api import analytics_routes
from tallyroom.server.dependencies import Dependencies
from tallyroom.server.services import Services
from tallyroom.server.ui.routes import routes as ui_routes

BY_NAME = Services.__dataclass_fields__.keys() | Dependencies.__dataclass_fields__.keys()


def handlers() -> Iterator[HTTPRouteHandler]:
    router = Router(
        "/", route_handlers=[*ui_routes, *analytics_routes, *build_statistics_routes(["chat"]), image_routes(draw_bot)]
    )
    for route in router.routes:
        if isinstance(route, HTTPRoute):
            yield from (handler for handler in route.route_handlers if handler.fn.__module__.startswith("tallyroom."))


def parameters(handler: HTTPRouteHandler) -> dict[str, Any]:
    """The annotations of its parameters by name, with all that they carry."""
    return get_type_hints(handler.fn, include_extras=True)


def test_no_part_hides_another() -> None:
    assert Services.__dataclass_fields__.keys() & Dependencies.__dataclass_fields__.keys() == set()


def test_only_what_is_injected_has_the_name_of_a_dependency() -> None:
    named = [
        (handler.handler_name, name, getattr(annotation, "__metadata__", ()))
        for handler in handlers()
        for name, annotation in parameters(handler).items()
        if name in BY_NAME
    ]
    assert {"clock", "engine", "settings"} <= {name for _, name, _ in named}
    assert [each for each in named if not any(isinstance(mark, Dependency) for mark in each[-1])] == []
