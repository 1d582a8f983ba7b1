"""The last refused requests of each workspace, for the question why nothing arrives (rules/events#refused-requests)."""

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
    """Keeps refusals in memory: a fixed number a workspace, for the workspaces that were refused last.

    Args:
        clock: tells when a request was refused.
        keep: refusals that are kept of one workspace.
    """

    def __init__(self, clock: Clock, keep: int = 100) -> None:
        self._clock = clock
        self._keep = keep
        self._kept: OrderedDict[str, deque[Refusal]] = OrderedDict()

    def note(self, workspace_id: str, error: TallyroomError, request_id: str) -> None:
        """Remember that a request made with a key of the workspace was refused."""
        kept = self._kept.setdefault(workspace_id, deque(maxlen=self._keep))
        self._kept.move_to_end(workspace_id)
        if len(self._kept) > MAX_WORKSPACES:
            self._kept.popitem(last=False)
        kept.appendleft(Refusal(iso_ms(self._clock.now_ms()), error.status, error.slug, error.message, request_id))

    def recent(self, workspace_id: str) -> list[Refusal]:
        """The refusals of a workspace, the newest first."""
        return list(self._kept.get(workspace_id, ()))
