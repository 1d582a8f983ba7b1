"""The head of a request: how large it may be, and how one is read again without an offer of another protocol."""

from collections.abc import Iterable, Sequence
from typing import Final

from tallyroom.rest.answer import Header

MAX_HEAD_BYTES: Final = (
    65_536 + 16_384
)  # the longest URL that can be parsed, which pictures take, and room for the rest
"""Request line and headers, trailers included; also what may come without being part of anything, such as a trailer
that does not end."""

MAX_HEADERS: Final = 128
"""A header takes more memory than its bytes."""

TOO_LARGE: Final = f"The request line and headers are larger than {MAX_HEAD_BYTES} bytes, or more than {MAX_HEADERS}."

_OFFER = frozenset({b"upgrade", b"connection", b"http2-settings"})


def is_too_large(headers: Sequence[Header], most_bytes: int) -> bool:
    """Whether there are too many headers, or too large ones, which cannot be in `most_bytes` of less than a head."""
    if len(headers) > MAX_HEADERS:
        return True
    return most_bytes > MAX_HEAD_BYTES and sum(len(name) + len(value) for name, value in headers) > MAX_HEAD_BYTES


def without_offer(method: bytes, url: bytes, version: str, headers: Iterable[Header]) -> bytes:
    """The head once more, without its offer of another protocol; what else `Connection` says is kept.

    A server may ignore the offer (RFC 9110, 7.8), which some clients make with every request. The parser cannot: it
    takes everything after the head for the other protocol.
    """
    lines = [b"%s %s HTTP/%s" % (method, url, version.encode())]
    closes = False
    for name, value in headers:
        closes |= name == b"connection" and b"close" in value.lower()
        if name not in _OFFER:
            lines.append(b"%s: %s" % (name, value))
    if closes:
        lines.append(b"connection: close")
    return b"\r\n".join([*lines, b"", b""])


def content_length(headers: Iterable[Header]) -> int | None:
    """How long the body says that it is; None for one that does not say it."""
    return next((int(value) for name, value in headers if name == b"content-length"), None)
