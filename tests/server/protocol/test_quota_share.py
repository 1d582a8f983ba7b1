"""Who gives way when there is no room, and that nobody holds more than there is (rules/safety#memory)."""

import asyncio

import pytest

from harness.servers.connection import Scene, allowing
from harness.servers.flood import EVENTS, GUARDED, MOST, STRANGERS, begun, end, get, post, send_whole, unfinished
from harness.suite.few import few
from tallyroom.rest.answer import HttpAnswer
from tallyroom.rest.body_families import OPEN_FAMILIES, BodyFamily
from tallyroom.server.protocol.memory_quota import Allowance

ME, LOGIN, PUBLIC = b"/v1/auth/me", b"/v1/auth/login", b"/custom/render"
SHARE = 0.25 * 0.9 * MOST
FULL = int(SHARE)


def public_bytes(scene: Scene) -> int:
    return scene.allowance.held_bytes_by_family[BodyFamily.PUBLIC]


@few(2, "size", [15_000, 50_000])
@pytest.mark.parametrize("target", STRANGERS)
async def test_idle_strangers_refuse_no_small_request_of_their_family(target: bytes, size: int) -> None:
    allowance = allowing(MOST)
    idle = await begun(allowance, 2 * FULL // size, post(2 * size, target) + bytes(size))
    assert allowance.held_bytes > 0.9 * SHARE
    for _ in range(20):
        whole, cut = Scene(allowance), Scene(allowance)
        await whole.receive(get(target, 2_000))
        await cut.receive(post(10_000, target) + bytes(3_000), bytes(3_000), bytes(4_000))
        assert (whole.answered, cut.answered) == ([b"200"], [b"200"])
    assert allowance.held_bytes <= SHARE
    await end(allowance, *idle)


async def test_those_give_way_first_that_have_sent_nothing_for_longest() -> None:
    allowance = allowing(MOST)
    idle = await begun(allowance, 100, post(30_000, LOGIN) + bytes(20_000))
    slow = await begun(allowance, 100, post(30_000, LOGIN) + bytes(20_000))
    for scene in idle[:50]:
        await scene.receive(bytes(1_000))
    others = await begun(allowance, 40, post(30_000, LOGIN) + bytes(25_000))
    gone = [scene for scene in idle + slow if scene.answered]
    assert gone
    assert {tuple(scene.answered) for scene in gone} == {(b"503",)}
    assert not [scene for scene in idle[:50] + slow + others if scene.answered]
    await end(allowance, *idle, *slow, *others)


@pytest.mark.parametrize("most", [1_000_000, 4_000_000])
async def test_heads_of_strangers_give_way_to_whoever_comes(most: int) -> None:
    allowance = allowing(most)
    idle = await begun(allowance, most // 7_500, b"GET /v1/events?" + b"a" * 15_000)
    assert 0.85 * most < allowance.held_bytes <= most
    for target in [*GUARDED, *STRANGERS, ME]:
        for _ in range(3):
            scene = Scene(allowance)
            await scene.receive(get(target, 2_000))
            assert scene.answered == [b"200"]
    await end(allowance, *idle)


@pytest.mark.long
async def test_a_batch_finds_room_among_small_strangers_of_all_kinds() -> None:
    allowance = allowing(MOST)
    floods = [await begun(allowance, 400, post(16_000, target) + bytes(15_000)) for target in STRANGERS]
    floods.append(await begun(allowance, 800, b"GET /" + b"a" * 15_000))
    assert allowance.held_bytes <= 0.9 * MOST  # the last tenth is for those who are known
    for _ in range(5):
        assert (await send_whole(allowance, EVENTS)).answered == [b"200"]
    gone = sum(bool(scene.transport.over) for flood in floods for scene in flood)
    assert gone < 400 + 800 + 4 * 100 + 500
    await end(allowance, *(scene for flood in floods for scene in flood))


async def unread(allowance: Allowance, count: int, *behind: bytes) -> list[Scene]:
    """Connections whose clients take nothing of an answer, and have sent more behind it."""
    scenes = [Scene(allowance) for _ in range(count)]
    for scene in scenes:
        scene.connection.data_received(get(b"/custom/graph"))
        scene.connection.pause_writing()
        for piece in behind:
            if not scene.transport.over:
                scene.connection.data_received(piece)
    await asyncio.sleep(0.05)
    return scenes


@pytest.mark.long
@pytest.mark.parametrize(
    "behind",
    [
        [b"GET /" + b"a" * 70_000],
        [post(250_000, PUBLIC) + bytes(200_000)],
        [post(200_000, PUBLIC) + bytes(200_000)],
        [post(200_000, EVENTS) + bytes(200_000)],
        [get(EVENTS, 70_000)],
    ],
    ids=["head", "part", "whole", "events", "get"],
)
async def test_what_waits_behind_unread_answers_keeps_nobody_out(behind: list[bytes]) -> None:
    allowance = allowing(MOST)
    flood: list[Scene] = []
    for _ in range(6):
        flood += await unread(allowance, 80, *behind)
        assert allowance.held_bytes <= MOST
        for _ in range(2):
            assert (await send_whole(allowance, EVENTS)).answered == [b"200"]
            scene = Scene(allowance)
            await scene.receive(get(ME))
            assert scene.answered == [b"200"]
        assert allowance.held_bytes <= MOST
    await end(allowance, *flood)


async def test_nothing_is_begun_for_who_does_not_read() -> None:
    scene = Scene()
    await scene.receive(get(b"/a"))
    scene.connection.pause_writing()
    await scene.receive(get(b"/b") + get(b"/c"))
    assert [path for path, _, _ in scene.asked] == ["/a"]
    assert scene.transport.paused
    scene.connection.resume_writing()
    await asyncio.sleep(0.01)
    assert [path for path, _, _ in scene.asked] == ["/a", "/b", "/c"]
    assert (scene.answered, scene.allowance.held_bytes, scene.transport.paused) == ([b"200"] * 3, 0, False)


async def test_a_head_behind_a_request_under_way_counts_toward_its_family() -> None:
    scene = Scene()
    scene.answers.clear()
    await scene.receive(post(50_000, PUBLIC) + bytes(50_000), b"GET /" + b"a" * 1_000)
    assert public_bytes(scene) == scene.allowance.held_bytes > 51_000
    scene.answers.set()
    await asyncio.sleep(0.01)
    assert (public_bytes(scene), scene.allowance.held_bytes_by_family[BodyFamily.HEADS]) == (0, 1_005)


async def test_what_is_refused_behind_a_request_under_way_is_given_back_at_once() -> None:
    allowance = allowing(1_000_000)
    waiting = [Scene(allowance) for _ in range(12)]
    for scene, target in zip(waiting, 3 * STRANGERS, strict=True):
        scene.answers.clear()
        await scene.receive(get(target), b"GET /" + b"a" * 3_000, b"a" * 60_000)
    held = allowance.held_bytes
    assert held > 12 * 60_000
    assert (await send_whole(allowance, EVENTS, 240_000)).answered == [b"200"]
    assert allowance.held_bytes < held - 100_000
    for scene in waiting:
        scene.answers.set()
    await asyncio.sleep(0.01)
    assert [scene.answered for scene in waiting] == [[b"200"]] * 12
    await end(allowance, *waiting)


@pytest.mark.long
@pytest.mark.parametrize("first", [EVENTS, b"/v1/widgets", b"/v1/traces"])
async def test_a_pipeline_cannot_hide_strangers_behind_another_family(first: bytes) -> None:
    allowance = allowing(MOST)
    flood = []
    for _ in range(80):
        scene = Scene(allowance)
        await scene.receive(get(first) + post(900_000, PUBLIC) + bytes(200_000))
        flood.append(scene)
        assert allowance.held_bytes_by_family[BodyFamily.PUBLIC] <= SHARE
    assert allowance.held_bytes <= SHARE
    assert {tuple(scene.answered) for scene in flood} == {(b"200",), (b"200", b"503")}
    assert (await send_whole(allowance, EVENTS)).answered == [b"200"]
    await end(allowance, *flood)


async def test_a_request_whose_family_has_no_room_when_its_head_ends_is_refused() -> None:
    allowance = allowing(MOST)
    flood = await begun(allowance, 60, post(900_000, PUBLIC) + bytes(100_000))
    scene = Scene(allowance)
    await scene.receive(b"\r\n\r\n" + post(900_000, PUBLIC) + bytes(200_000))
    assert scene.answered == [b"503"]
    assert b"retry-after: 5\r\n" in scene.transport.written
    await end(allowance, *flood, scene)


async def test_an_answer_on_the_short_way_lets_only_what_fits_begin() -> None:
    allowance = allowing(MOST)
    flood = await begun(allowance, 60, post(900_000, PUBLIC) + bytes(100_000))
    scene = Scene(allowance)
    await scene.receive(post(2, b"/hot") + b"{}" + post(900_000, PUBLIC) + bytes(200_000))
    scene.short[0].answer(HttpAnswer(202, b"{}", ()))
    await asyncio.sleep(0.01)
    assert scene.answered == [b"202", b"503"]
    await end(allowance, *flood, scene)


@pytest.mark.long
async def test_a_stranger_who_does_not_read_gives_way_with_a_whole_request() -> None:
    allowance = allowing(MOST)
    flood = [Scene(allowance) for _ in range(200)]
    for scene in flood:
        scene.answers.clear()
        await scene.receive(get(PUBLIC, 30_000))
        scene.connection.pause_writing()
    whole = Scene(allowance)
    await whole.receive(get(PUBLIC, 2_000))
    assert whole.answered == [b"200"]
    for scene in flood:
        scene.answers.set()
    assert sum(bool(scene.transport.aborted) for scene in flood) > 10
    await end(allowance, *flood)


async def test_a_member_who_reads_slowly_does_not_give_way() -> None:
    allowance = allowing(MOST)
    slow = Scene(allowance)
    slow.answers.clear()
    await slow.receive(get(b"/v1/widgets"))
    slow.connection.pause_writing()
    flood = await unfinished(allowance, b"/v1/widgets")
    assert (await send_whole(allowance, EVENTS)).answered == [b"200"]
    assert not slow.transport.over
    slow.answers.set()
    await end(allowance, slow, *flood)


async def test_open_families_are_those_of_strangers() -> None:
    families = {allowing(MOST).body_families.family_of(target) for target in STRANGERS}
    assert families == OPEN_FAMILIES
