"""The client side: provides the store of a data directory, through the running server or opened in this process."""

import socket
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from tallyroom.core.clock import Clock
from tallyroom.core.data_directory import (
    CONTROL_SOCKET,
    DataDirectoryInUse,
    DataDirectoryUnusable,
    hold_directory,
    read_holder_id,
    refuse_workers_directory,
)
from tallyroom.core.errors import TallyroomError
from tallyroom.operations.backup.local_store_access import open_local_access
from tallyroom.operations.backup.store_access import FrozenStore, StoreAccess, StoreCondition
from tallyroom.operations.control_socket.wire import ControlReply, ControlRequest, shorten_socket_path
from tallyroom.operations.installation.inspection import has_any_part
from tallyroom.operations.installation.refusal import refuse_incomplete
from tallyroom.storage.event_store.part_check import CheckedPart

_ANSWER_TIMEOUT_SECONDS = 120.0

Answer = TypeVar("Answer")


class ControlFailed(TallyroomError):
    """The server could not do what was requested; nothing stays frozen."""


class ServerGone(ControlFailed):
    """The server ended, or hung up because this command took too long."""

    def __init__(self) -> None:
        super().__init__("The server stopped, or closed the connection because this command took too long.")


class RemoteStoreAccess:
    """The store of the running server, as a `StoreAccess`; raises `OSError` if no server listens."""

    def __init__(self, data_dir: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(_ANSWER_TIMEOUT_SECONDS)
        try:
            with shorten_socket_path(data_dir / CONTROL_SOCKET) as name:
                self._socket.connect(name)
        except OSError:
            self._socket.close()
            raise
        self._reply_lines = self._socket.makefile("rb")

    def freeze(self) -> FrozenStore:
        """Freeze the store and hold the drain."""
        return self._call("freeze", FrozenStore)

    def release_drain(self) -> None:
        """Let the drain continue."""
        self._call("release", type(None))

    def thaw(self) -> None:
        """Delete the frozen parts; a server that has ended has already done so."""
        with suppress(ServerGone):
            self._call("thaw", type(None))

    def read_condition(self) -> StoreCondition:
        """Count the events and describe the condition of the store."""
        return self._call("condition", StoreCondition)

    def check_parts(self) -> Iterator[CheckedPart]:
        """Read every part; a single part may take minutes."""
        self._send_request("check")
        self._socket.settimeout(None)
        while (reply := self._read_reply()).more:
            yield _decode(reply.value, CheckedPart)
        self._socket.settimeout(_ANSWER_TIMEOUT_SECONDS)

    def close(self) -> None:
        """Close the connection, which thaws what is frozen."""
        self._reply_lines.close()
        self._socket.close()

    def _call(self, method: str, reply_type: type[Answer]) -> Answer:
        self._send_request(method)
        return _decode(self._read_reply().value, reply_type)

    def _send_request(self, method: str) -> None:
        try:
            self._socket.sendall(msgspec.json.encode(msgspec.convert({"ask": method}, ControlRequest)) + b"\n")
        except OSError as error:
            raise ServerGone from error

    def _read_reply(self) -> ControlReply:
        try:
            line = self._reply_lines.readline()
        except TimeoutError as error:
            raise ControlFailed("The server does not respond. Try again, or stop it first.") from error
        except OSError as error:
            raise ServerGone from error
        if not line:
            raise ServerGone
        reply = _decode(line, ControlReply)
        if reply.error:
            raise ControlFailed(reply.error)
        return reply


def _decode(line: bytes | msgspec.Raw, value_type: type[Answer]) -> Answer:
    try:
        return msgspec.json.decode(line, type=value_type)
    except msgspec.DecodeError as error:
        raise ControlFailed("The server and this command have different versions. Restart the server.") from error


def connect_to_server(data_dir: Path) -> AbstractContextManager[StoreAccess]:
    """Provide the store of the running server on `data_dir`; raise `OSError` if no server listens there."""
    return closing(RemoteStoreAccess(data_dir))


@contextmanager
def open_store_access(data_dir: Path, clock: Clock, *, settle_open_claim: bool) -> Iterator[StoreAccess]:
    """Provide the store of `data_dir` through the running server, or opened here if no server runs.

    Without a server, `settle_open_claim` finishes the range that a crash left open. Raises `DataDirectoryUnusable`,
    `WorkersDirectory`, `DataDirectoryInUse` if a server holds the directory but does not answer, or a store's error.
    """
    refuse_workers_directory(data_dir)
    if not has_any_part(data_dir):
        raise DataDirectoryUnusable(f"There is no Tallyroom data in {data_dir}. Pass its directory with --data.")
    with ExitStack() as stack:
        try:
            remote_access = stack.enter_context(connect_to_server(data_dir))
        except OSError:
            remote_access = None
        if remote_access is not None:
            yield remote_access
            return
        try:
            stack.enter_context(hold_directory(data_dir))
        except DataDirectoryInUse:
            raise DataDirectoryInUse(
                f"The server (process {read_holder_id(data_dir)}) that uses {data_dir} does not respond at "
                f"{CONTROL_SOCKET}: it is starting or stopping, or its log says why it has no socket. Try again, "
                "or stop it first."
            ) from None
        refuse_incomplete(data_dir, is_key_given=True, must_check_damage=False)
        yield stack.enter_context(open_local_access(data_dir, clock, settle_open_claim=settle_open_claim))
