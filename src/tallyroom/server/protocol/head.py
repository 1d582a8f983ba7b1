"""The head of a request: its limits, and how to parse it again without an upgrade offer."""

from collections.abc import Iterable, Sequence
from typing import Final

from tallyroom.rest.answer import Header

# The longest URL that can be parsed, which picture URLs can reach, and room for the rest.
MAX_HEAD_BYTES: Final = 65_536 + 16_384
"""The most bytes of request line, headers and trailers, or of bytes outside a request, such as an endless trailer."""

MAX_HEADERS: Final = 128  # the most headers: each takes more memory than its bytes
TOO_LARGE: Final = f"The request line and headers are larger than {MAX_HEAD_BYTES} bytes, or more than {MAX_HEADERS}."

_OFFER_HEADER_NAMES = frozenset({b"upgrade", b"connection", b"http2-settings"})


def is_head_too_large(headers: Sequence[Header], max_bytes: int) -> bool:
    """Return whether there are too many headers, or their size, which is at most `max_bytes`, exceeds the limit."""
    if len(headers) > MAX_HEADERS:
        return True
    return max_bytes > MAX_HEAD_BYTES and sum(len(name) + len(value) for name, value in headers) > MAX_HEAD_BYTES


def build_head_without_offer(method: bytes, url: bytes, version: str, headers: Sequence[Header]) -> bytes:
    """Return the head without its upgrade offer, after which the parser would stop; `Connection: close` is kept."""
    head_lines = [b"%s %s HTTP/%s" % (method, url, version.encode())]
    head_lines += [b"%s: %s" % header for header in headers if header[0] not in _OFFER_HEADER_NAMES]
    if any(name == b"connection" and b"close" in value.lower() for name, value in headers):
        head_lines.append(b"connection: close")
    return b"\r\n".join([*head_lines, b"", b""])


def find_content_length(headers: Iterable[Header]) -> int | None:
    """Return the stated length of the body; None if there is none."""
    return next((int(value) for name, value in headers if name == b"content-length"), None)
