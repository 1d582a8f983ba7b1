"""Closes a connection whose client may still be sending, but lets the client read its answer first.

Otherwise anything that the client sends is answered with a reset, and many clients then discard the answer.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from tallyroom.core.errors import TallyroomError, build_error_body
from tallyroom.rest.answer import HttpAnswer, build_headers

MAX_WASTED_BYTES: Final = 4_194_304
"""The most bytes that a client may send after its answer, such as the rest of a refused body; they are discarded."""


class LingeringTransport:
    """The transport for a request; it passes writes to the connection and leaves closing to it."""

    def __init__(self, transport: Any, write: Callable[[bytes], None], close: Callable[[], None]) -> None:
        self.write = write
        self.is_closing = transport.is_closing
        self.close = close


def build_raw_refusal(error: TallyroomError) -> bytes:
    """Return the bytes of a refusal, in the common error shape, for bytes that never became a request."""
    body = msgspec.json.encode(build_error_body(error, ""))
    own_headers = [(name.encode(), value.encode()) for name, value in error.headers.items()]
    headers = [*build_headers(HttpAnswer(error.status, body, own_headers)), (b"connection", b"close")]
    return STATUS_LINE[error.status] + b"\r\n".join([*map(b": ".join, headers), b"", body])
