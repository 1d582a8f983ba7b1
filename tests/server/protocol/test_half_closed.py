"""Clients that end their side of the connection: those that asked for something whole are answered."""

import asyncio

import pytest

from harness.servers.connection import Scene
from harness.suite.patience import PATIENCE
from tallyroom.rest.answer import HttpAnswer
from tallyroom.server.protocol import deadlines

GET = b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST %b HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody"


@pytest.fixture
async def scene() -> Scene:
    return Scene()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadlines, "SILENT_SECONDS", 0.02)


async def end(scene: Scene) -> None:
    """What an event loop does at the end of what a client sends."""
    if not scene.connection.eof_received():
        scene.transport.close()
        scene.connection.connection_lost(None)
    await asyncio.sleep(0.01)


@pytest.mark.parametrize("request_", [GET, POST % b"/a", GET.replace(b"/1.1", b"/1.0")])
async def test_a_whole_request_is_answered_and_the_connection_closed(scene: Scene, request_: bytes) -> None:
    scene.connection.data_received(request_)
    await end(scene)
    assert (scene.answered, scene.transport.closed) == ([b"200"], True)
    scene.connection.connection_lost(None)
    assert scene.allowance.held_bytes == 0


async def test_it_is_on_the_short_way_too(scene: Scene) -> None:
    scene.connection.data_received(POST % b"/hot")
    await end(scene)
    assert not scene.transport.closed
    scene.short[0].answer(HttpAnswer(202, b"{}", ()))
    assert (scene.answered, scene.transport.closed) == ([b"202"], True)


async def test_all_that_were_sent_ahead_are_answered(scene: Scene) -> None:
    scene.answers.clear()
    await scene.receive(GET + POST % b"/b" + GET)
    await end(scene)
    scene.answers.set()
    await asyncio.sleep(0.05)
    assert (scene.answered, scene.transport.closed) == ([b"200"] * 3, True)


@pytest.mark.parametrize("sent", [b"", b"GET / HT", GET, POST[:-1] % b"/a", POST[:-1] % b"/hot"])
async def test_who_has_no_answer_to_come_has_left(scene: Scene, sent: bytes) -> None:
    if sent:
        await scene.receive(sent)
    before = scene.transport.written
    await end(scene)
    assert (scene.transport.closed, scene.transport.written, scene.allowance.held_bytes) == (True, before, 0)


async def test_what_is_broken_off_does_not_cost_the_answer_before_it(scene: Scene, impatient: None) -> None:
    scene.answers.clear()
    await scene.receive(GET + (POST % b"/b")[:-1])
    await end(scene)
    scene.answers.set()
    await asyncio.sleep(0.1)
    assert (scene.answered[:1], len(scene.asked), scene.transport.closed) == ([b"200"], 1, True)


async def test_who_hears_nothing_for_long_has_left(scene: Scene, impatient: None) -> None:
    scene.answers.clear()
    scene.connection.data_received(GET)
    await end(scene)
    assert not scene.transport.closed
    await asyncio.sleep(0.05)
    assert (scene.transport.closed, scene.answered) == (True, [])


async def test_an_answer_that_goes_on_is_sent_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.get_running_loop()
    now = loop.time
    passed = [0.0]
    monkeypatch.setattr(loop, "time", lambda: now() + sum(passed))
    monkeypatch.setattr(deadlines, "SILENT_SECONDS", 60.0)

    class Long(Scene):
        async def _app(self, _scope: object, _receive: object, send: object) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})  # type: ignore[operator] # it is one
            for _ in range(10):
                passed.append(40.0)
                await asyncio.sleep(0.001)  # a timer that is due runs
                await send({"type": "http.response.body", "body": b"more", "more_body": True})  # type: ignore[operator] # it is one
            await send({"type": "http.response.body", "body": b""})  # type: ignore[operator] # it is one

    scene = Long()
    scene.connection.data_received(GET)
    await end(scene)
    async with asyncio.timeout_at(loop.time() + 400 + PATIENCE):
        while not scene.transport.closed:  # noqa: ASYNC110 # a transport has no event for it
            await asyncio.sleep(0)
    assert scene.transport.written.count(b"more") == 10
    assert (scene.transport.written.endswith(b"0\r\n\r\n"), scene.transport.closed) == (True, True)


async def test_a_refusal_behind_the_last_answer_closes_at_once(scene: Scene) -> None:
    scene.answers.clear()
    await scene.receive(GET + b"BREW / HTTP/1.1\r\n\r\n")
    await end(scene)
    scene.answers.set()
    await asyncio.sleep(0.01)
    assert (scene.answered, scene.transport.closed) == ([b"200"], True)
