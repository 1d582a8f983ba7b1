"""What happens to every request between its guard and its handler."""

from typing import Any

from litestar import Request, Response

from tallyroom.rest.bodies import check_body
from tallyroom.rest.methods import answer_options
from tallyroom.rest.parameters import check_parameters


async def check_request(request: Request[Any, Any, Any]) -> Response[None] | None:
    """Answer OPTIONS; check the parameters and the body of every other request.

    It stands before the framework's own reading for two reasons: that one is lenient (it takes "5" for 5, and the last
    of two parameters), and it happens inside the transaction.

    Raises:
        UnsupportedMediaType: the content type is not JSON.
        ValidationFailed: a parameter is unknown or stands twice; the body is no JSON, or not of the type.
    """
    if request.method == "OPTIONS":
        return answer_options(request)
    check_parameters(request)
    await check_body(request)
    return None
