"""The last refused requests of each workspace, which explain why no events arrive (rules/events#refused-requests)."""

import msgspec

from tallyroom.core.clock import Clock
from tallyroom.core.errors import TallyroomError
from tallyroom.core.times import iso_ms
from tallyroom.storage.limits.limits import NewestEntries

KEPT_REFUSAL_COUNT = 100
"""The number of refusals kept per workspace."""


class Refusal(msgspec.Struct, frozen=True, rename="camel"):
    """One refused request, as it is shown to the members of the workspace."""

    at: str
    status: int
    error: str
    message: str
    request_id: str


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Refusal)


class Refusals:
    """Keeps the last refusals of each workspace, as JSON in `entries`."""

    def __init__(self, entries: NewestEntries, clock: Clock) -> None:
        self._entries = entries
        self._clock = clock

    def note(self, workspace_id: str, error: TallyroomError, request_id: str) -> None:
        """Record that a request with one of the workspace's keys was refused."""
        refusal = Refusal(iso_ms(self._clock.now_ms()), error.status, error.slug, error.message, request_id)
        self._entries.add(workspace_id, _encoder.encode(refusal))

    async def list_recent(self, workspace_id: str) -> list[Refusal]:
        """Return the refusals of a workspace, newest first."""
        return [_decoder.decode(entry) for entry in await self._entries.list_newest(workspace_id)]
