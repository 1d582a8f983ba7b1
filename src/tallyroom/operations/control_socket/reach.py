"""The command's end: gives access to the store of a data directory, through the running server or opened here."""

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
    hold,
    holder,
    refuse_of_workers,
)
from tallyroom.core.errors import TallyroomError
from tallyroom.operations.backup.local_store_access import local_store_access
from tallyroom.operations.backup.store_access import Condition, FrozenStore, StoreAccess
from tallyroom.operations.control_socket.wire import Reply, Request, short_name
from tallyroom.operations.installation.inspection import has_something
from tallyroom.operations.installation.refusal import refuse_unless_whole
from tallyroom.storage.event_store.part_check import CheckedPart

_ANSWER_SECONDS = 120.0

Answer = TypeVar("Answer")


class ControlFailed(TallyroomError):
    """The server could not do what was asked; nothing stays frozen."""


class ServerGone(ControlFailed):
    """The server ended, or hung up because this command took too long."""

    def __init__(self) -> None:
        super().__init__("The server ended, or gave up waiting for this command.")


class RemoteStoreAccess:
    """The store of the running server; `backup.store_access.StoreAccess` describes the methods.

    Args:
        data: the data directory.

    Raises:
        OSError: no server listens there.
    """

    def __init__(self, data: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(_ANSWER_SECONDS)
        try:
            with short_name(data / CONTROL_SOCKET) as name:
                self._socket.connect(name)
        except OSError:
            self._socket.close()
            raise
        self._lines = self._socket.makefile("rb")

    def freeze(self) -> FrozenStore:
        """Freeze the store and hold the drain."""
        return self._ask("freeze", FrozenStore)

    def release(self) -> None:
        """Let the drain continue."""
        self._ask("release", type(None))

    def thaw(self) -> None:
        """Delete the frozen parts; a server that has ended has already done so."""
        with suppress(ServerGone):
            self._ask("thaw", type(None))

    def condition(self) -> Condition:
        """Count the events and describe the condition of the store."""
        return self._ask("condition", Condition)

    def check(self) -> Iterator[CheckedPart]:
        """Read every part; a single part may take minutes."""
        self._send("check")
        self._socket.settimeout(None)
        while (reply := self._read()).more:
            yield _decode(reply.value, CheckedPart)
        self._socket.settimeout(_ANSWER_SECONDS)

    def close(self) -> None:
        """Close the connection, which thaws what is frozen."""
        self._lines.close()
        self._socket.close()

    def _ask(self, step: str, answer: type[Answer]) -> Answer:
        self._send(step)
        return _decode(self._read().value, answer)

    def _send(self, step: str) -> None:
        try:
            self._socket.sendall(msgspec.json.encode(msgspec.convert({"ask": step}, Request)) + b"\n")
        except OSError as error:
            raise ServerGone from error

    def _read(self) -> Reply:
        try:
            line = self._lines.readline()
        except TimeoutError as error:
            raise ControlFailed("The server does not answer.") from error
        except OSError as error:
            raise ServerGone from error
        if not line:
            raise ServerGone
        reply = _decode(line, Reply)
        if reply.error:
            raise ControlFailed(reply.error)
        return reply


def _decode(line: bytes | msgspec.Raw, answer: type[Answer]) -> Answer:
    try:
        return msgspec.json.decode(line, type=answer)
    except msgspec.DecodeError as error:
        raise ControlFailed("The server has another version than this command: restart the server.") from error


def dial(data: Path) -> AbstractContextManager[StoreAccess]:
    """Provide access to the store of the running server on `data`.

    Raises:
        OSError: no server listens there.
    """
    return closing(RemoteStoreAccess(data))


@contextmanager
def reach(data: Path, clock: Clock, *, settle_range: bool) -> Iterator[StoreAccess]:
    """Provide access to the store of `data` through the running server, or opened here if no server runs.

    Args:
        data: the data directory.
        clock: used by the drain that finishes what a crash left.
        settle_range: without a server, finish the range that a crash left open.

    Raises:
        DataDirectoryUnusable: there is no data, it cannot be opened, or its parts do not belong together.
        OfWorkers: the data is that of several workers.
        DataDirectoryInUse: a server holds the directory and does not answer.
        Unavailable: the store does not take the open range.
        StoreError: the store cannot be opened.
    """
    refuse_of_workers(data)
    if not has_something(data):
        raise DataDirectoryUnusable(f"There is no Tallyroom data in {data}: name its directory with --data.")
    with ExitStack() as stack:
        try:
            remote = stack.enter_context(dial(data))
        except OSError:
            remote = None
        if remote is not None:
            yield remote
            return
        try:
            stack.enter_context(hold(data))
        except DataDirectoryInUse:
            raise DataDirectoryInUse(
                f"The server (process {holder(data)}) that uses {data} does not answer at {CONTROL_SOCKET}: it is "
                "starting or stopping, or its log says why it has no socket. Try again, or stop it first."
            ) from None
        refuse_unless_whole(data, key_given=True, check=False)
        yield stack.enter_context(local_store_access(data, clock, settle_range=settle_range))
