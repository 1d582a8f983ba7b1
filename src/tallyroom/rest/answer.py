"""How the plain endpoints, which go around the framework, write an answer."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import msgspec
from litestar.types import HTTPResponseBodyEvent, HTTPResponseStartEvent, Send

from tallyroom.core.errors import TallyroomError, error_body

JSON = b"application/json"

Header = tuple[bytes, bytes]

_NOT_MODIFIED = 304

MAX_EXCHANGE_BYTES = 262_144
"""The largest body of an `Exchange`; what is done with it there is done at once, while others wait."""


class HttpAnswer(NamedTuple):
    """A whole answer: status, text, the headers beside type and length, and the type."""

    status: int
    body: bytes
    headers: Sequence[Header]
    content_type: bytes = JSON


class Exchange(Protocol):
    """A request of which all is there, and the place for its answer.

    Attributes:
        client: address of the peer, "" when it has none.
        headers: in the order sent, names in lower case.
        body: as sent, at most `MAX_EXCHANGE_BYTES`.
        on_answer: called with the status when the answer is on its way; not when the client has hung up.
    """

    client: str
    headers: list[Header]
    body: bytes
    on_answer: Callable[[int], object]

    def answer(self, answer: HttpAnswer) -> None:
        """Send it; once, and only on the event loop."""
        ...


Direct = Callable[[Exchange], bool]
"""Takes a request that is all there and answers it now or later; False, and nothing done, to decline."""


def refusal(error: TallyroomError, request_id: str) -> HttpAnswer:
    """A refusal in the one error shape."""
    headers = [(name.encode(), value.encode()) for name, value in error.headers.items()]
    headers.append((b"x-request-id", request_id.encode()))
    return HttpAnswer(error.status, msgspec.json.encode(error_body(error, request_id)), headers)


def all_headers(answer: HttpAnswer) -> list[Header]:
    """The headers of an answer, type and length first; what has not changed has neither."""
    if answer.status == _NOT_MODIFIED:
        return list(answer.headers)
    return [(b"content-type", answer.content_type), (b"content-length", b"%d" % len(answer.body)), *answer.headers]


async def send_answer(send: Send, answer: HttpAnswer) -> int:
    """Send an answer the ASGI way; returns the status, 0 when the client is gone."""
    start: HTTPResponseStartEvent = {
        "type": "http.response.start",
        "status": answer.status,
        "headers": all_headers(answer),
    }
    end: HTTPResponseBodyEvent = {"type": "http.response.body", "body": answer.body, "more_body": False}
    try:
        await send(start)
        await send(end)
    except RuntimeError:  # what the server's transport raises when the client closed it in this very moment
        return 0
    return answer.status
