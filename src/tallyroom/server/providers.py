"""What the app provides to handlers by name (`rest/injected`)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import signature
from typing import Any

from litestar import Router
from litestar.di import Provide
from litestar.handlers import BaseRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import ControllerRouterHandler

from tallyroom.auth.guards import provide_member_principal, provide_principal, provide_stats_principal
from tallyroom.auth.recheck import provide_db
from tallyroom.bots.statistics_api.context import provide_context
from tallyroom.rest.transaction import provide_transaction

_REQUEST_PROVIDERS = {
    "transaction": Provide(provide_transaction),
    "db": Provide(provide_db),
    "principal": Provide(provide_member_principal),
    "stats_principal": Provide(provide_stats_principal),
    "principal_or_key": Provide(provide_principal),
    "context": Provide(provide_context),
}


class _SharedProvider(Provide):
    """Provides an object that exists once; equal only to itself, which is quick to compare."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __init__(self, dependency: object) -> None:
        super().__init__(lambda: dependency, sync_to_thread=False)


def build_providers(
    dependency_by_name: Mapping[str, object], route_handlers: Sequence[ControllerRouterHandler]
) -> dict[str, Provide]:
    """Return providers for the shared dependencies that handlers request, and for those created for each request.

    For each handler, the framework compares all providers with each other, so unrequested providers are left out.
    """
    functions = [*_list_functions(route_handlers), *(provider.dependency for provider in _REQUEST_PROVIDERS.values())]
    requested_names = {name for function in functions for name in signature(function).parameters}
    shared_providers = {
        name: _SharedProvider(dependency_by_name[name]) for name in dependency_by_name if name in requested_names
    }
    return shared_providers | _REQUEST_PROVIDERS


def _list_functions(route_handlers: Sequence[ControllerRouterHandler]) -> Iterator[Callable[..., Any]]:
    """List the functions of the handlers, and those that provide something to the handlers of one router."""
    for handler in (handler for entry in route_handlers for handler in _list_handlers(entry)):
        yield handler.fn
        for layer in handler.ownership_layers:
            for provider in (layer.dependencies or {}).values():
                yield provider.dependency if isinstance(provider, Provide) else provider


def _list_handlers(entry: ControllerRouterHandler) -> list[BaseRouteHandler]:
    if isinstance(entry, Router):
        return [handler for route in entry.routes if isinstance(route, HTTPRoute) for handler in route.route_handlers]
    return [entry] if isinstance(entry, BaseRouteHandler) else []
