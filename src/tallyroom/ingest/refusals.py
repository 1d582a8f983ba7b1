"""The last refused requests of each workspace, which explain why no events arrive (rules/events#refused-requests)."""

import msgspec

from tallyroom.core.clock import Clock
from tallyroom.core.errors import TallyroomError
from tallyroom.core.times import iso_ms
from tallyroom.storage.limits.limits import NewestEntries

KEPT_REFUSAL_COUNT = 100
"""The number of refusals kept per workspace."""


class Refusal(msgspec.Struct, frozen=True, rename="camel"):
    """One refused request, as it is shown to the members of the workspace; `userAgent` is what the program sent."""

    at: str
    status: int
    error: str
    message: str
    request_id: str
    user_agent: str | None = None  # absent in entries of an earlier version


_MAX_USER_AGENT_BYTES = 200

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Refusal)


class Refusals:
    """Keeps the last refusals of each workspace, as JSON in `entries`."""

    def __init__(self, entries: NewestEntries, clock: Clock) -> None:
        self._entries = entries
        self._clock = clock

    def note(self, workspace_id: str, error: TallyroomError, request_id: str, user_agent: bytes | None = None) -> None:
        """Record that a request with one of the workspace's keys was refused; `user_agent` is the header as sent."""
        refusal = Refusal(
            iso_ms(self._clock.now_ms()),
            error.status,
            error.slug,
            error.message,
            request_id,
            _clean_user_agent(user_agent),
        )
        self._entries.add(workspace_id, _encoder.encode(refusal))

    async def list_recent(self, workspace_id: str) -> list[Refusal]:
        """Return the refusals of a workspace, newest first."""
        return [_decoder.decode(entry) for entry in await self._entries.list_newest(workspace_id)]


def _clean_user_agent(header: bytes | None) -> str | None:
    """Return the beginning of the header without characters that no one can see; None if nothing is left."""
    text = (header or b"")[:_MAX_USER_AGENT_BYTES].decode(errors="replace")
    return "".join(character if character.isprintable() else " " for character in text).strip() or None
