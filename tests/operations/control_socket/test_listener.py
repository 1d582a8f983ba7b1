"""A command and a server on the same directory; whatever ends a conversation thaws what it froze."""

import logging
import socket
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from harness.builders.backups import FakeStoreAccess
from tallyroom.core.data_directory import CONTROL_SOCKET
from tallyroom.core.errors import Conflict
from tallyroom.operations.backup.store_access import FrozenStore
from tallyroom.operations.control_socket import listener
from tallyroom.operations.control_socket.listener import ControlSocket
from tallyroom.operations.control_socket.reach import ControlFailed, RemoteStoreAccess, ServerGone
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.part_check import CheckedPart


def becomes(found: Callable[[], object], wanted: object) -> None:
    deadline = time.monotonic() + 5
    while found() != wanted:
        assert time.monotonic() < deadline, found()
        time.sleep(0.005)


def test_every_question_gets_the_answer_of_the_store_access(remote: RemoteStoreAccess, access: FakeStoreAccess) -> None:
    assert remote.read_condition() == access.answer
    assert list(remote.check_parts()) == access.parts
    assert remote.freeze() == access.frozen
    remote.release_drain()
    remote.thaw()
    assert access.asked == ["condition", "check", "freeze", "release", "thaw"]


def test_only_its_owner_may_connect(server: ControlSocket, tmp_path: Path) -> None:
    found = (tmp_path / CONTROL_SOCKET).stat().st_mode
    assert stat.S_ISSOCK(found)
    assert stat.S_IMODE(found) == 0o600


@pytest.mark.parametrize("released", [False, True])
def test_a_command_that_hangs_up_thaws(remote: RemoteStoreAccess, access: FakeStoreAccess, *, released: bool) -> None:
    remote.freeze()
    if released:
        remote.release_drain()
    remote.close()
    becomes(lambda: access.asked[-1], "thaw")


def test_a_command_that_never_releases_is_hung_up(
    remote: RemoteStoreAccess, access: FakeStoreAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "_RELEASE_TIMEOUT_SECONDS", 0.05)
    remote.freeze()
    becomes(lambda: access.asked[-1], "thaw")
    with pytest.raises(ServerGone):
        remote.release_drain()
    remote.thaw()  # nothing is left to do, and that is no fault


def test_a_command_may_copy_for_longer_than_it_may_hold(
    remote: RemoteStoreAccess, access: FakeStoreAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "_RELEASE_TIMEOUT_SECONDS", 0.05)
    remote.freeze()
    remote.release_drain()
    time.sleep(0.2)
    assert access.asked == ["freeze", "release"]
    remote.thaw()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (Conflict("Another backup of this data is running."), "Another backup of this data is running."),
        (StoreError("Code: 243. no space\nstack"), "Code: 243. no space"),
        (StoreError(""), "StoreError"),
        (OSError(28, "No space left on device"), "[Errno 28] No space left on device"),
    ],
)
def test_a_refusal_comes_back_as_a_sentence(
    remote: RemoteStoreAccess, access: FakeStoreAccess, error: Exception, words: str
) -> None:
    def refuse() -> FrozenStore:
        raise error

    access.freeze = refuse  # type: ignore[method-assign] # for this test
    with pytest.raises(ControlFailed) as failed:
        remote.freeze()
    assert failed.value.message == words
    assert remote.read_condition() == access.answer  # the conversation goes on
    remote.close()
    becomes(threading.active_count, threading.active_count())
    assert "thaw" not in access.asked


def test_a_server_of_another_version_is_told_apart(remote: RemoteStoreAccess, access: FakeStoreAccess) -> None:
    access.read_condition = dict  # type: ignore[assignment] # for this test
    with pytest.raises(ControlFailed, match="different versions"):
        remote.read_condition()


def test_a_check_that_breaks_off_is_an_error(remote: RemoteStoreAccess, access: FakeStoreAccess) -> None:
    def check() -> Iterator[CheckedPart]:
        yield access.parts[0]
        raise StoreError("Code: 1. gone")

    access.check_parts = check  # type: ignore[method-assign] # for this test
    parts = remote.check_parts()
    assert next(parts) == access.parts[0]
    with pytest.raises(ControlFailed, match=r"Code: 1\. gone"):
        next(parts)


@pytest.mark.parametrize("line", [b"rubbish\n", b'{"ask":"drop"}\n', b'{"ask":"thaw","x":1}\n', b"[]\n"])
def test_what_is_no_question_ends_the_conversation(
    server: ControlSocket, tmp_path: Path, access: FakeStoreAccess, line: bytes
) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(tmp_path / CONTROL_SOCKET))
        connection.sendall(line)
        assert connection.recv(100) == b""
    assert access.asked == []


def test_two_commands_are_answered_side_by_side(
    remote: RemoteStoreAccess, access: FakeStoreAccess, tmp_path: Path, opened: ExitStack
) -> None:
    other = opened.enter_context(closing(RemoteStoreAccess(tmp_path)))
    remote.freeze()
    assert other.read_condition() == access.answer
    other.close()
    remote.release_drain()
    assert "thaw" not in access.asked


def test_a_stopping_server_hangs_up_and_thaws(
    server: ControlSocket, remote: RemoteStoreAccess, access: FakeStoreAccess
) -> None:
    remote.freeze()
    server.close()
    assert access.asked == ["freeze", "thaw"]
    with pytest.raises(ServerGone):
        remote.release_drain()


def test_a_stopping_server_ends_a_check(
    server: ControlSocket, remote: RemoteStoreAccess, access: FakeStoreAccess
) -> None:
    going = threading.Event()

    def check() -> Iterator[CheckedPart]:
        for part in access.parts:
            yield part
            going.wait(5)

    access.check_parts = check  # type: ignore[method-assign] # for this test
    parts = remote.check_parts()
    assert next(parts) == access.parts[0]
    closing_server = threading.Thread(target=server.close)
    closing_server.start()
    becomes(lambda: server._listener is not None and server._listener.is_closing, wanted=True)
    going.set()
    closing_server.join(5)
    assert not closing_server.is_alive()
    with pytest.raises(ServerGone):
        list(parts)


def test_the_socket_goes_with_the_server_and_one_that_was_left_is_replaced(
    server: ControlSocket, tmp_path: Path, access: FakeStoreAccess, opened: ExitStack
) -> None:
    server.close()
    assert not (tmp_path / CONTROL_SOCKET).exists()
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(tmp_path / CONTROL_SOCKET))
    again = ControlSocket(tmp_path, access, str)
    again.open()
    opened.callback(again.close)
    with closing(RemoteStoreAccess(tmp_path)) as remote:
        assert remote.read_condition() == access.answer


def test_a_directory_deeper_than_a_socket_may_be_named(
    tmp_path: Path, access: FakeStoreAccess, opened: ExitStack
) -> None:
    deep = tmp_path / ("deep" * 20) / ("er" * 40)
    deep.mkdir(parents=True)
    server = ControlSocket(deep, access, str)
    server.open()
    opened.callback(server.close)
    assert (deep / CONTROL_SOCKET).exists()
    with closing(RemoteStoreAccess(deep)) as remote:
        assert remote.read_condition() == access.answer


def test_without_a_socket_the_server_goes_on_and_says_so(
    tmp_path: Path, access: FakeStoreAccess, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / CONTROL_SOCKET).mkdir()
    server = ControlSocket(tmp_path, access, str)
    with caplog.at_level(logging.WARNING):
        server.open()
    assert "no control socket" in caplog.text
    server.close()
