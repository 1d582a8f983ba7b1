"""The age of a connection where several workers share a socket: its last answer says that it is."""

import pytest

from harness.servers.connection import Scene
from tallyroom.rest.answer import HttpAnswer
from tallyroom.server.protocol.lifetime import Lifetime

HOT = b"POST /hot HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody"
COLD = HOT.replace(b"/hot", b"/cold")
CLOSE = b"\r\nconnection: close\r\n"


async def send(scene: Scene, request: bytes) -> None:
    await scene.receive(request)
    if request == HOT:
        scene.short[-1].answer(HttpAnswer(202, b"{}", ()))


@pytest.mark.parametrize("request_", [HOT, COLD], ids=["short", "usual"])
async def test_the_last_of_so_many_requests_closes_the_connection(request_: bytes) -> None:
    scene = Scene(lifetime=Lifetime(max_requests=3, max_seconds=1_000))
    for _ in range(2):
        await send(scene, request_)
    assert (CLOSE in scene.transport.written, scene.transport.over) == (False, False)
    await send(scene, request_)
    assert (scene.transport.written.count(CLOSE), scene.transport.over) == (1, True)
    assert len(scene.answered) == 3


@pytest.mark.parametrize("request_", [HOT, COLD], ids=["short", "usual"])
async def test_the_first_request_after_its_time_is_the_last(request_: bytes) -> None:
    scene = Scene(lifetime=Lifetime(max_requests=1_000, max_seconds=0.0))
    await send(scene, request_)
    assert (scene.transport.written.count(CLOSE), scene.transport.over) == (1, True)
    assert len(scene.answered) == 1


async def test_one_server_alone_leaves_it_to_the_client() -> None:
    scene = Scene()
    for _ in range(1_001):
        scene.connection.data_received(HOT)
        scene.short[-1].answer(HttpAnswer(202, b"{}", ()))
    assert (CLOSE in scene.transport.written, scene.transport.over) == (False, False)
