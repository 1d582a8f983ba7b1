"""How long a client may take, without a server; times are short, or not waited for (rules/safety#slow-clients)."""

import asyncio
from collections.abc import Callable

import pytest

from harness.servers.connection import Scene
from tallyroom.core.errors import RequestTimeout
from tallyroom.server.protocol import deadlines, shortcut
from tallyroom.server.protocol.deadlines import Deadline

HEAD = b"POST /a HTTP/1.1\r\nHost: x\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
GET = b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n"


def sized(length: int, target: bytes = b"/a") -> bytes:
    return HEAD.replace(b"/a", target) + b"Content-Length: %d\r\n\r\n" % length


def chunk(size: int) -> bytes:
    return b"%x\r\n%b\r\n" % (size, bytes(size))


class ByHand(Deadline):
    """Keeps the times that are asked for, and passes them when it is told to."""

    def __init__(self) -> None:
        super().__init__(asyncio.get_running_loop())
        self.asked: list[float] = []
        self._on_timeout: Callable[[], object] | None = None

    @property
    def is_running(self) -> bool:
        return self._on_timeout is not None

    def start(self, seconds: float, on_timeout: Callable[[], object]) -> None:
        self.asked.append(seconds)
        self._on_timeout = on_timeout

    def stop(self) -> None:
        self._on_timeout = None

    def go_by(self) -> None:
        on_timeout, self._on_timeout = self._on_timeout, None
        assert on_timeout is not None
        on_timeout()


class TimedScene(Scene):
    """A connection whose time passes by hand."""

    def __init__(self) -> None:
        super().__init__()
        self.connection.deadline.stop()
        self.deadline = self.connection.deadline = ByHand()

    @property
    def seconds(self) -> list[float]:
        """What was asked for."""
        return self.deadline.asked

    async def pass_time(self) -> None:
        self.deadline.go_by()
        await asyncio.sleep(0.01)


@pytest.fixture
async def scene() -> TimedScene:
    return TimedScene()


@pytest.mark.parametrize(("length", "seconds"), [(1, 15), (16_000, 15), (16_001, 45), (67_108_864, 45)])
async def test_a_small_body_has_15_seconds_and_any_other_45(scene: TimedScene, length: int, seconds: float) -> None:
    await scene.receive(sized(length))
    assert scene.seconds == [seconds]
    await scene.pass_time()
    assert (scene.answered, scene.transport.over) == ([b"408"], True)
    assert isinstance(scene.refused[0], RequestTimeout)
    assert scene.refused[0].message == f"The body did not arrive within {seconds} seconds."
    assert b"connection: close" in scene.transport.written


async def test_a_body_that_does_not_tell_its_length_is_small_until_it_is_large(scene: TimedScene) -> None:
    await scene.receive(CHUNKED, chunk(16_000))
    await scene.pass_time()
    assert (scene.seconds[0], scene.answered) == (15, [b"408"])


async def test_a_large_body_that_does_not_tell_its_length_has_the_rest_of_45_seconds(scene: TimedScene) -> None:
    await scene.receive(CHUNKED, chunk(16_001))
    await scene.pass_time()
    assert (scene.seconds, scene.answered) == ([15, 30], [])
    await scene.pass_time()
    assert scene.answered == [b"408"]
    assert scene.refused[0].message == "The body did not arrive within 45 seconds."


async def test_a_body_on_the_short_way_has_no_more_time(scene: TimedScene) -> None:
    await scene.receive(sized(20_000, b"/hot"), bytes(10_000))
    assert scene.seconds == [shortcut.MAX_BODY_REST_SECONDS]
    await scene.pass_time()
    assert (scene.seconds[1:], scene.answered) == ([45], [])
    await scene.pass_time()
    assert (scene.answered, scene.short) == ([b"408"], [])


async def test_pieces_do_not_begin_the_time_anew(scene: TimedScene) -> None:
    await scene.receive(sized(100), *[b"x"] * 99)
    assert scene.seconds[0] == 15
    await scene.pass_time()
    assert scene.answered == [b"408"]


async def test_a_body_that_nobody_takes_is_not_late(scene: TimedScene) -> None:
    scene.reads.clear()
    await scene.receive(sized(200_000), bytes(100_000))
    assert scene.transport.paused
    await scene.pass_time()
    assert (scene.seconds, scene.answered) == ([45, 45], [])
    scene.reads.set()
    await asyncio.sleep(0.01)
    await scene.receive(bytes(100_000))
    assert scene.answered == [b"200"]


async def test_half_a_head_is_answered_and_silence_is_not(scene: TimedScene) -> None:
    await scene.receive(HEAD)
    await scene.pass_time()
    assert (scene.answered, scene.transport.over) == ([b"408"], True)
    assert b'"error":"request_timeout"' in scene.transport.written


async def test_a_late_head_does_not_cost_the_answer_before_it(scene: TimedScene) -> None:
    scene.answers.clear()
    await scene.receive(GET, HEAD)
    await scene.pass_time()
    scene.answers.set()
    await asyncio.sleep(0.01)
    assert (scene.answered, scene.transport.over) == ([b"200"], True)


@pytest.mark.parametrize(
    "pieces",
    [
        [],
        [b"GET / HT"],
        [GET],
        [GET, b"\r\n"],
        [GET, b"GET / HT"],
        [CHUNKED, b"4\r\nbo"],
        [sized(20_000), b"bo"],
    ],
    ids=["silent", "a head", "a rest", "a line break", "a second head", "a body", "a large body"],
)
async def test_it_never_waits_for_ever(monkeypatch: pytest.MonkeyPatch, pieces: list[bytes]) -> None:
    for name in ("HEAD_SECONDS", "SMALL_BODY_SECONDS", "BODY_SECONDS", "LINGER_SECONDS"):
        monkeypatch.setattr(deadlines, name, 0.05)
    scene = Scene(keep_alive=0.05)
    for piece in pieces:
        await scene.receive(piece)
    assert not scene.transport.over
    await asyncio.sleep(0.2)
    assert scene.transport.closed
