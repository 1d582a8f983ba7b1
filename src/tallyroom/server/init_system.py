"""Reports the state of the server to the init system that started it, such as systemd (sd_notify)."""

import logging
from socket import AF_UNIX, SOCK_DGRAM, socket

READY, STOPPING = "READY=1", "STOPPING=1"

_log = logging.getLogger(__name__)


class InitSystem:
    """The init system's socket.

    `address` is the path in NOTIFY_SOCKET, with a leading ``@`` if the socket has no file; "" if there is none.
    """

    def __init__(self, address: str) -> None:
        self._address = address

    def notify(self, state: str) -> None:
        """Send `state`; a failure is logged, and the server continues."""
        if not self._address:
            return
        try:
            with socket(AF_UNIX, SOCK_DGRAM) as sender:
                sender.connect("\0" + self._address[1:] if self._address[0] == "@" else self._address)
                sender.send(state.encode())
        except OSError as error:
            _log.warning("the init system cannot be told how far the server is", extra={"reason": str(error)})
