"""How a connection ends whose client may still be sending: it can read its answer first.

To close at once would answer what it sends with a reset, at which many clients forget the answer that they have.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from tallyroom.core.errors import TallyroomError, error_body

MOST_WASTED_BYTES: Final = 4_194_304
"""What a client may send after its answer, such as the rest of a body that was refused: it is thrown away."""


class Lingering:
    """The transport of a request; when to close it is left to the connection, which hears what is written."""

    def __init__(self, transport: Any, write: Callable[[bytes], None], end: Callable[[], None]) -> None:
        self.write = write
        self.is_closing = transport.is_closing
        self.close = end


def whole_refusal(error: TallyroomError) -> bytes:
    """A refusal in the one error shape as it goes over the wire, for what never became a request."""
    body = msgspec.json.encode(error_body(error, ""))
    headers = {"content-type": "application/json", **error.headers, "content-length": str(len(body))}
    lines = [f"{name}: {value}\r\n".encode() for name, value in headers.items()]
    return b"".join([STATUS_LINE[error.status], *lines, b"connection: close\r\n\r\n", body])
