"""The last refused requests of each workspace, which explain why no events arrive (rules/events#refused-requests)."""

from collections import OrderedDict, deque

import msgspec

from tallyroom.core.clock import Clock
from tallyroom.core.errors import TallyroomError
from tallyroom.core.times import iso_ms

MAX_WORKSPACES = 1000


class Refusal(msgspec.Struct, frozen=True, rename="camel"):
    """One refused request, as it is shown to the members of the workspace."""

    at: str
    status: int
    error: str
    message: str
    request_id: str


class Refusals:
    """Keeps a fixed number of refusals for each workspace in memory, for the workspaces with the latest refusals.

    Args:
        clock: gives the time of a refusal.
        keep: the number of refusals to keep for each workspace.
    """

    def __init__(self, clock: Clock, keep: int = 100) -> None:
        self._clock = clock
        self._keep = keep
        self._kept: OrderedDict[str, deque[Refusal]] = OrderedDict()

    def note(self, workspace_id: str, error: TallyroomError, request_id: str) -> None:
        """Record that a request with one of the workspace's keys was refused."""
        kept = self._kept.setdefault(workspace_id, deque(maxlen=self._keep))
        self._kept.move_to_end(workspace_id)
        if len(self._kept) > MAX_WORKSPACES:
            self._kept.popitem(last=False)
        kept.appendleft(Refusal(iso_ms(self._clock.now_ms()), error.status, error.slug, error.message, request_id))

    def recent(self, workspace_id: str) -> list[Refusal]:
        """Return the refusals of a workspace, newest first."""
        return list(self._kept.get(workspace_id, ()))
