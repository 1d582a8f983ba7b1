"""Where an API key leads, as the server says; the same at whichever address the server is."""

from typing import Any, Final

import msgspec

WHERE: Final = "/v1/key"
"""The path that says it."""


class Workspace(msgspec.Struct, frozen=True):
    """`timezone`, an IANA name, rules the days of its charts."""

    id: str
    timezone: str


class Destination(msgspec.Struct, frozen=True):
    """An environment of a workspace. The id of a workspace is random, so no two servers have the same by themselves."""

    environment: str
    workspace: Workspace


def destination_of(answer: dict[str, Any]) -> Destination | None:
    """What the server's answer says; None when it does not."""
    try:
        return msgspec.convert(answer, Destination)
    except msgspec.ValidationError:
        return None
