"""Lets a server accept events while the event store is away, and use it once it is examined (docs/decisions/0033)."""

import logging
import threading
from collections.abc import Callable
from contextlib import closing

from tallyroom.core.errors import TallyroomError
from tallyroom.ingest.drain.completeness import CompletenessCheck
from tallyroom.ingest.drain.drain import Drain
from tallyroom.operations.installation.refusal import IncompleteInstallation
from tallyroom.operations.installation.start import InstallationStart
from tallyroom.storage.event_store.backend.gate import StoreGate
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.hidden_events import HiddenEvents
from tallyroom.storage.event_store.migrate import StoreTooNew, TablesMissing
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.record import MovedAway

_RETRY_SECONDS = 1.0
_JOIN_TIMEOUT_SECONDS = 10.0

_log = logging.getLogger(__name__)


class StoreAdmission:
    """Waits in a thread for the event store, examines it and opens `gate`; does nothing if it did answer."""

    def __init__(
        self,
        start: InstallationStart,
        gate: StoreGate,
        migrate: Callable[[Writer], object],
        hidden_events: HiddenEvents,
        completeness_check: CompletenessCheck,
        drain: Drain,
    ) -> None:
        self._start = start
        self._gate = gate
        self._migrate = migrate
        self._hidden_events = hidden_events
        self._completeness_check = completeness_check
        self._drain = drain
        drain.find_obstacle = lambda: self.obstacle
        self.obstacle = str(start.away_error or "")  # why the store is not used yet; "" if it is
        self.refusal: TallyroomError | None = None  # why it never will be, so that the server has to stop
        self._stop_server: Callable[[], object] = lambda: None
        self._stop_event = threading.Event()
        self._thread = threading.Thread(target=self._wait_for_store, name="store-admission", daemon=True)

    def begin(self) -> None:
        """Start the drain or, if the store does not answer, the thread."""
        if not self.obstacle:
            self._drain.start()
            return
        _log.warning(
            "the event store does not respond, so events are queued in the spool", extra={"reason": self.obstacle}
        )
        self._thread.start()

    def call_on_refusal(self, stop_server: Callable[[], object]) -> None:
        """Call `stop_server`, in any thread, if the store is refused."""
        self._stop_server = stop_server
        if self.refusal is not None:
            stop_server()

    def close(self) -> None:
        """Stop waiting for the store."""
        self._stop_event.set()
        if self._thread.is_alive():
            self._thread.join(_JOIN_TIMEOUT_SECONDS)  # a hanging store must not keep the process from ending

    def _wait_for_store(self) -> None:
        while not self._stop_event.is_set():
            try:
                self._admit_store()
            except (IncompleteInstallation, StoreTooNew, TablesMissing, MovedAway) as error:
                self.refusal = error
                _log.critical("the event store is refused, so the server stops", extra={"reason": error.message})
                self._stop_server()
                return
            except (StoreError, TallyroomError) as error:  # also a missing right, or a server that is too old
                self._report_obstacle(str(error))
            except Exception as error:  # noqa: BLE001 # no one waits for this thread, and the server continues
                _log.exception("the event store could not be examined")
                self._report_obstacle(str(error))
            else:
                return
            self._stop_event.wait(_RETRY_SECONDS)

    def _admit_store(self) -> None:
        backend = self._gate.backend
        backend.open_store()  # other processes' starts do not wait until it answers
        with closing(Writer(backend)) as writer:
            self._start.admit_store(writer, self._migrate)
        with self._completeness_check.hold_exclusively():  # no one writes before everything is examined
            self._gate.accepts_writes = True
            try:
                self._hidden_events.read()
                self._completeness_check.compare_counts(timeout_seconds=0)
            except BaseException:
                self._gate.close_gate()
                raise
            self._gate.accepts_reads = True
        self.obstacle = ""
        if not self._stop_event.is_set():
            self._drain.start()
        _log.warning("the event store is back and was checked: it now accepts events and queries")

    def _report_obstacle(self, obstacle: str) -> None:
        first_line = (obstacle.splitlines() or ["it cannot be examined"])[0][:500]
        if first_line != self.obstacle:
            self.obstacle = first_line
            _log.warning("the event store cannot be used yet", extra={"reason": first_line})
