"""A request to an address that somebody named, and its answer."""

from typing import Literal

import msgspec


class OutboundRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request to the outside.

    Attributes:
        url: the address as somebody named it; nothing about it has been checked.
        headers: sent as they are; without those that follow from the URL and the body.
        body: the bytes to send; empty for GET.
    """

    url: str
    method: Literal["GET", "POST"] = "GET"
    headers: dict[str, str] = {}
    body: bytes = b""


class OutboundAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to such a request, whatever its status.

    Attributes:
        content_type: the media type without parameters, in lower case; empty if the answer names none.
        retry_after_seconds: the header `Retry-After` in seconds; None if it is absent or is not a number.
        body: the whole body, after decompression.
    """

    status: int
    content_type: str
    retry_after_seconds: int | None
    body: bytes


class FetchFailed(Exception):
    """There is no answer; the message says why in words for members, and repeats nothing that the other side sent."""
