"""The other workers that serve the same installation, as far as one worker has to know of them."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol


class Worker(NamedTuple):
    """One process that serves the installation.

    Attributes:
        id: a name that no other process has, nor the same one after a restart.
        spool_id: the identity of its spool.
        host: the machine, for the operator.
        settings_fingerprint: a fingerprint of the settings that all workers must share.
        epoch: the epoch of its start; a later one on the same spool, or on a copy of it, takes its place.
    """

    id: str
    spool_id: int
    host: str
    settings_fingerprint: str
    epoch: int = 0


MAX_SEQ = 2**63 - 1
"""A sequence number beyond all others."""


MAX_MESSAGE_BYTES = 7999
"""The length of the longest message between workers."""


class SpoolPosition(NamedTuple):
    """How far a spool is.

    Attributes:
        acknowledged_seq: the sequence number up to which its events are acknowledged.
        stored_seq: the one up to which they are stored.
        counts_json: its counts, as JSON; "" if they could not be read.
    """

    acknowledged_seq: int
    stored_seq: int
    counts_json: str = ""


class SpoolState(NamedTuple):
    """What is known of any spool of the installation.

    Attributes:
        acknowledged_seq: as its worker said last.
        stored_seq: as its worker said last.
        epoch: of its last start.
        is_used: whether a worker may start on it again.
    """

    acknowledged_seq: int
    stored_seq: int
    epoch: int
    is_used: bool


class Peers(Protocol):
    """All workers of an installation, on whatever host."""

    def worker_id(self) -> str:
        """Return the id of this worker; "" if it has no peers that could tell it from others."""
        ...

    def worker_count(self) -> int:
        """Return the number of workers, this one included; at least 1."""
        ...

    def spool_id(self) -> int | None:
        """Return the identity of this worker's spool, by which it is told from the others; None if it is alone."""
        ...

    def find_objection(self) -> str:
        """Return why this worker must neither take events nor deliver them; "" if it may."""
        ...

    def hosts_with_other_settings(self) -> frozenset[str]:
        """Return the hosts of workers that started before this one, with other settings than its own."""
        ...

    def now_ms(self) -> int | None:
        """Return the time by the one clock that all workers share; None if there is none, or it is not known yet."""
        ...

    async def is_alive(self, spool_id: int) -> bool:
        """Return whether a worker other than this one runs on the spool with this identity.

        Raises:
            Unavailable: nobody can tell at the moment.
        """
        ...

    def owns_spool(self, spool_id: int) -> bool:
        """Return whether this worker answers for the events of a spool in the store, as far as it knows."""
        ...

    async def find_owned_spools(self) -> frozenset[int] | None:
        """Return the spools whose events in the store this worker answers for: its own, and some that nobody uses.

        Returns:
            Their identities, as they are now; None if there is no other worker, so that all events are this one's.

        Raises:
            Unavailable: nobody can tell at the moment.
        """
        ...

    def publish_position(self, read_position: Callable[[], SpoolPosition]) -> None:
        """Tell the others from now on how far this worker's spool is."""
        ...

    def mark_unfinished(self) -> None:
        """Note that this worker stops although only its spool knows something, so that others see that it owes it."""
        ...

    async def wait_until_stored(self, timeout_seconds: float) -> Mapping[int, int] | None:
        """Wait until the store has all events that other workers have acknowledged before this call.

        What a worker that is away has not delivered is not waited for.

        Returns:
            The sequence number up to which the events of each other spool were meant; later ones may follow. None if
            there is no other worker.

        Raises:
            Unavailable: that takes over `timeout_seconds`, or nobody can tell.
        """
        ...

    async def find_spools(self) -> Mapping[int, SpoolState]:
        """Return all spools that were ever in use, by their identity; none if there is no other worker.

        Raises:
            Unavailable: nobody can tell at the moment.
        """
        ...

    async def broadcast(self, message: str) -> None:
        """Send all workers, this one included, a message of at most `MAX_MESSAGE_BYTES`; it may be lost.

        Raises:
            Unavailable: it is not sent.
        """
        ...

    def subscribe(self, listener: Callable[[str], None]) -> None:
        """Have each message of a worker handed over, on the event loop, from now on."""
        ...


class NoPeers:
    """One worker alone."""

    def worker_id(self) -> str:
        """Return "", because there is nobody to be told from."""
        return ""

    def worker_count(self) -> int:
        """Return 1."""
        return 1

    def spool_id(self) -> int | None:
        """Return None."""
        return None

    def find_objection(self) -> str:
        """Return "", because nobody else can have its place."""
        return ""

    def hosts_with_other_settings(self) -> frozenset[str]:
        """Return nobody."""
        return frozenset()

    def now_ms(self) -> int | None:
        """Return None: its own clock will do."""
        return None

    async def is_alive(self, spool_id: int) -> bool:  # noqa: ARG002 # nobody else runs on any
        """Return False."""
        return False

    def owns_spool(self, spool_id: int) -> bool:  # noqa: ARG002 # all are this one's
        """Return True."""
        return True

    async def find_owned_spools(self) -> frozenset[int] | None:
        """Return None."""
        return None

    def publish_position(self, read_position: Callable[[], SpoolPosition]) -> None:
        """Tell nobody."""

    def mark_unfinished(self) -> None:
        """Owe nobody anything."""

    async def wait_until_stored(self, timeout_seconds: float) -> Mapping[int, int] | None:  # noqa: ARG002 # there is nothing to wait for
        """Return None."""
        return None

    async def find_spools(self) -> Mapping[int, SpoolState]:
        """Return none."""
        return {}

    async def broadcast(self, message: str) -> None:
        """Tell nobody."""

    def subscribe(self, listener: Callable[[str], None]) -> None:
        """Hear nobody."""
