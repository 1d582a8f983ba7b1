"""Answers that nobody reads: how long they may wait, and how many (rules/safety#unread-answers)."""

import asyncio
import logging

import pytest

from harness.servers.connection import ROOM, Scene
from harness.suite.patience import until
from tallyroom.rest.answer import HttpAnswer
from tallyroom.server.protocol.backlog import Backlogs
from tallyroom.server.protocol.deadlines import UNTAKEN_SECONDS
from tallyroom.server.protocol.sockets import UNSENT_BYTES

GET = b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST /hot HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody"


def closings(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """What the log says of closed connections."""
    return [record for record in caplog.records if record.name == Backlogs.__module__]


class Street:
    """Connections with a clock that a test moves, and kernels that acknowledge what a test says."""

    def __init__(self, most: int = ROOM, keep_alive: float = 30) -> None:
        self.time = 1000.0
        self.in_kernel: dict[int, int] = {}
        self.backlogs = Backlogs(most, lambda connection: self.in_kernel.get(id(connection), 0), lambda: self.time)
        self._keep_alive = keep_alive

    def connect(self) -> Scene:
        return Scene(backlogs=self.backlogs, keep_alive=self._keep_alive)

    def wait(self, scene: Scene, *, kernel: int, buffered: int = 0) -> None:
        """So much of what was written is not acknowledged, and so much is still in this process."""
        self.in_kernel[id(scene.transport)] = kernel
        scene.transport.buffered = buffered

    def pass_time(self, seconds: float) -> None:
        self.time += seconds
        self.backlogs.close_late_connections()


@pytest.fixture
async def street() -> Street:
    return Street()


async def answered(street: Street, *, kernel: int, buffered: int = 0) -> Scene:
    """A connection with an answer of which so much waits."""
    scene = street.connect()
    await scene.receive(GET)
    scene.connection.backlog.write(bytes(kernel + buffered))
    street.wait(scene, kernel=kernel, buffered=buffered)
    street.backlogs.close_late_connections()
    return scene


@pytest.mark.parametrize(("kernel", "buffered"), [(1, 0), (20, 15), (0, 1)])
async def test_who_takes_nothing_for_30_seconds_is_gone(street: Street, kernel: int, buffered: int) -> None:
    scene = await answered(street, kernel=kernel, buffered=buffered)
    street.pass_time(UNTAKEN_SECONDS - 0.5)
    assert not scene.transport.over
    street.pass_time(0.5)
    assert UNTAKEN_SECONDS == 30
    assert scene.transport.aborted


async def test_it_is_so_while_writing_is_paused_and_requests_wait(
    street: Street, caplog: pytest.LogCaptureFixture
) -> None:
    scene = street.connect()
    scene.connection.pause_writing()
    await scene.receive(GET * 17)
    street.wait(scene, kernel=0)
    scene.connection.backlog.write(b"x" * 100)
    street.wait(scene, kernel=60, buffered=40)
    with caplog.at_level(logging.INFO):
        street.pass_time(UNTAKEN_SECONDS)
    assert scene.transport.aborted
    assert [vars(record)["reason"] for record in closings(caplog)] == ["read nothing for 30 seconds"]
    scene.connection.connection_lost(None)
    await asyncio.sleep(0.01)
    assert (street.backlogs.held_bytes, scene.allowance.held_bytes) == (0, 0)


async def test_who_takes_a_byte_now_and_then_stays(street: Street) -> None:
    scene = await answered(street, kernel=40)
    for left in range(39, 0, -1):
        street.wait(scene, kernel=left)
        street.pass_time(UNTAKEN_SECONDS - 1)
    assert not scene.transport.over


async def test_more_to_read_is_no_reading(street: Street) -> None:
    """As in a stream of events, which goes on while its client sleeps."""
    scene = await answered(street, kernel=10)
    for second in range(29):
        scene.connection.backlog.write(b"x" * 100)
        street.wait(scene, kernel=10 + 100 * (second + 1))
        street.pass_time(1)
    assert not scene.transport.over
    street.pass_time(1)
    assert scene.transport.aborted


async def test_what_was_taken_is_not_looked_at_again(street: Street) -> None:
    scene = await answered(street, kernel=10)
    street.pass_time(20)
    street.wait(scene, kernel=0)
    street.pass_time(20)
    street.wait(scene, kernel=1)  # nothing was written, so nothing is asked
    street.pass_time(100)
    assert not scene.transport.over


async def test_each_wait_has_a_time_of_its_own(street: Street) -> None:
    scene = await answered(street, kernel=10)
    street.pass_time(29)
    street.wait(scene, kernel=0)
    street.pass_time(100)
    await scene.receive(GET)
    street.wait(scene, kernel=10)
    street.pass_time(29)
    assert not scene.transport.over


async def test_an_answer_on_the_short_way_waits_no_longer(street: Street) -> None:
    scene = street.connect()
    scene.connection.data_received(POST)
    scene.short[0].answer(HttpAnswer(202, b"{}", ()))
    street.wait(scene, kernel=10)
    street.backlogs.close_late_connections()
    street.pass_time(UNTAKEN_SECONDS)
    assert scene.transport.aborted


async def test_a_connection_that_is_being_closed_waits_no_longer(street: Street) -> None:
    scene = street.connect()
    await scene.receive(GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    street.wait(scene, kernel=10, buffered=10)
    assert scene.transport.closed
    street.backlogs.close_late_connections()
    street.pass_time(UNTAKEN_SECONDS)
    assert scene.transport.aborted


async def test_a_slow_reader_is_not_taken_for_a_resting_one() -> None:
    street = Street(keep_alive=0.05)
    slow, resting = street.connect(), street.connect()
    street.wait(slow, kernel=10)
    await slow.receive(GET)
    await resting.receive(GET)
    await until(lambda: bool(resting.transport.over))
    assert not slow.transport.over


async def test_of_too_much_in_all_those_go_that_have_waited_for_longest(caplog: pytest.LogCaptureFixture) -> None:
    street = Street(most=250_000)
    first = await answered(street, kernel=10, buffered=100_000)
    street.pass_time(5)
    second = await answered(street, kernel=10, buffered=100_000)
    street.pass_time(5)
    street.wait(first, kernel=10, buffered=99_999)
    street.pass_time(1)
    assert not first.transport.over
    third = street.connect()
    third.connection.backlog.write(bytes(100_010))
    street.wait(third, kernel=10, buffered=100_000)
    with caplog.at_level(logging.INFO):
        third.connection.pause_writing()
    assert [each.transport.aborted for each in (first, second, third)] == [False, True, False]
    assert street.backlogs.held_bytes == 199_999 + 20
    assert [vars(record)["connections"] for record in closings(caplog)] == [1]


async def test_one_that_alone_has_too_much_goes() -> None:
    street = Street(most=250_000)
    scene = await answered(street, kernel=0, buffered=300_000)
    assert (scene.transport.aborted, street.backlogs.held_bytes) == (True, 0)


async def test_what_is_on_its_way_does_not_count_in_all() -> None:
    """A fast client far away has megabytes on the way, which is no reason to close its connection."""
    street = Street(most=250_000)
    scenes = [await answered(street, kernel=500_000) for _ in range(3)]
    assert street.backlogs.held_bytes == 3 * UNSENT_BYTES
    assert not any(scene.transport.over for scene in scenes)
