"""What an erasure takes from the events that wait in a spool; the metadata says it, and the spool keeps it."""

from typing import NamedTuple


class Omission(NamedTuple):
    """What an erasure takes from the events that wait.

    Attributes:
        erasure_id: the id of the erasure.
        workspace_id, environment: the scope.
        actor: whose events; everybody's if None.
        before_ms: only events that happened before this moment; all if None.
    """

    erasure_id: str
    workspace_id: str
    environment: str
    actor: str | None = None
    before_ms: int | None = None
