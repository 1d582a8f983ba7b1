"""Tells the init system that started the server, such as systemd, how far it is (sd_notify)."""

import logging
from socket import AF_UNIX, SOCK_DGRAM, socket

READY, STOPPING = "READY=1", "STOPPING=1"

_log = logging.getLogger(__name__)


class InitSystem:
    """Listens on a socket for what the server tells; without one, nobody does.

    Args:
        address: the path of the socket, as in the variable NOTIFY_SOCKET, with an ``@`` in front if it has no file; ""
            for nobody.
    """

    def __init__(self, address: str) -> None:
        self._address = address

    def notify(self, state: str) -> None:
        """Send `state`; the server goes on if that fails, and the log says so."""
        if not self._address:
            return
        try:
            with socket(AF_UNIX, SOCK_DGRAM) as sender:
                sender.connect("\0" + self._address[1:] if self._address[0] == "@" else self._address)
                sender.send(state.encode())
        except OSError as error:
            _log.warning("the init system cannot be told how far the server is", extra={"reason": str(error)})
