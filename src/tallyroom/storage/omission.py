"""The events that an erasure removes from a waiting spool; recorded in the metadata, and kept in the spool."""

from typing import NamedTuple


class Omission(NamedTuple):
    """Waiting events that an erasure removes; an `actor` or `before_ms` of None means all actors or times."""

    erasure_id: str
    workspace_id: str
    environment: str
    actor: str | None = None
    before_ms: int | None = None
