"""A server tells its numbers, or there is no answer, within a time."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from harness.builders.backups import FakeStoreAccess
from harness.suite.patience import PATIENCE
from tallyroom.core.data_directory import CONTROL_SOCKET
from tallyroom.operations.control_socket.ask_numbers import fetch_metrics
from tallyroom.operations.control_socket.listener import ControlSocket
from tallyroom.operations.control_socket.wire import ControlReply


@contextmanager
def served(data: Path, access: FakeStoreAccess, numbers: str | Exception) -> Iterator[None]:
    def tell() -> str:
        if isinstance(numbers, Exception):
            raise numbers
        return numbers

    server = ControlSocket(data, access, tell)
    server.open()
    try:
        yield
    finally:
        server.close()


@pytest.mark.parametrize("numbers", ["numbers 7\n", "", "µ" * 500_000])
async def test_a_server_tells_its_numbers(tmp_path: Path, access: FakeStoreAccess, numbers: str) -> None:
    deep = tmp_path / ("deep" * 20) / ("er" * 40)
    deep.mkdir(parents=True)
    with served(deep, access, numbers):
        assert await fetch_metrics(deep, PATIENCE) == numbers
        assert access.asked == []


async def test_a_server_whose_event_loop_hangs_has_none(tmp_path: Path, access: FakeStoreAccess) -> None:
    with served(tmp_path, access, TimeoutError()):
        assert await fetch_metrics(tmp_path, PATIENCE) is None


async def test_no_server_has_none(tmp_path: Path) -> None:
    assert await fetch_metrics(tmp_path, PATIENCE) is None
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(tmp_path / CONTROL_SOCKET))
        assert await fetch_metrics(tmp_path, PATIENCE) is None
        left.listen()
        assert await fetch_metrics(tmp_path, 0.05) is None, "it stands still"


HALF = msgspec.json.encode(ControlReply(msgspec.Raw(b'"half"')))[:-3]


@pytest.mark.parametrize("said", [b"", HALF, b"{}\n", b"x" * 5_000_000], ids=["nothing", "half", "null", "too much"])
async def test_one_that_tells_no_text_has_none(tmp_path: Path, said: bytes) -> None:
    async def tell(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(said)
        writer.close()

    async with await asyncio.start_unix_server(tell, tmp_path / CONTROL_SOCKET):
        assert await fetch_metrics(tmp_path, PATIENCE) is None
