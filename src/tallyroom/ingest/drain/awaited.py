"""What a read of the event store has to wait for (rules/questions#fresh-answers)."""

from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.lane import AwaitedChunks, name_environment_lane
from tallyroom.storage.spool.row import UNMAPPED_MONTH, month_of


def build_awaited(last_id: int, from_ms: int | None, scope: Scope | None) -> AwaitedChunks:
    """Return the chunks up to `last_id` without which a read as in `EventReader.catch_up` would miss events."""
    from_month = UNMAPPED_MONTH if from_ms is None else month_of(max(from_ms, 0))
    lane = None if scope is None else name_environment_lane(scope.workspace_id, scope.environment)
    return AwaitedChunks(last_id, from_month, lane)
