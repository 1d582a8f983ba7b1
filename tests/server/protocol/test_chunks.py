"""Bodies in chunks: any that clients send is taken whole, and none costs much (rules/safety#connections)."""

import asyncio

import pytest

from harness.servers.connection import Scene
from tallyroom.rest.answer import HttpAnswer
from tallyroom.server.protocol.chunks import FRAMING_BYTES, TOO_SMALL
from tallyroom.server.protocol.fair_turns import MAX_CHUNKS, ChunkTurns

READ = 262_144  # bytes, what the event loop reads at once
GET = b"GET /next HTTP/1.1\r\nHost: x\r\n\r\n"


def head(target: bytes = b"/a") -> bytes:
    return b"POST %b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" % target


def in_chunks(body: bytes, size: int) -> bytes:
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def cut(whole: bytes, size: int) -> list[bytes]:
    return [whole[start : start + size] for start in range(0, len(whole), size)]


class Counted(ChunkTurns):
    """Counts the chunks of each turn, and the turns."""

    def __init__(self) -> None:
        super().__init__()
        self.turns = [0]

    def spend(self, chunks: int) -> None:
        self.turns[-1] += chunks
        super().spend(chunks)

    def _begin_turn(self) -> None:
        self.turns.append(0)
        super()._begin_turn()


@pytest.fixture
async def scene() -> Scene:
    return Scene()


async def send(scene: Scene, pieces: list[bytes]) -> None:
    for piece in pieces:
        await scene.until_read()
        scene.connection.data_received(piece)
    await scene.until_read()
    await asyncio.sleep(0.01)


@pytest.mark.parametrize("read", [1_460, 65_536, READ])
@pytest.mark.parametrize(
    ("length", "size"), [(3_000, 1), (100_000, 16), (500_000, 20), (500_000, 100), (2_000_000, 8_000), (70_000, 70_000)]
)
async def test_chunks_of_any_size_that_clients_send_are_taken(scene: Scene, length: int, size: int, read: int) -> None:
    body = bytes(range(251)) * (length // 251)
    await send(scene, cut(head() + in_chunks(body, size) + GET, read))
    assert [got for _, got, _ in scene.asked] == [body, b""]
    assert (scene.answered, scene.allowance.held_bytes, scene.transport.paused) == ([b"200", b"200"], 0, False)


@pytest.mark.parametrize(("length", "size"), [(3_000, 1), (20_000, 16), (60_000, 100), (200_000, 8_000)])
async def test_the_short_way_takes_them_too(scene: Scene, length: int, size: int) -> None:
    body = bytes(length)
    await send(scene, cut(head(b"/hot") + in_chunks(body, size), READ))
    [exchange] = scene.short
    assert exchange.body == body
    exchange.answer(HttpAnswer(202, b"{}", ()))
    assert (scene.answered, scene.allowance.held_bytes) == ([b"202"], 0)


@pytest.mark.parametrize("data", [b"\r\n\r\n", b"0\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n"])
async def test_data_that_look_like_an_end_are_data(scene: Scene, data: bytes) -> None:
    body = data * 30_000
    await send(scene, cut(head() + in_chunks(body, 50_000) + GET, READ))
    assert [got for _, got, _ in scene.asked] == [body, b""]


@pytest.mark.parametrize("target", [b"/a", b"/hot"])
@pytest.mark.parametrize("chunk", [b"1\r\na\r\n", b"0001\r\na\r\n", b"4;ext=value\r\nbody\r\n"])
async def test_chunks_that_are_too_small_are_refused(scene: Scene, target: bytes, chunk: bytes) -> None:
    taken: list[int] = []
    take = scene.connection.receive_body

    def counted(body: bytes) -> None:
        taken.append(len(body))
        take(body)

    scene.connection.receive_body = counted  # type: ignore[method-assign] # to count
    await scene.receive(head(target) + chunk * 40_000)
    assert (scene.answered, scene.short, scene.asked) == ([b"400"], [], [])
    assert [error.message for error in scene.refused] == [TOO_SMALL]
    assert (scene.transport.over, scene.allowance.held_bytes) == (True, 0)
    assert len(taken) < 5  # calls, however many chunks there are
    assert sum(taken) < FRAMING_BYTES


@pytest.mark.parametrize("extension", [16_000, 40_000])
async def test_an_extension_may_be_large_but_not_without_end(scene: Scene, extension: int) -> None:
    await scene.receive(head(), b"1;" + b"e" * extension + b"\r\na\r\n0\r\n\r\n")
    assert scene.answered == [b"200" if extension < FRAMING_BYTES else b"400"]


async def test_tiny_chunks_behind_an_answer_end_the_connection() -> None:
    class Unread(Scene):
        async def _read(self, scope: object, receive: object) -> None:
            pass

    scene = Unread()
    await scene.receive(head())
    assert scene.answered == [b"200"]
    await scene.receive(b"1\r\na\r\n" * 10_000)
    assert (scene.answered, scene.transport.over) == ([b"200"], True)


async def test_a_hundred_connections_full_of_chunks_take_turns() -> None:
    turns = Counted()
    scenes = [Scene(turns=turns) for _ in range(100)]
    body = bytes(20_000)
    for scene in scenes:  # all of them are readable at once
        scene.connection.data_received(head() + in_chunks(body, 10))
    assert len(turns.turns) == 1
    healthy = Scene(turns=turns)
    healthy.connection.data_received(GET)
    while not healthy.answered:  # noqa: ASYNC110 # one turn after another is what is looked at
        await asyncio.sleep(0)
    assert len(turns.turns) < 10
    assert sum(1 for scene in scenes if scene.answered) < 50
    for scene in scenes:
        await scene.until_read()
    await asyncio.sleep(0.01)
    assert all(scene.usual == [body] and scene.answered == [b"200"] for scene in scenes)
    assert sum(turns.turns) > 100 * 2_000
    assert max(turns.turns[1:]) < MAX_CHUNKS + 4_000  # and a slice
    assert turns.turns[0] < MAX_CHUNKS + 4_000 + 100 * 128  # and all the heads


async def test_a_body_that_tells_its_length_waits_for_nobody() -> None:
    turns = ChunkTurns()
    turns.spend(MAX_CHUNKS)
    scene = Scene(turns=turns)
    scene.connection.data_received(b"POST /hot HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" + bytes(100_000))
    assert [len(exchange.body) for exchange in scene.short] == [100_000]


async def test_who_leaves_while_it_waits_leaves_nothing_behind() -> None:
    turns = ChunkTurns()
    scene = Scene(turns=turns)
    await scene.receive(head())
    turns.spend(MAX_CHUNKS)
    scene.connection.data_received(in_chunks(bytes(50_000), 10))
    assert (scene.transport.paused, scene.connection.body_bytes) == (True, 0)
    scene.transport.close()
    scene.connection.connection_lost(None)
    await asyncio.sleep(0.01)
    assert (scene.connection.body_bytes, scene.transport.paused, scene.allowance.held_bytes) == (0, True, 0)


async def test_a_request_that_has_enough_stays_unread_when_its_turn_has_come() -> None:
    turns = ChunkTurns()
    scene = Scene(turns=turns)
    scene.reads.clear()
    await scene.receive(head())
    turns.spend(MAX_CHUNKS)
    await scene.receive(in_chunks(bytes(200_000), 1_000))
    assert (scene.connection.body_bytes, scene.transport.paused) == (200_000, True)
    scene.reads.set()
    await asyncio.sleep(0.01)
    assert (len(scene.usual[0]), scene.transport.paused) == (200_000, False)
