"""Answers of the plain endpoints, which bypass the framework, and the headers that every answer has."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

import msgspec
from litestar.types import HTTPResponseBodyEvent, HTTPResponseStartEvent, Send

from tallyroom.core.errors import TallyroomError, build_error_body

JSON = b"application/json"

Header = tuple[bytes, bytes]

_BODILESS_STATUSES = {204, 304}
_DEFAULT_HEADERS: tuple[Header, ...] = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))

MAX_EXCHANGE_BYTES = 262_144
"""The largest body of an `Exchange`; what is done with it there is done at once, while others wait."""


class HttpAnswer(NamedTuple):
    """A whole answer: status, text, the headers beside type and length, and the type."""

    status: int
    body: bytes
    headers: Sequence[Header]
    content_type: bytes = JSON


class Exchange(Protocol):
    """A request that has arrived completely, and the way to answer it.

    Attributes:
        client: the address of the peer, "" if it has none.
        headers: in the order sent, with names in lower case.
        body: the bytes sent, at most `MAX_EXCHANGE_BYTES`.
        request_id: set before the route is called.
        on_answer: called with the status when the answer is being sent; not called if the client has disconnected.
    """

    client: str
    headers: list[Header]
    body: bytes
    request_id: str
    on_answer: Callable[[int], object]

    def answer(self, answer: HttpAnswer) -> None:
        """Send the answer; call this once, and only on the event loop."""
        ...


DirectHandler = Callable[[Exchange], bool]
"""Takes a complete request and answers it now or later, or declines by returning False with nothing done."""


def build_refusal(error: TallyroomError, request_id: str) -> HttpAnswer:
    """Return a refusal in the common error shape."""
    headers = [(name.encode(), value.encode()) for name, value in error.headers.items()]
    headers.append((b"x-request-id", request_id.encode()))
    return HttpAnswer(error.status, msgspec.json.encode(build_error_body(error, request_id)), headers)


def add_default_headers(headers: Iterable[Header]) -> list[Header]:
    """Return the headers of an answer and the defaults that it does not set (rules/safety#stored-answers).

    Their names are in lower case.
    """
    own_headers = list(headers)
    names = {name for name, _ in own_headers}
    return [*own_headers, *(default for default in _DEFAULT_HEADERS if default[0] not in names)]


def build_headers(answer: HttpAnswer) -> list[Header]:
    """Return the headers of an answer, type and length first; a status without a body has neither."""
    own_headers = add_default_headers(answer.headers)
    if answer.status in _BODILESS_STATUSES:
        return own_headers
    return [(b"content-type", answer.content_type), (b"content-length", b"%d" % len(answer.body)), *own_headers]


async def send_answer(send: Send, answer: HttpAnswer) -> int:
    """Send an answer through ASGI; return the status, 0 if the client is gone."""
    start_message: HTTPResponseStartEvent = {
        "type": "http.response.start",
        "status": answer.status,
        "headers": build_headers(answer),
    }
    end_message: HTTPResponseBodyEvent = {"type": "http.response.body", "body": answer.body, "more_body": False}
    try:
        await send(start_message)
        await send(end_message)
    except RuntimeError:  # what the server's transport raises when the client closed it in this very moment
        return 0
    return answer.status
