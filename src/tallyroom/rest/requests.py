"""The checks of every request between its guard and its handler."""

from typing import Any

from litestar import Request, Response

from tallyroom.rest.bodies import check_body
from tallyroom.rest.methods import answer_options
from tallyroom.rest.parameters import check_parameters


async def check_request(request: Request[Any, Any, Any]) -> Response[None] | None:
    """Answer OPTIONS; check the parameters and the body of every other request.

    It runs before the framework reads them, for two reasons: the framework is lenient (it accepts "5" for 5, and the
    last of two parameters), and it reads them inside the transaction.

    Raises:
        UnsupportedMediaType: the content type is not JSON.
        ValidationFailed: a parameter is unknown or repeated; the body is not JSON, or not of the right type.
    """
    if request.method == "OPTIONS":
        return answer_options(request)
    check_parameters(request)
    await check_body(request)
    return None
