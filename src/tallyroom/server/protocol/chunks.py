"""Limits the overhead of a chunked body: sizes, extensions and trailers (rules/safety#connections).

Each chunk costs as much as thousands of bytes. A small body may be sent in single bytes, and any body in chunks of at
least a dozen bytes.
"""

from collections.abc import Iterable
from typing import Final

from tallyroom.rest.answer import Header

FRAMING_BYTES: Final = 16_384  # the framing bytes that any body may have
_DATA_BYTES_PER_FRAMING_BYTE = 2  # one more framing byte is allowed for this many bytes of data
TOO_SMALL: Final = (
    f"The chunks of the body are too small: sizes, extensions and trailers may take up {FRAMING_BYTES:,} bytes "
    "plus half the size of the data. Send larger chunks, or a Content-Length."
)
UNKNOWN_CODING: Final = "The only supported transfer coding is chunked."


def has_small_chunks(framing_bytes: int, data_bytes: int) -> bool:
    """Return whether a body has more framing than its data justifies."""
    return framing_bytes > FRAMING_BYTES + data_bytes // _DATA_BYTES_PER_FRAMING_BYTE


def join_transfer_codings(headers: Iterable[Header]) -> bytes:
    """Return the values of all Transfer-Encoding headers, in lower case."""
    return b", ".join(value.lower() for name, value in headers if name == b"transfer-encoding")
