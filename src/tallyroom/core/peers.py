"""The other workers of the same installation, as far as one worker needs to know them."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol


class Worker(NamedTuple):
    """One process that serves the installation; its `id` is unique, and all have the same `settings_fingerprint`.

    A later `epoch` on the same spool, or on a copy, replaces the worker.
    """

    id: str
    spool_id: int
    host: str
    settings_fingerprint: str
    epoch: int = 0


MAX_SEQ = 2**63 - 1  # higher than any sequence number in use


MAX_MESSAGE_BYTES = 7999  # the longest message between workers, in bytes


class WaitingEvents(NamedTuple):
    """Events of one month that leave a spool together; all of them up to `stored_seq` are stored."""

    lane: str
    month: int
    stored_seq: int


Includes = Callable[[str, int], bool]
"""Whether a caller waits for the events of a lane and month."""


def include_all(lane: str, month: int) -> bool:  # noqa: ARG001 # see `Includes`
    """Return True: the caller waits for all events."""
    return True


class SpoolPosition(NamedTuple):
    """The sequence numbers up to which a spool's events are acknowledged and stored; "" if its counts are unknown.

    `waiting_events` has the later numbers of groups that are not all stored; None if they are unknown.
    """

    acknowledged_seq: int
    stored_seq: int
    counts_json: str = ""
    waiting_events: Sequence[WaitingEvents] | None = None

    def find_stored_seq(self, includes: Includes) -> int:
        """Return the number up to which all events of some groups are stored."""
        if self.waiting_events is None:
            return self.stored_seq
        stored_seqs = (events.stored_seq for events in self.waiting_events if includes(events.lane, events.month))
        return min(stored_seqs, default=self.acknowledged_seq)


class SpoolState(NamedTuple):
    """The last report of a spool's worker, the epoch of its last start, and whether a worker may start on it again."""

    acknowledged_seq: int
    stored_seq: int
    epoch: int
    is_used: bool


class Peers(Protocol):
    """All workers of an installation, on any host."""

    def worker_id(self) -> str:
        """Return the ID of this worker; "" if it has no peers."""

    def worker_count(self) -> int:
        """Return the number of workers, including this one; at least 1."""

    def spool_id(self) -> int | None:
        """Return the identity of this worker's spool, which no other worker has; None if it is alone."""

    def find_objection(self) -> str:
        """Return why this worker must neither accept nor deliver events; "" if it may."""

    def hosts_with_other_settings(self) -> frozenset[str]:
        """Return the hosts of workers that started before this one, with other settings."""

    def now_ms(self) -> int | None:
        """Return the time by the clock that all workers share; None if there is none, or it is not known yet."""

    async def is_alive(self, spool_id: int) -> bool:
        """Return whether another worker runs on the spool; raises `Unavailable` if that is unknown at the moment."""

    def owns_spool(self, spool_id: int) -> bool:
        """Return whether this worker answers for the events of a spool in the store, as far as it knows."""

    async def find_owned_spools(self) -> frozenset[int] | None:
        """Return the spools whose events this worker answers for; None for all. Raises `Unavailable` if unknown."""

    def publish_position(self, read_position: Callable[[], SpoolPosition]) -> None:
        """Start reporting to the others how far this worker's spool is."""

    def mark_unfinished(self) -> None:
        """Record that this worker stops while only its spool knows something, so that others see what it owes."""

    async def wait_until_stored(
        self, timeout_seconds: float, includes: Includes = include_all
    ) -> Mapping[int, int] | None:
        """Wait until the store has the included events that other workers have acknowledged before this call.

        Return the awaited sequence number by spool; None without other workers. Raises `Unavailable` after
        `timeout_seconds`.
        """

    async def find_spools(self) -> Mapping[int, SpoolState]:
        """Return all spools ever used, by identity; empty for a single worker. Raises `Unavailable` if unknown."""

    async def broadcast(self, message: str) -> None:
        """Send a message of at most `MAX_MESSAGE_BYTES` to all workers; it may be lost. May raise `Unavailable`."""

    def subscribe(self, listener: Callable[[str], None]) -> None:
        """Call `listener` with each message of a worker, on the event loop."""


class NoPeers:
    """A single worker."""

    def worker_id(self) -> str:
        """Return "": there is no other worker."""
        return ""

    def worker_count(self) -> int:
        """Return 1."""
        return 1

    def spool_id(self) -> int | None:
        """Return None."""
        return None

    def find_objection(self) -> str:
        """Return "": no other worker can replace it."""
        return ""

    def hosts_with_other_settings(self) -> frozenset[str]:
        """Return no hosts."""
        return frozenset()

    def now_ms(self) -> int | None:
        """Return None: its own clock will do."""
        return None

    async def is_alive(self, spool_id: int) -> bool:  # noqa: ARG002 # there is no other worker
        """Return False."""
        return False

    def owns_spool(self, spool_id: int) -> bool:  # noqa: ARG002 # all are this one's
        """Return True."""
        return True

    async def find_owned_spools(self) -> frozenset[int] | None:
        """Return None."""
        return None

    def publish_position(self, read_position: Callable[[], SpoolPosition]) -> None:
        """Do nothing."""

    def mark_unfinished(self) -> None:
        """Do nothing."""

    async def wait_until_stored(
        self,
        timeout_seconds: float,  # noqa: ARG002 # there is nothing to wait for
        includes: Includes = include_all,  # noqa: ARG002 # as above
    ) -> Mapping[int, int] | None:
        """Return None."""
        return None

    async def find_spools(self) -> Mapping[int, SpoolState]:
        """Return an empty mapping."""
        return {}

    async def broadcast(self, message: str) -> None:
        """Do nothing."""

    def subscribe(self, listener: Callable[[str], None]) -> None:
        """Do nothing."""
