"""The checks of every request between its guard and its handler."""

from collections.abc import Awaitable, Callable
from collections.abc import Set as AbstractSet
from typing import Any

from litestar import Request, Response
from litestar.types import Guard

from tallyroom.rest.bodies import check_body
from tallyroom.rest.methods import answer_options
from tallyroom.rest.parameters import check_parameters

RequestCheck = Callable[[Request[Any, Any, Any]], Awaitable[Response[None] | None]]


def build_request_check(open_guards: AbstractSet[Guard]) -> RequestCheck:
    """Return the check that answers OPTIONS, and checks parameters and body more strictly than the framework.

    It runs before the transaction. Routes with one of the `open_guards` ignore unknown parameters.
    """

    async def check_request(request: Request[Any, Any, Any]) -> Response[None] | None:
        if request.method == "OPTIONS":
            return answer_options(request)
        ignores_unknown = not open_guards.isdisjoint(request.route_handler.resolve_guards())
        check_parameters(request, ignores_unknown=ignores_unknown)
        await check_body(request)
        return None

    return check_request
