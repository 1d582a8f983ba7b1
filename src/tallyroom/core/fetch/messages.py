"""A request to an address from a user, and its answer."""

from typing import Literal

import msgspec


class OutboundRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request to the outside. `url` is unchecked. `headers` lack those that follow from URL and body."""

    url: str
    method: Literal["GET", "POST"] = "GET"
    headers: dict[str, str] = {}
    body: bytes = b""


class OutboundAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a request, decompressed; `content_type` is lower-case without parameters, or ""."""

    status: int
    content_type: str
    retry_after_seconds: int | None
    body: bytes


class FetchFailed(Exception):
    """There is no answer; the message gives the reason for members, and repeats nothing that the other side sent."""
