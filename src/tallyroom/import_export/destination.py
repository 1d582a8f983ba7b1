"""The workspace and environment of an API key, as the server reports them at any of its addresses."""

from typing import Any, Final

import msgspec

KEY_PATH: Final = "/v1/key"
"""The path that reports them."""


class Workspace(msgspec.Struct, frozen=True):
    """A workspace; `timezone`, an IANA name, determines the days in its charts."""

    id: str
    timezone: str


class Destination(msgspec.Struct, frozen=True):
    """An environment of a workspace, whose id is random, so that it is unique across servers."""

    environment: str
    workspace: Workspace


def parse_destination(answer: dict[str, Any]) -> Destination | None:
    """Return the destination in the server's answer; None if there is none."""
    try:
        return msgspec.convert(answer, Destination)
    except msgspec.ValidationError:
        return None
