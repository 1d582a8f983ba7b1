"""A question ends when its client leaves, and a change runs to its end."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from tallyroom.core.errors import RequestTimeout
from tallyroom.rest.disconnect import PRESENCE_KEY, serve_until_disconnect

FOREVER = 3600


class Client:
    """Sends a body in pieces, and leaves when it is told to."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = list(pieces) or [b""]
        self.gone = asyncio.Event()
        self.taken = 0

    async def receive(self) -> Any:
        if self.taken < len(self.pieces):
            self.taken += 1
            more = self.taken < len(self.pieces)
            return {"type": "http.request", "body": self.pieces[self.taken - 1], "more_body": more}
        await self.gone.wait()
        return {"type": "http.disconnect"}


async def send(_message: Any) -> None:
    pass


def scope(method: str, **options: Any) -> Any:
    return {"type": "http", "method": method, "headers": [], "state": {}, "route_handler": SimpleNamespace(opt=options)}


async def serve(app: Any, asked: Any, client: Client, *, leaves: bool) -> bool:
    served = asyncio.create_task(serve_until_disconnect(app, asked, client.receive, send))
    await asyncio.sleep(0.01)
    if leaves:
        client.gone.set()
    return await asyncio.wait_for(served, 5)


@pytest.mark.parametrize("asked", [scope("GET"), scope("POST", asks=True)])
async def test_a_question_ends_when_the_client_leaves(asked: Any) -> None:
    ended = asyncio.Event()

    async def app(_scope: Any, receive: Any, _send: Any) -> None:
        await receive()
        try:
            await asyncio.sleep(FOREVER)
        finally:
            ended.set()

    assert await serve(app, asked, Client(), leaves=True)
    assert ended.is_set()


@pytest.mark.parametrize("method", ["POST", "PATCH", "DELETE"])
async def test_a_change_runs_to_its_end(method: str) -> None:
    done = asyncio.Event()

    async def app(_scope: Any, receive: Any, _send: Any) -> None:
        await receive()
        await asyncio.sleep(0.05)
        done.set()

    assert not await serve(app, scope(method), Client(), leaves=True)
    assert done.is_set()


async def test_one_that_is_not_routed_yet_is_no_question() -> None:
    async def app(_scope: Any, _receive: Any, _send: Any) -> None:
        await asyncio.sleep(0.05)

    assert not await serve(app, {"type": "http", "method": "POST", "headers": []}, Client(), leaves=True)


async def test_the_body_arrives_whole_and_no_faster_than_it_is_read() -> None:
    client = Client(b"a", b"b", b"c")
    bodies = []

    async def app(_scope: Any, receive: Any, _send: Any) -> None:
        await asyncio.sleep(0.005)
        assert client.taken <= 2
        for _ in range(3):
            message = await receive()
            bodies.append((message["body"], message["more_body"]))

    assert not await serve(app, scope("POST"), client, leaves=False)
    assert bodies == [(b"a", True), (b"b", True), (b"c", False)]


async def test_who_listens_hears_that_the_client_left() -> None:
    heard = []

    async def app(_scope: Any, receive: Any, _send: Any) -> None:
        heard.extend([(await receive())["type"] for _ in range(3)])

    await serve(app, scope("POST"), Client(), leaves=True)
    assert heard == ["http.request", "http.disconnect", "http.disconnect"]


async def test_a_failure_comes_out() -> None:
    async def app(_scope: Any, _receive: Any, _send: Any) -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        await serve(app, scope("GET"), Client(), leaves=False)


async def test_the_end_of_the_server_ends_the_work() -> None:
    ended = asyncio.Event()

    async def app(_scope: Any, _receive: Any, _send: Any) -> None:
        try:
            await asyncio.sleep(FOREVER)
        finally:
            ended.set()

    served = asyncio.create_task(serve_until_disconnect(app, scope("POST"), Client().receive, send))
    await asyncio.sleep(0.01)
    served.cancel()
    with pytest.raises(asyncio.CancelledError):
        await served
    assert ended.is_set()


async def test_at_the_end_of_the_server_the_work_has_the_last_word() -> None:
    said: list[str] = []

    async def app(_scope: Any, _receive: Any, _send: Any) -> None:
        try:
            await asyncio.sleep(FOREVER)
        except asyncio.CancelledError:
            said.append("the server stops")

    served = asyncio.create_task(serve_until_disconnect(app, scope("GET"), Client().receive, send))
    await asyncio.sleep(0.01)
    served.cancel()
    assert await served is False
    assert said == ["the server stops"]


async def test_a_body_that_is_not_taken_any_more_is_refused_to_whoever_reads_it() -> None:
    client = Client(b"a", b"b")

    async def receive() -> Any:
        if client.taken == 1:
            client.taken += 1
            raise RequestTimeout("too late")
        return await client.receive()

    heard: list[Any] = []

    async def app(_scope: Any, receive: Any, _send: Any) -> None:
        heard.append((await receive())["body"])
        try:
            await receive()
        except RequestTimeout as error:
            heard.append(error.message)

    assert await serve_until_disconnect(app, scope("GET"), receive, send) is False
    assert heard == [b"a", "too late"]


@pytest.mark.parametrize("reads", [False, True])
async def test_who_asks_first_is_not_told_to_go_on_before_somebody_reads(reads: bool) -> None:
    client = Client(b"a")

    async def app(_scope: Any, receive: Any, _send: Any) -> None:
        await asyncio.sleep(0.01)
        assert client.taken == 0
        if reads:
            assert (await receive())["body"] == b"a"

    asked = scope("POST") | {"headers": [(b"expect", b"100-continue")]}
    assert await serve_until_disconnect(app, asked, client.receive, send) is False
    assert client.taken == reads


@pytest.mark.parametrize("begun", [False, True])
async def test_a_change_that_waits_for_its_turn_is_given_up_and_one_that_has_begun_is_not(*, begun: bool) -> None:
    done: list[str] = []

    async def app(asked: Any, receive: Any, _send: Any) -> None:
        await receive()
        with asked["state"][PRESENCE_KEY].cancel_on_leave():
            await asyncio.sleep(0 if begun else FOREVER)
        await asyncio.sleep(0.05)
        done.append("changed")

    assert await serve(app, scope("POST"), Client(), leaves=True) is not begun
    assert done == ["changed"] * begun


async def test_a_client_that_left_early_is_not_waited_for_later() -> None:
    done: list[str] = []

    async def app(asked: Any, receive: Any, _send: Any) -> None:
        await receive()
        await asyncio.sleep(0.05)  # in which the client leaves
        with asked["state"][PRESENCE_KEY].cancel_on_leave():
            done.append("hashed")

    assert await serve(app, scope("POST"), Client(), leaves=True)
    assert done == []
