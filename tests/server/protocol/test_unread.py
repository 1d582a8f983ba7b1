"""Clients that read slowly, or not at all, on real connections (rules/safety#unread-answers)."""

import asyncio
import select
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, closing, suppress
from pathlib import Path

import httpx
import pytest
import uvloop

from harness.servers.connection import Scene
from harness.servers.server import Server
from harness.suite.patience import PATIENCE, until, wait_until
from tallyroom.server.protocol.backlog import Backlogs
from tallyroom.server.protocol.deadlines import UNTAKEN_SECONDS
from tallyroom.server.protocol.sockets import UNSENT_BYTES, count_unacknowledged_bytes, open_listeners

GET = b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
ANSWER = bytes(20_000_000)
SLOW = 2_000  # bytes a second
LARGEST_SEGMENT = 65_536  # of the loopback device: the kernel takes whole ones


class Clock:
    """Seconds that a test counts."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class Speaker:
    """A server on real sockets that answers everything with 20 MB."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.backlogs = Backlogs(100_000_000, read_clock=self.clock)
        self.scenes: list[Scene] = []
        self.address = ("", 0)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Listen as the server does."""
        with open_listeners("127.0.0.1", 0) as (listener,):
            self.address = listener.getsockname()
            server = await asyncio.get_running_loop().create_server(self._connection, sock=listener)
            try:
                yield
            finally:
                server.close()

    def _connection(self) -> asyncio.Protocol:
        scene = Scene(backlogs=self.backlogs, body=ANSWER)
        self.scenes.append(scene)
        return scene.connection

    def pass_time(self, seconds: float) -> None:
        self.clock.seconds += seconds
        self.backlogs.close_late_connections()


def client(address: tuple[str, int], buffer: int = 0) -> socket.socket:
    """A client that has asked 17 times; its kernel takes `buffer` bytes for it."""
    made = socket.socket()
    if buffer:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    made.connect(address)
    made.sendall(GET * 17)
    return made


async def check_that_the_kernel_takes_little() -> None:
    """It takes what is on the way, which is what the client's kernel takes, and no megabytes more."""
    speaker = Speaker()
    async with speaker.running():
        with closing(client(speaker.address)):
            await until(lambda: bool(speaker.scenes) and speaker.scenes[0].connection.flow.write_paused)
            await asyncio.sleep(0.2)  # in which it would take more
            connection = speaker.scenes[0].connection.transport.get_extra_info("socket")
            assert 0 < count_unacknowledged_bytes(connection) <= UNSENT_BYTES + 2 * LARGEST_SEGMENT


async def check_that_who_reads_nothing_is_gone() -> None:
    speaker = Speaker()
    async with speaker.running():
        with closing(client(speaker.address)) as unread:
            await until(lambda: bool(speaker.scenes) and speaker.scenes[0].connection.flow.write_paused)
            speaker.pass_time(0)
            speaker.pass_time(UNTAKEN_SECONDS - 1)
            assert not speaker.scenes[0].connection.transport.is_closing()
            speaker.pass_time(1)
            assert speaker.scenes[0].connection.transport.is_closing()
            await until(lambda: speaker.scenes[0].connection.active_cycle is None)
            assert speaker.backlogs.held_bytes == 0
            with suppress(ConnectionResetError):  # which may come before all that was on the way is read
                while await asyncio.to_thread(unread.recv, 1_000_000):
                    pass


async def check_that_who_reads_slowly_stays() -> None:
    """A phone that takes 2 kB a second, for three minutes; its kernel takes 8 kB for it."""
    speaker = Speaker()
    async with speaker.running():
        with closing(client(speaker.address, buffer=4_096)) as phone:
            for _ in range(180):
                assert len(await asyncio.to_thread(phone.recv, SLOW)) > 0
                await asyncio.sleep(0.005)
                speaker.pass_time(1)
            assert not speaker.scenes[0].connection.transport.is_closing()


CHECKS = [check_that_the_kernel_takes_little, check_that_who_reads_nothing_is_gone, check_that_who_reads_slowly_stays]


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: str(check.__name__).removeprefix("check_that_"))
def test_on_both_event_loops(run: Callable[..., None], check: Callable[[], object]) -> None:
    run(check())


def ask_without_reading(server: Server, path: str) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode() * 17)
    return connection


def gone(connections: list[socket.socket]) -> int:
    """How many of them the server has closed."""
    poll = select.poll()
    for connection in connections:
        poll.register(connection, 0)
    return len(poll.poll(0))


def largest_document(server: Server) -> str:
    """The path of something large that is open to everybody."""
    assert len(httpx.get(f"{server.url}/openapi.json", timeout=PATIENCE).content) > 200_000
    return "/openapi.json"


@pytest.mark.long
def test_too_many_unread_answers_cost_those_who_do_not_read(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", log_level="info", answers_max_bytes="1000000").start()
    path = largest_document(server)
    with ExitStack() as stack:
        unread = [stack.enter_context(closing(ask_without_reading(server, path))) for _ in range(20)]
        wait_until(lambda: gone(unread) >= 12)
        assert gone(unread) < 20
        assert httpx.get(f"{server.url}{path}", timeout=PATIENCE).status_code == 200
    wait_until(lambda: any("had waited longest" in line for line in server.output))
    server.stop()
    assert sum("do not read" in line for line in server.output) == 1  # the others of this minute are counted


@pytest.mark.long
def test_clients_that_never_read_shut_nobody_out(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", limits="-n 300", log_level="info").start()
    path = largest_document(server)
    with ExitStack() as stack:
        unread = [stack.enter_context(closing(ask_without_reading(server, path))) for _ in range(250)]
        wait_until(lambda: gone(unread) == len(unread))
        assert httpx.get(f"{server.url}/healthz", timeout=PATIENCE).status_code == 200
    server.stop()
