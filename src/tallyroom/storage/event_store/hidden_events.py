"""Hides single events and shows them again (rules/events#hidden-events)."""

import logging
import threading
from collections.abc import Callable

from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.event_id import EventPosition
from tallyroom.storage.event_store.hidden_count import changing
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.event_store.writer import Writer

_THIS_EVENT = """workspace_id = {workspace_id:UUID} AND environment = {environment:String}
  AND timestamp = fromUnixTimestamp64Milli({timestamp_ms:Int64}, 'UTC')
  AND spool = {spool:UInt32} AND seq = {seq:UInt64}"""

_THIS_DAY = "toDate(timestamp) = toDate(fromUnixTimestamp64Milli({timestamp_ms:Int64}, 'UTC'))"

_log = logging.getLogger(__name__)


class HiddenEvents:
    """The hidden events. The store keeps them; this class remembers which scopes have any, so that others pay nothing.

    Args:
        writer: the event store.
        number: returns a number that moves when another worker may have hidden an event, and at each look while this
            worker hears of nobody.
        is_away: whether the store does not answer yet; until `read`, every scope may have hidden events.
    """

    def __init__(self, writer: Writer, number: Callable[[], int] = int, *, is_away: bool = False) -> None:
        self._writer = writer
        self._number = number
        self._lock = threading.Lock()
        self._reading = threading.Lock()
        self._scopes: set[Scope] = set()
        self._read_at: int | None = None
        if not is_away:
            self.read()

    def read(self) -> None:
        """Read for the first time which scopes have hidden events.

        Raises:
            StoreError: the store failed.
        """
        number = self._number()
        with self._lock:
            self._read()
        self._read_at = number

    def any_in(self, scope: Scope) -> bool:
        """Return whether reads of this scope must leave events out.

        Until this worker knows what another may have hidden, that is true of every scope, which costs a little time.
        """
        number = self._number()
        if self._read_at is None:
            return True
        if number == self._read_at:
            return scope in self._scopes
        if number == self._number() and self._reading.acquire(blocking=False):
            threading.Thread(target=self._read_again, args=[number], name="hidden-events", daemon=True).start()
        return True

    def hide(self, scope: Scope, position: EventPosition) -> bool:
        """Leave one event out of every read that begins after this call; False if there is no such event.

        Raises:
            StoreError: the store failed; the event may or may not be hidden.
        """
        values = _values(scope, position)
        with self._lock, self._writer.alone():
            if not self._exists("events", values):
                return False
            self._scopes.add(scope)
            with self._writer.taking_away():  # even if it is hidden: whoever hid it may not have told others
                if not self._exists("hidden_events", values):
                    with changing(self._writer):
                        self._writer.command(
                            "INSERT INTO hidden_events"
                            " SELECT workspace_id, environment, timestamp, spool, seq, actor, actor_label != ''"
                            f" FROM events WHERE {_THIS_EVENT} AND {_THIS_DAY} LIMIT 1",
                            values,
                        )
            return True

    def show(self, scope: Scope, position: EventPosition) -> bool:
        """Include one event in reads again, whether or not it was hidden; False if there is no such event.

        Raises:
            StoreError: the store failed; the event may or may not be hidden.
        """
        values = _values(scope, position)
        with self._lock, self._writer.alone():
            with self._writer.taking_away():
                if self._exists("hidden_events", values):
                    with changing(self._writer):
                        self._writer.command(f"ALTER TABLE hidden_events DELETE WHERE {_THIS_EVENT}", values)
            return self._exists("events", values)

    def _read_again(self, number: int) -> None:
        try:
            with self._lock:
                self._read()
            self._read_at = number
        except StoreError as error:  # the next question tries again
            _log.warning("which events are hidden could not be read", extra={"reason": str(error)[:500]})
        finally:
            self._reading.release()

    def _read(self) -> None:
        """Add the scopes that have hidden events; none is taken out, because a change that failed may still come."""
        answer = self._writer.command("SELECT DISTINCT workspace_id, environment FROM hidden_events")
        self._scopes |= {Scope(*line.split("\t")) for line in answer.splitlines()}

    def _exists(self, table: str, values: dict[str, str | int]) -> bool:
        day = f" AND {_THIS_DAY}" if table == "events" else ""
        return int(self._writer.command(f"SELECT count() FROM {table} WHERE {_THIS_EVENT}{day}", values)) > 0


def _values(scope: Scope, position: EventPosition) -> dict[str, str | int]:
    return {"workspace_id": scope.workspace_id, "environment": scope.environment, **position._asdict()}
