"""Lets a server use an event store that did not answer when it started (docs/decisions/0033).

The server takes events meanwhile. Before anything is inserted or answered, what a start checks first is checked then.
"""

import logging
import threading
from collections.abc import Callable
from contextlib import closing

from tallyroom.core.errors import TallyroomError
from tallyroom.ingest.drain.completeness import Soundness
from tallyroom.ingest.drain.drain import Drain
from tallyroom.operations.installation.refusal import NotWhole
from tallyroom.operations.installation.start import Start
from tallyroom.storage.event_store.backend.gate import StoreGate
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.hidden_events import HiddenEvents
from tallyroom.storage.event_store.migrate import StoreTooNew, TablesMissing
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.record import MovedAway

_LOOK_SECONDS = 1.0
_LAST_WAIT = 10.0

_log = logging.getLogger(__name__)


class StoreAdmission:
    """Waits in a thread for the event store, examines it and opens its gate; does nothing if it did answer.

    Args:
        start: the start of this server.
        gate: the event store, shut until then.
        migrate: brings the store up to date.
        hidden_events: has to know which events are hidden.
        soundness: compares what the store holds with what it should hold.
        drain: begins when the store may be used.

    Attributes:
        obstacle: why the store is not used yet; "" if it is.
        refusal: why it never will be, so that the server has to stop; None if nothing is wrong.
    """

    def __init__(
        self,
        start: Start,
        gate: StoreGate,
        migrate: Callable[[Writer], object],
        hidden_events: HiddenEvents,
        soundness: Soundness,
        drain: Drain,
    ) -> None:
        self._start = start
        self._gate = gate
        self._migrate = migrate
        self._hidden_events = hidden_events
        self._soundness = soundness
        self._drain = drain
        drain.obstacle = lambda: self.obstacle
        self.obstacle = str(start.away or "")
        self.refusal: TallyroomError | None = None
        self._stop: Callable[[], object] = lambda: None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-admission", daemon=True)

    def begin(self) -> None:
        """Start the drain or, if the store does not answer, the thread."""
        if not self.obstacle:
            self._drain.start()
            return
        _log.warning("the event store does not answer, so events wait in the spool", extra={"reason": self.obstacle})
        self._thread.start()

    def stop_by(self, stop: Callable[[], object]) -> None:
        """Have `stop` called, in any thread, if the store is refused."""
        self._stop = stop
        if self.refusal is not None:
            stop()

    def close(self) -> None:
        """Stop waiting for the store."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(_LAST_WAIT)  # a hanging store must not keep the process from ending

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._admit()
            except (NotWhole, StoreTooNew, TablesMissing, MovedAway) as error:
                self.refusal = error
                _log.critical("the event store is refused, so the server stops", extra={"reason": error.message})
                self._stop()
                return
            except (StoreError, TallyroomError) as error:  # also a right that is missing, or a server that is too old
                self._note(str(error))
            except Exception as error:  # noqa: BLE001 # nobody waits for this thread, and the server goes on
                _log.exception("the event store could not be examined")
                self._note(str(error))
            else:
                return
            self._stopping.wait(_LOOK_SECONDS)

    def _admit(self) -> None:
        store = self._gate.backend
        store.open()  # nobody else's start waits until it answers
        with closing(Writer(store)) as writer:
            self._start.admit(writer, self._migrate)
        with self._soundness.alone():  # nobody writes before everything is examined
            self._gate.takes_writes = True
            try:
                self._hidden_events.read()
                self._soundness.look(seconds=0)
            except BaseException:
                self._gate.shut()
                raise
            self._gate.takes_questions = True
        self.obstacle = ""
        if not self._stopping.is_set():
            self._drain.start()
        _log.warning("the event store answers and was examined: it takes events and questions from now on")

    def _note(self, obstacle: str) -> None:
        first = (obstacle.splitlines() or ["it cannot be examined"])[0][:500]
        if first != self.obstacle:
            self.obstacle = first
            _log.warning("the event store cannot be used yet", extra={"reason": first})
