"""Which routes share a part of the memory for unanswered requests (rules/safety#memory)."""

from collections.abc import Iterable
from enum import Enum, auto
from typing import Final
from urllib.parse import unquote_to_bytes

import httptools


class BodyFamily(Enum):
    """A family of routes whose bodies share a part of the memory."""

    HEADS = auto()  # bytes that belong to no running request: the head is incomplete, or its turn has not come
    REFUSED_BODIES = auto()  # bodies that were refused while they arrived, and that the application is about to release
    EVENTS = auto()
    TELEMETRY = auto()
    STATISTICS = auto()
    APP = auto()
    SIGN_IN = auto()
    PUBLIC = auto()
    VOTES = auto()  # votes signed by bot lists; checking a signature takes the whole body
    OTHER = auto()

    __hash__ = object.__hash__  # an enumeration's own would hash the name a dozen times a request


OPEN_FAMILIES: Final = frozenset({BodyFamily.SIGN_IN, BodyFamily.PUBLIC, BodyFamily.VOTES, BodyFamily.OTHER})
"""Families for which strangers can make the server read bodies."""

_EVENTS_PATH: Final = b"/v1/events"
_FAMILY_BY_SEGMENT: Final = {
    b"events": BodyFamily.EVENTS,
    b"traces": BodyFamily.TELEMETRY,
    b"logs": BodyFamily.TELEMETRY,
    b"metrics": BodyFamily.TELEMETRY,
    b"auth": BodyFamily.SIGN_IN,
    b"invites": BodyFamily.SIGN_IN,
    b"public": BodyFamily.PUBLIC,
}
"""Second segments of paths that begin with `/v1`; all others belong to the app."""


class BodyFamilies:
    """Finds the family of a request; `platforms` are the first path segments of the Statistics API."""

    def __init__(self, platforms: Iterable[str]) -> None:
        self._statistics_segments = {platform.encode() for platform in platforms} | {b"api"}

    def family_of(self, target: bytes) -> BodyFamily:
        """Return the family of a request by its target, as in the first line of its head."""
        if target == _EVENTS_PATH:
            return BodyFamily.EVENTS
        match _split_path(target):
            case [b"v1", name, *_]:
                return _FAMILY_BY_SEGMENT.get(name, BodyFamily.APP)
            case [b"custom", *_]:
                return BodyFamily.PUBLIC
            case [platform, *_, last] if platform in self._statistics_segments:
                return BodyFamily.VOTES if last == b"votes" else BodyFamily.STATISTICS
        return BodyFamily.OTHER


def _split_path(target: bytes) -> list[bytes]:
    """Return the segments of the path, as the framework reads them; empty if the target has no path."""
    before_query = target.partition(b"?")[0]  # parsing takes time for each byte, and a picture's query is long
    try:
        path = httptools.parse_url(before_query).path or b""
    except httptools.HttpParserInvalidURLError:
        return []
    return [segment for segment in unquote_to_bytes(path).split(b"/") if segment]
