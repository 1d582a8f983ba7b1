"""The server side: an owner-only socket in the data directory, with a thread for each connection, which may block."""

import logging
import socket
import socketserver
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec

from tallyroom.core.data_directory import CONTROL_SOCKET
from tallyroom.core.errors import TallyroomError
from tallyroom.operations.backup.store_access import FrozenStore, StoreAccess
from tallyroom.operations.control_socket.wire import ControlReply, ControlRequest, shorten_socket_path
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.file_identity import FileIdentities

_RELEASE_TIMEOUT_SECONDS = 20.0  # how long a command may hold the drain
_STOP_TIMEOUT_SECONDS = 15.0
_POLL_SECONDS = 0.1  # how soon the listener notices that it should stop

_log = logging.getLogger(__name__)


class ControlSocket:
    """Answers commands from `open` to `close`. `format_metrics` returns the text of `/metrics`, in any thread."""

    def __init__(self, data_dir: Path, access: StoreAccess, format_metrics: Callable[[], str]) -> None:
        self._path = data_dir / CONTROL_SOCKET
        self._access = access
        self._format_metrics = format_metrics
        self._listener: _Listener | None = None

    def open(self) -> None:
        """Start listening; if no socket can be created, the server runs without one and logs a warning."""
        try:
            self._path.unlink(missing_ok=True)  # left by a server that was killed
            self._listener = _Listener(self._path, self._access, self._format_metrics)
            self._file_identities = FileIdentities(self._path)
        except OSError as error:
            _log.warning(
                "no control socket: backup and doctor work only while the server is stopped",
                extra={"reason": str(error)},
            )
            return
        serve = partial(self._listener.serve_forever, poll_interval=_POLL_SECONDS)
        threading.Thread(target=serve, name="control", daemon=True).start()

    def close(self) -> None:
        """End all connections; call this before closing the parts that `access` uses."""
        if self._listener is not None:
            self._listener.shutdown()
            self._listener.server_close()
            self._listener.close_connections(_STOP_TIMEOUT_SECONDS)
            if self._file_identities.find_astray() is None:  # otherwise the socket there belongs to another server
                self._path.unlink(missing_ok=True)


class _Listener(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, path: Path, access: StoreAccess, format_metrics: Callable[[], str]) -> None:
        super().__init__(str(path), _ConnectionHandler, bind_and_activate=False)
        self.access = access
        self.format_metrics = format_metrics
        self.is_closing = False
        self._connections: set[socket.socket] = set()
        self._connections_changed = threading.Condition()
        try:
            with shorten_socket_path(path) as name:
                self.socket.bind(name)
            path.chmod(0o600)  # before it listens, so that no one else can connect
            self.server_activate()
        except OSError:
            self.server_close()
            raise

    def process_request_thread(self, request: socket.socket, client_address: object) -> None:  # type: ignore[override] # a socket is what comes here
        with self._connections_changed:
            self._connections.add(request)
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._connections_changed:
                self._connections.discard(request)
                self._connections_changed.notify_all()

    def close_connections(self, timeout_seconds: float) -> None:
        """End every connection, which thaws what it has frozen, and wait for the last one."""
        self.is_closing = True
        with self._connections_changed:
            for connection in self._connections:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            self._connections_changed.wait_for(lambda: not self._connections, timeout_seconds)


class _ConnectionHandler(socketserver.StreamRequestHandler):
    """One connection; when it ends, what it has frozen is thawed."""

    server: _Listener

    def handle(self) -> None:
        self._has_frozen = False
        try:
            for line in self.rfile:
                self._handle_request(msgspec.json.decode(line, type=ControlRequest))
        except (OSError, msgspec.DecodeError) as error:  # the command hung up, or took too long
            _log.info("a control connection broke", extra={"reason": str(error)})
        finally:
            self._thaw()

    def _handle_request(self, request: ControlRequest) -> None:
        handlers: dict[str, Callable[[], object]] = {
            "freeze": self._freeze,
            "release": self._release,
            "thaw": self._thaw,
            "condition": self.server.access.read_condition,
            "check": self._send_parts,
            "numbers": self.server.format_metrics,
        }
        try:
            value = handlers[request.ask]()
        except (TallyroomError, StoreError, sqlite3.Error, OSError) as error:
            self._send_reply(ControlReply(error=f"{error}\n".splitlines()[0] or type(error).__name__))
        else:
            self._send_reply(ControlReply(msgspec.Raw(msgspec.json.encode(value))))

    def _freeze(self) -> FrozenStore:
        frozen_store = self.server.access.freeze()
        self._has_frozen = True
        self.connection.settimeout(_RELEASE_TIMEOUT_SECONDS)
        return frozen_store

    def _release(self) -> None:
        self.connection.settimeout(None)
        self.server.access.release_drain()

    def _thaw(self) -> None:
        if self._has_frozen:
            self._has_frozen = False
            self.server.access.thaw()

    def _send_parts(self) -> None:
        for part in self.server.access.check_parts():
            self._send_reply(ControlReply(msgspec.Raw(msgspec.json.encode(part)), more=True))

    def _send_reply(self, reply: ControlReply) -> None:
        if self.server.is_closing:
            raise ConnectionAbortedError("the server is stopping")
        self.wfile.write(msgspec.json.encode(reply) + b"\n")
