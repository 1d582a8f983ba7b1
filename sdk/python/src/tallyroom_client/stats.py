"""The numbers that `stats()` returns."""

from typing import NamedTuple


class Stats(NamedTuple):
    """What happened to this client's events since it was created.

    Attributes:
        tracked: events that `track` accepted.
        accepted: events that the server acknowledged, including those that earlier processes left.
        waiting: events that are in the queue.
        waiting_bytes: their size in the queue.
        dropped: events for which the queue had no room.
        refused: events that the client or the server refused.
        uncertain: events that the server may have counted twice.
        oldest_waiting: the time of the oldest event in the queue, in UTC.
        last_error: the reason why the last request failed; None after a success.
    """

    tracked: int = 0
    accepted: int = 0
    waiting: int = 0
    waiting_bytes: int = 0
    dropped: int = 0
    refused: int = 0
    uncertain: int = 0
    oldest_waiting: str | None = None
    last_error: str | None = None


class Counters:
    """The numbers that only grow, and the last error."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begin again, in a forked child."""
        self.tracked = 0
        self.accepted = 0
        self.dropped = 0
        self.refused = 0
        self.uncertain = 0
        self.last_error: str | None = None

    def stats(self) -> Stats:
        """Return the numbers of a client whose queue is empty."""
        return Stats(
            tracked=self.tracked,
            accepted=self.accepted,
            dropped=self.dropped,
            refused=self.refused,
            uncertain=self.uncertain,
            last_error=self.last_error,
        )
