"""Requests sent without waiting for answers: answered in order, few read ahead (rules/safety#connections)."""

import asyncio
import itertools

import pytest

from harness.servers.connection import Scene
from tallyroom.rest.answer import Exchange, HttpAnswer
from tallyroom.server.protocol import deadlines
from tallyroom.server.protocol.direct_routes import DirectRoutes
from tallyroom.server.protocol.pipelining import MAX_REQUESTS_AHEAD

UPGRADE = b"GET /%d HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
PLAIN = b"GET /%d HTTP/1.1\r\nHost: x\r\n\r\n"
CHUNKED = b"POST /%d HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n"
SIZED = b"POST /%d HTTP/1.1\r\nHost: x\r\nContent-Length: 80\r\n\r\n" + b"\r\n\r\n" * 20
SHORT = b"POST /hot HTTP/1.1\r\nHost: x\r\nX-Number: %d\r\nContent-Length: 4\r\n\r\nbody"


class Watched(Scene):
    """Counts how many requests are read that have no answer yet."""

    def __init__(self) -> None:
        super().__init__()
        self.most_ahead = 0
        self.begun = 0
        self._state = self.connection.server_state
        begin, self.connection.begin_request = self.connection.begin_request, self._begin  # type: ignore[method-assign] # to count
        self._really_begin = begin

    def _begin(self) -> None:
        self.begun += 1
        self.most_ahead = max(self.most_ahead, self.begun - self._state.total_requests)
        self._really_begin()


async def settle(scene: Scene, count: int) -> None:
    """Until so many are answered; as long as there is progress."""
    state, before = scene.connection.server_state, -1
    while before < state.total_requests < count:
        before = state.total_requests
        await asyncio.sleep(0.02)


@pytest.fixture
async def scene() -> Watched:
    return Watched()


@pytest.mark.parametrize("form", [UPGRADE, PLAIN, CHUNKED, SIZED], ids=["upgrade", "plain", "chunked", "sized"])
@pytest.mark.parametrize("count", [1, 15, 16, 17, 330])
async def test_all_that_come_in_one_write_are_answered_in_order(scene: Watched, form: bytes, count: int) -> None:
    await scene.receive(b"".join(form % number for number in range(count)))
    await settle(scene, count)
    assert scene.answered == [b"200"] * count
    assert [path for path, _, _ in scene.asked] == [f"/{number}" for number in range(count)]
    assert scene.most_ahead <= MAX_REQUESTS_AHEAD
    assert (scene.allowance.held_bytes, scene.transport.paused) == (0, False)


@pytest.mark.parametrize("count", [500, pytest.param(3000, marks=pytest.mark.long)])
async def test_very_many_in_one_write_are_answered_in_order(scene: Watched, count: int) -> None:
    await scene.receive(b"".join(PLAIN % number for number in range(count)))
    await settle(scene, count)
    assert scene.answered == [b"200"] * count
    assert [path for path, _, _ in scene.asked] == [f"/{number}" for number in range(count)]
    assert scene.most_ahead <= MAX_REQUESTS_AHEAD


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 64, 1000])
async def test_it_does_not_matter_where_they_are_cut(scene: Watched, size: int) -> None:
    forms = itertools.cycle([PLAIN, SIZED, UPGRADE, CHUNKED])
    whole = b"".join(next(forms) % number for number in range(40))
    for start in range(0, len(whole), size):
        await scene.until_read()
        scene.connection.data_received(whole[start : start + size])
    await settle(scene, 40)
    assert [path for path, _, _ in scene.asked] == [f"/{number}" for number in range(40)]
    assert scene.answered == [b"200"] * 40
    assert scene.most_ahead <= MAX_REQUESTS_AHEAD


async def test_nothing_is_read_while_requests_wait(scene: Watched) -> None:
    scene.answers.clear()
    await scene.receive(PLAIN % 1)
    assert not scene.transport.paused
    await scene.receive(PLAIN % 2)
    assert scene.transport.paused  # although the first waits for what its client does next
    await scene.receive(b"".join(PLAIN % number for number in range(3, 100)))  # was on its way
    assert (scene.begun, len(scene.asked)) == (MAX_REQUESTS_AHEAD - 1, 1)
    scene.answers.set()
    await settle(scene, 99)
    assert (len(scene.asked), scene.transport.paused) == (99, False)


async def test_the_rest_of_a_body_is_read_when_its_turn_has_come(
    scene: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deadlines, "SMALL_BODY_SECONDS", 0.02)
    scene.answers.clear()
    await scene.receive(PLAIN % 1 + (SIZED % 2)[:-30])
    await asyncio.sleep(0.1)  # its time does not run while nobody listens
    assert (scene.answered, scene.transport.paused) == ([], True)
    scene.answers.set()
    await scene.until_read()
    await scene.receive((SIZED % 2)[-30:])
    assert scene.answered == [b"200", b"200"]


async def test_answers_on_the_spot_do_not_pile_up(scene: Watched) -> None:
    def answer(exchange: Exchange) -> bool:
        exchange.answer(HttpAnswer(202, dict(exchange.headers)[b"x-number"], ()))
        return True

    scene.connection._routes = DirectRoutes({("POST", "/hot"): answer})  # a handler that refuses at once
    await scene.receive(b"".join(SHORT % number for number in range(3000)))
    await settle(scene, 3000)
    assert scene.answered == [b"202"] * 3000
    assert scene.most_ahead == 1
    assert scene.transport.written.endswith(b"2999")
    assert scene.allowance.held_bytes == 0


async def test_requests_on_both_ways_keep_their_order(scene: Watched) -> None:
    await scene.receive(b"".join(SHORT % number + PLAIN % number for number in range(50)))
    while scene.short and len(scene.answered) < 100:
        scene.short.pop(0).answer(HttpAnswer(202, b"", ()))
        await asyncio.sleep(0.01)
    await settle(scene, 100)
    assert scene.answered[0] == b"202"
    assert (len(scene.answered), scene.allowance.held_bytes) == (100, 0)
    assert scene.most_ahead <= MAX_REQUESTS_AHEAD


async def test_what_is_no_request_comes_after_the_answers_to_those_before(scene: Watched) -> None:
    await scene.receive(b"".join(PLAIN % number for number in range(100)) + b"BREW / HTTP/1.1\r\n\r\n" + PLAIN % 100)
    await settle(scene, 101)
    assert scene.answered[:99] == [b"200"] * 99
    assert len(scene.asked) == 100
    assert scene.transport.over


async def test_a_client_that_leaves_ends_them_all(scene: Watched) -> None:
    """Those that are read ahead are not begun, and the one that is answered writes to nobody."""
    scene.answers.clear()
    await scene.receive(b"".join(PLAIN % number for number in range(100)))
    scene.transport.close()
    scene.connection.connection_lost(ConnectionResetError(104, "Connection reset by peer"))
    scene.answers.set()
    await asyncio.sleep(0.05)
    assert (len(scene.asked), scene.answered, scene.allowance.held_bytes) == (1, [], 0)
