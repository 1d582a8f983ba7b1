"""Hides single events and shows them again (rules/events#hidden-events)."""

import logging
import threading
from collections.abc import Callable

from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.event_id import EventPosition
from tallyroom.storage.event_store.hidden_count import changing_hidden_events
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.event_store.writer import Writer

_EVENT_CONDITION = """workspace_id = {workspace_id:UUID} AND environment = {environment:String}
  AND timestamp = fromUnixTimestamp64Milli({timestamp_ms:Int64}, 'UTC')
  AND spool = {spool:UInt32} AND seq = {seq:UInt64}"""

_DAY_CONDITION = "toDate(timestamp) = toDate(fromUnixTimestamp64Milli({timestamp_ms:Int64}, 'UTC'))"

_log = logging.getLogger(__name__)


class HiddenEvents:
    """The hidden events. The store keeps them; this class remembers which scopes have any, so that others pay nothing.

    `read_peer_version` returns a number that changes when another worker may have hidden an event, and on every call
    while this worker cannot receive messages. If `is_store_away`, every scope may have hidden events until `read`.
    """

    def __init__(
        self, writer: Writer, read_peer_version: Callable[[], int] = int, *, is_store_away: bool = False
    ) -> None:
        self._writer = writer
        self._read_peer_version = read_peer_version
        self._lock = threading.Lock()
        self._reread_lock = threading.Lock()
        self._scopes_with_hidden: set[Scope] = set()
        self._last_read_version: int | None = None
        if not is_store_away:
            self.read()

    def read(self) -> None:
        """Read for the first time which scopes have hidden events; raises `StoreError`."""
        peer_version = self._read_peer_version()
        with self._lock:
            self._read_scopes()
        self._last_read_version = peer_version

    def has_hidden_events(self, scope: Scope) -> bool:
        """Return whether reads must leave events out; True while this worker does not know what others have hidden."""
        peer_version = self._read_peer_version()
        if self._last_read_version is None:
            return True
        if peer_version == self._last_read_version:
            return scope in self._scopes_with_hidden
        if peer_version == self._read_peer_version() and self._reread_lock.acquire(blocking=False):
            threading.Thread(target=self._reread_scopes, args=[peer_version], name="hidden-events", daemon=True).start()
        return True

    def hide(self, scope: Scope, position: EventPosition) -> bool:
        """Hide one event from later reads; False if there is no such event. After a `StoreError`, it may be hidden."""
        event_parameters = _build_event_parameters(scope, position)
        with self._lock, self._writer.hold_lock():
            if not self._has_row("events", event_parameters):
                return False
            self._scopes_with_hidden.add(scope)
            with self._writer.removing_events():  # even if it is hidden: its worker may not have told others
                if not self._has_row("hidden_events", event_parameters):
                    with changing_hidden_events(self._writer):
                        self._writer.command(
                            "INSERT INTO hidden_events"
                            " SELECT workspace_id, environment, timestamp, spool, seq, actor, actor_label != ''"
                            f" FROM events WHERE {_EVENT_CONDITION} AND {_DAY_CONDITION} LIMIT 1",
                            event_parameters,
                        )
            return True

    def show(self, scope: Scope, position: EventPosition) -> bool:
        """Show one event again; False if there is no such event. After a `StoreError`, it may still be hidden."""
        event_parameters = _build_event_parameters(scope, position)
        with self._lock, self._writer.hold_lock():
            with self._writer.removing_events():
                if self._has_row("hidden_events", event_parameters):
                    with changing_hidden_events(self._writer):
                        delete_sql = f"ALTER TABLE hidden_events DELETE WHERE {_EVENT_CONDITION}"
                        self._writer.command(delete_sql, event_parameters)
            return self._has_row("events", event_parameters)

    def _reread_scopes(self, peer_version: int) -> None:
        try:
            with self._lock:
                self._read_scopes()
            self._last_read_version = peer_version
        except StoreError as error:  # the next question tries again
            _log.warning("cannot read which events are hidden", extra={"reason": str(error)[:500]})
        finally:
            self._reread_lock.release()

    def _read_scopes(self) -> None:
        """Add the scopes with hidden events. None is removed, because a change that failed may still take effect."""
        answer = self._writer.command("SELECT DISTINCT workspace_id, environment FROM hidden_events")
        self._scopes_with_hidden |= {Scope(*line.split("\t")) for line in answer.splitlines()}

    def _has_row(self, table: str, event_parameters: dict[str, str | int]) -> bool:
        day_condition = f" AND {_DAY_CONDITION}" if table == "events" else ""
        sql = f"SELECT count() FROM {table} WHERE {_EVENT_CONDITION}{day_condition}"
        return int(self._writer.command(sql, event_parameters)) > 0


def _build_event_parameters(scope: Scope, position: EventPosition) -> dict[str, str | int]:
    return {"workspace_id": scope.workspace_id, "environment": scope.environment, **position._asdict()}
