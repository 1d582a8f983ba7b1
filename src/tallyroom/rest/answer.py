"""Answers of the plain endpoints, which bypass the framework, and the headers of every answer."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

import msgspec
from litestar.types import HTTPResponseBodyEvent, HTTPResponseStartEvent, Send

from tallyroom.core.errors import TallyroomError, build_error_body

JSON = b"application/json"

Header = tuple[bytes, bytes]

_BODILESS_STATUSES = {204, 304}
_DEFAULT_HEADERS: tuple[Header, ...] = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))
_DEFAULT_NAMES = frozenset(name for name, _ in _DEFAULT_HEADERS)

MAX_EXCHANGE_BYTES = 262_144  # the largest body of an `Exchange`, which is handled on the event loop while others wait


class HttpAnswer(NamedTuple):
    """A whole answer; `headers` are those besides type and length."""

    status: int
    body: bytes
    headers: Sequence[Header]
    content_type: bytes = JSON


class Exchange(Protocol):
    """A completely received request of at most `MAX_EXCHANGE_BYTES`; `on_answer` gets the status of its answer."""

    client: str
    headers: list[Header]
    body: bytes
    request_id: str
    on_answer: Callable[[int], object]

    def answer(self, answer: HttpAnswer) -> None:
        """Send the answer; call this once, and only on the event loop."""


DirectHandler = Callable[[Exchange], bool]
"""Answers a complete request now or later, or declines by returning False with nothing done."""


def build_refusal(error: TallyroomError, request_id: str) -> HttpAnswer:
    """Return an error in the common error shape."""
    headers = [(name.encode(), value.encode()) for name, value in error.headers.items()]
    headers.append((b"x-request-id", request_id.encode()))
    return HttpAnswer(error.status, msgspec.json.encode(build_error_body(error, request_id)), headers)


def add_default_headers(headers: Iterable[Header]) -> list[Header]:
    """Add the headers that every answer has by default (rules/safety#cache-headers); names are in lower case."""
    own_headers = list(headers)
    names = dict(own_headers).keys()
    if _DEFAULT_NAMES.isdisjoint(names):
        return [*own_headers, *_DEFAULT_HEADERS]
    return [*own_headers, *(default for default in _DEFAULT_HEADERS if default[0] not in names)]


def build_headers(answer: HttpAnswer) -> list[Header]:
    """Return the headers of an answer, type and length first; a status without a body has neither."""
    own_headers = add_default_headers(answer.headers)
    if answer.status in _BODILESS_STATUSES:
        return own_headers
    return [(b"content-type", answer.content_type), (b"content-length", b"%d" % len(answer.body)), *own_headers]


async def send_answer(send: Send, answer: HttpAnswer) -> int:
    """Send an answer through ASGI; return the status, or 0 if the client has disconnected."""
    start_message: HTTPResponseStartEvent = {
        "type": "http.response.start",
        "status": answer.status,
        "headers": build_headers(answer),
    }
    end_message: HTTPResponseBodyEvent = {"type": "http.response.body", "body": answer.body, "more_body": False}
    try:
        await send(start_message)
        await send(end_message)
    except RuntimeError:  # raised by the transport if the client has just closed it
        return 0
    return answer.status
