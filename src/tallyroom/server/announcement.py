"""What `tallyroom serve` reports to the operator and the init system."""

import socket
import sys
from collections.abc import Callable, Sequence

from tallyroom.core.host_names import bracket_ipv6
from tallyroom.core.settings import Settings
from tallyroom.core.version import running_version
from tallyroom.server.init_system import READY, STOPPING, InitSystem


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
        contents = "what waits for its event store" if settings.events_dsn else "its data"
        sys.stdout.write(
            f"Tallyroom {running_version()} listens on {address}{worker_note} and keeps {contents} in {settings.data}\n"
        )
        if not is_owned:
            sys.stdout.write(f"Next: open {settings.base_url or address} - it says how to send the first event.\n")
        sys.stdout.flush()
        self._init_system.notify(READY)

    def note_stopping(self) -> None:
        """Report that the server is stopping."""
        self._init_system.notify(STOPPING)
