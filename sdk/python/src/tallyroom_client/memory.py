"""The queue in memory, for functions without a disk and for folders that cannot be written to."""

from collections import deque
from collections.abc import Callable
from itertools import islice

from tallyroom_client.cut import Cut, CutLimit


class MemoryQueue:
    """Has the methods of a journal; its events are lost with the process.

    Args:
        make_key: returns 22 random characters of base64url.
    """

    def __init__(self, make_key: Callable[[], str]) -> None:
        self.queue_id = make_key()
        self._make_key = make_key
        self._events: deque[bytes] = deque()
        self._open_cut: Cut | None = None

    @property
    def waiting_events(self) -> int:
        """How many events are not settled."""
        cut = self._open_cut
        return len(self._events) + (len(cut.events) if cut else 0)

    @property
    def waiting_bytes(self) -> int:
        """The size of their JSON."""
        cut = self._open_cut
        return sum(map(len, tuple(self._events))) + (sum(map(len, cut.events)) if cut else 0)

    @property
    def has_open_cut(self) -> bool:
        """Whether a cut waits for its answer."""
        return self._open_cut is not None

    def append(self, event: bytes) -> None:
        """Append an event."""
        self._events.append(event)

    def next_cut(self, limit: CutLimit) -> Cut | None:
        """Return the open cut, or make one; None if nothing waits."""
        if self._open_cut is None and self._events:
            events: list[bytes] = []
            byte_count = 0
            for event in islice(tuple(self._events), limit.max_events):
                byte_count += len(event) + 1
                if events and byte_count > limit.max_bytes:
                    break
                events.append(event)
            self._open_cut = Cut(self._make_key(), self.queue_id, events)
            for _ in events:
                self._events.popleft()
        return self._open_cut

    def acknowledge(self, key: str, status: int) -> None:  # noqa: ARG002 # the signature of a journal
        """Settle the open cut: the server has its events."""
        if self._open_cut and self._open_cut.key == key:
            self._open_cut = None

    def refuse(self, key: str, indices: tuple[int, ...]) -> None:
        """Make the open cut void: the events with these indices are wrong, and the others are cut again."""
        cut = self._open_cut
        if cut and cut.key == key:
            others = [event for index, event in enumerate(cut.events) if index not in indices]
            self._events.extendleft(reversed(others))
            self._open_cut = None

    def peek(self) -> bytes | None:
        """Return the oldest event that waits."""
        cut = self._open_cut
        return cut.events[0] if cut else next(iter(tuple(self._events)), None)

    def close(self) -> None:
        """Forget the events."""
        self._events.clear()
        self._open_cut = None

    def abandon(self) -> None:
        """Forget the events in a forked child: the parent sends them."""
        self.close()
