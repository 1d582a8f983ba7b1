"""Which routes share a part of the room for unanswered requests (rules/safety#memory).

A route with a guard refuses strangers before it reads their bodies. Others have to read a body before they can know
anything of its sender, so strangers can make them wait for it.
"""

from collections.abc import Iterable
from enum import Enum, auto
from typing import Final
from urllib.parse import unquote_to_bytes

import httptools


class BodyFamily(Enum):
    """A family of routes whose bodies share a part of the room."""

    HEADS = auto()
    """What belongs to no request under way: its head is incomplete, or its turn has not come."""
    REFUSED_BODIES = auto()
    """What was refused while it was arriving, and the application is about to let go of."""
    EVENTS = auto()
    TELEMETRY = auto()
    STATISTICS = auto()
    APP = auto()
    SIGN_IN = auto()
    PUBLIC = auto()
    """Public dashboards and pictures."""
    VOTES = auto()
    """Votes that bot lists have signed, which only their whole bodies show."""
    OTHER = auto()


OPEN_FAMILIES: Final = frozenset({BodyFamily.SIGN_IN, BodyFamily.PUBLIC, BodyFamily.VOTES, BodyFamily.OTHER})
"""The families whose bodies strangers can make the server read."""

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
"""Second segments of paths that begin with `/v1`; all others are the app's."""


class BodyFamilies:
    """Tells the family of a request.

    Args:
        platforms: first path segments of the statistics API.
    """

    def __init__(self, platforms: Iterable[str]) -> None:
        self._statistics_segments = {platform.encode() for platform in platforms} | {b"api"}

    def family_of(self, target: bytes) -> BodyFamily:
        """Return the family of a request by its target, as the first line of its head has it."""
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
    """Return the segments of the path, as the framework reads them; none if the target has no path."""
    before_query = target.partition(b"?")[0]  # parsing takes as long as the target is, and a picture's query is long
    try:
        path = httptools.parse_url(before_query).path or b""
    except httptools.HttpParserInvalidURLError:
        return []
    return [segment for segment in unquote_to_bytes(path).split(b"/") if segment]
