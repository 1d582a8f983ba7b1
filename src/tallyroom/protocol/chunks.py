"""What a body in chunks may have besides its data: sizes, extensions and trailers (rules/safety#connections).

Each chunk costs as much as thousands of bytes of data. The peers bound extensions only (Go, hyper), as a chunk costs
them little. Here a body may be sent in single bytes while it is small, and in chunks of any size from a dozen bytes.
"""

from collections.abc import Iterable
from typing import Final

from tallyroom.rest.answer import Header

FRAMING_BYTES: Final = 16_384
"""What every body may have."""

_DATA_TO_FRAMING = 2  # and a byte more for so many of data

TOO_SMALL: Final = (
    f"The chunks of the body are too small: besides the data there may be {FRAMING_BYTES:,} bytes of sizes, extensions "
    "and trailers, and half as much as the data. Send larger chunks, or a Content-Length."
)
UNKNOWN_CODING: Final = "The only transfer coding that is taken is chunked."


def are_too_small(framing_bytes: int, data_bytes: int) -> bool:
    """Whether a body has more framing than its data explain."""
    return framing_bytes > FRAMING_BYTES + data_bytes // _DATA_TO_FRAMING


def transfer_coding(headers: Iterable[Header]) -> bytes:
    """All that the head says of transfer codings, in lower case."""
    return b", ".join(value.lower() for name, value in headers if name == b"transfer-encoding")
