"""What `tallyroom serve` reports to the operator and the init system."""

import logging
import socket
import sys
from collections.abc import Callable, Sequence

from tallyroom.core.host_names import bracket_ipv6
from tallyroom.core.settings import Settings
from tallyroom.core.version import running_version

READY, STOPPING = "READY=1", "STOPPING=1"

_log = logging.getLogger(__name__)


class InitSystem:
    """The init system's socket: `address` is NOTIFY_SOCKET, or "" if there is none."""

    def __init__(self, address: str) -> None:
        self._address = address

    def notify(self, state: str) -> None:
        """Send `state`; a failure is logged, and the server continues."""
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                sender.connect("\0" + self._address[1:] if self._address[0] == "@" else self._address)
                sender.send(state.encode())
        except OSError as error:
            _log.warning("the init system could not be notified", extra={"reason": str(error)})


class Announcement:
    """Announces one server, or several workers together; implements `ServerObserver`."""

    def __init__(self, settings: Settings, sockets: Sequence[socket.socket], init_system: InitSystem) -> None:
        self._settings = settings
        self._sockets = sockets
        self._init_system = init_system

    def note_opened(
        self, worker_id: str, spool_id: int, stop: Callable[[], object], hand_over: Callable[[], object]
    ) -> None:
        """Do nothing."""

    def note_started(self, *, is_owned: bool) -> None:
        """Report the address and the data directory, and the next step for the first person."""
        settings = self._settings
        address = f"http://{bracket_ipv6(settings.host)}:{self._sockets[0].getsockname()[1]}"
        worker_note = f" with {settings.workers} workers" if settings.workers > 1 else ""
        contents = "the events queued for its event store" if settings.events_dsn else "its data"
        sys.stdout.write(
            f"Tallyroom {running_version()} listens on {address}{worker_note} and keeps {contents} in {settings.data}\n"
        )
        if not is_owned:
            sys.stdout.write(f"Next: open {settings.base_url or address} - it shows how to send your first event.\n")
        sys.stdout.flush()
        self._init_system.notify(READY)

    def note_stopping(self) -> None:
        """Report that the server is stopping."""
        self._init_system.notify(STOPPING)
