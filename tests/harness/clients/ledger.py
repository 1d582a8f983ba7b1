"""What the clients know: every event that was sent, and which of them the server acknowledged.

Each event has an actor of its own, so that what the store holds can be compared with the ledger one by one.
"""

import threading
from collections import Counter
from collections.abc import Iterable

from harness.stores.directory_counts import Held

_SHOWN = 5


class Ledger:
    """Written by the threads of a load, read when they are done."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sent: set[str] = set()
        self._acked: set[str] = set()
        self._requests: dict[str, list[str]] = {}

    @property
    def acked(self) -> int:
        """How many events were answered with 202."""
        return len(self._acked)

    def send(self, actors: Iterable[str]) -> None:
        """Note events before they leave."""
        with self._lock:
            self._sent.update(actors)

    def ack(self, actors: Iterable[str], request: str = "") -> None:
        """Note events whose request, with this id of the server's, was answered with 202."""
        with self._lock:
            self._acked.update(actors)
            self._requests[request] = list(actors)

    def acknowledged(self) -> frozenset[str]:
        """The events that were answered with 202 until now."""
        with self._lock:
            return frozenset(self._acked)

    def forget_all_but(self, acked: frozenset[str]) -> None:
        """The server was set back: of what was acknowledged only this can be asked of it; the rest may be there or not."""
        with self._lock:
            self._acked = set(acked)

    @property
    def requests(self) -> set[str]:
        """The ids of the requests that were acknowledged."""
        return set(self._requests)

    def when(self, answered: Iterable[str]) -> "Ledger":
        """What the clients knew when of the requests only these were answered."""
        then = Ledger()
        then.send(self._sent)
        for request in self.requests.intersection(answered):
            then.ack(self._requests[request], request)
        return then

    def check(self, held: Held) -> None:
        """Every acknowledged event is there once, every other event that was sent at most once, and nothing else."""
        self.check_actors(held.actors)
        assert held.rows == held.ids, f"count() {held.rows} is not uniqExact(id) {held.ids}"
        assert not held.waiting, f"{held.waiting} events still wait in the spool"
        assert held.acked == held.rows + len(held.dead), (
            f"the spool counted {held.acked} events, the store has {held.rows} and {len(held.dead)} were put aside"
        )
        assert held.stored == held.acked, f"{held.acked} acknowledged and {held.stored} marked as stored"

    def check_actors(self, actors: Counter[str]) -> None:
        """The same by actors alone."""
        lost = self._acked - actors.keys()
        doubled = {actor: count for actor, count in actors.items() if count > 1}
        strangers = actors.keys() - self._sent
        assert not lost, f"lost {len(lost)} of {self.acked} acknowledged events: {sorted(lost)[:_SHOWN]}"
        assert not doubled, f"doubled {len(doubled)} events: {sorted(doubled.items())[:_SHOWN]}"
        assert not strangers, f"{len(strangers)} events nobody sent: {sorted(strangers)[:_SHOWN]}"
