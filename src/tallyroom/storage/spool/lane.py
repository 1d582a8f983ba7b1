"""Lanes: what waits in one never has to wait for all of another (docs/decisions/0038).

A large batch of one environment has chunks of its own, in the environment's lane. Small batches of all environments
share chunks, and with them a lane.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tallyroom.storage.spool.row import UNMAPPED_MONTH, Chunk

BULK_BYTES = 65_536
"""The size from which a batch is in its environment's lane."""

SHARED_LANE = ""


class LaneMonth(NamedTuple):
    """The chunks that can be inserted together; `month` is as in `Chunk`."""

    lane: str
    month: int


def name_environment_lane(workspace_id: str, environment: str) -> str:
    """Return the lane of an environment's large batches."""
    return f"{workspace_id}/{environment}"


def find_lane(workspace_id: str, environment: str, chunks: Sequence[Chunk]) -> str:
    """Return the lane of a batch, all of whose chunks are of one environment."""
    byte_count = chunks[0].byte_count if len(chunks) == 1 else sum(chunk.byte_count for chunk in chunks)
    return SHARED_LANE if byte_count < BULK_BYTES else name_environment_lane(workspace_id, environment)


class AwaitedChunks(NamedTuple):
    """The chunks up to `last_id` that a caller waits for: of all lanes or of one environment, and from a month on."""

    last_id: int
    from_month: int = UNMAPPED_MONTH
    lane: str | None = None

    def includes(self, lane_month: LaneMonth) -> bool:
        """Return whether the caller waits for chunks of a kind; data that is not mapped yet may be of any month."""
        lane, month = lane_month
        is_of_lane = self.lane is None or lane in (SHARED_LANE, self.lane)
        return is_of_lane and (month == UNMAPPED_MONTH or month >= self.from_month)
