"""What all connections together may hold, and that all of it is given back (rules/safety#memory)."""

import asyncio

import pytest

from harness.servers.connection import Scene, allowing
from harness.servers.flood import (
    APP,
    EVENTS,
    GUARDED,
    MOST,
    PIECE,
    STATISTICS,
    STRANGERS,
    TELEMETRY,
    WANTED,
    end,
    post,
    send_whole,
    unfinished,
)
from harness.suite.few import few
from harness.suite.patience import until
from tallyroom.core.errors import Unavailable
from tallyroom.rest.answer import HttpAnswer
from tallyroom.rest.body_families import BodyFamily
from tallyroom.server.protocol import deadlines, shortcut
from tallyroom.server.protocol.memory_quota import FAMILY_FRACTIONS, SMALL_BYTES
from tallyroom.server.protocol.quota_share import QuotaShare

DONE = HttpAnswer(202, b"{}", ())


async def flood(scenes: list[Scene], bytes_each: int = WANTED) -> int:
    """Every scene sends so much of a larger body, all at the same pace; returns the most that was held."""
    most = 0
    for scene in scenes:
        scene.connection.data_received(post(2 * bytes_each))
    for _ in range(bytes_each // PIECE):
        for scene in scenes:
            scene.connection.data_received(bytes(PIECE))
        await asyncio.sleep(0)
        most = max(most, scenes[0].allowance.held_bytes)
    await asyncio.sleep(0.01)
    return most


async def test_a_flood_of_large_bodies_is_held_to_the_allowance_and_given_back() -> None:
    allowance = allowing(MOST)
    scenes = [Scene(allowance) for _ in range(150)]
    assert 150 * WANTED > 7 * MOST
    assert 0.5 * MOST < await flood(scenes) <= MOST
    refused = [scene for scene in scenes if scene.answered == [b"503"]]
    assert len(refused) > 100
    assert all(isinstance(scene.refused[0], Unavailable) and scene.transport.over for scene in refused)
    for scene in scenes:
        scene.connection.connection_lost(None)
    await asyncio.sleep(0.01)
    assert allowance.held_bytes == 0


async def test_a_small_request_is_answered_in_the_middle_of_a_flood() -> None:
    allowance = allowing(MOST)
    while QuotaShare(allowance).hold_bytes(PIECE):
        pass
    small, batch = Scene(allowance), Scene(allowance)
    held = allowance.held_bytes
    await small.receive(post(16_000), bytes(16_000))
    assert (small.answered, len(small.usual[0]), allowance.held_bytes) == ([b"200"], 16_000, held)
    await batch.receive(post(10 * SMALL_BYTES, b"/hot") + bytes(10 * SMALL_BYTES))
    assert (batch.answered, batch.short, allowance.held_bytes) == ([b"503"], [], held)
    assert b"retry-after: 5\r\n" in batch.transport.written


async def test_one_large_body_finds_room_for_most_of_it() -> None:
    scene = Scene(allowing(1_000_000))
    await scene.receive(post(715_000), *[bytes(65_000)] * 11)
    assert scene.answered == [b"200"]
    await scene.receive(post(780_000), *[bytes(65_000)] * 12)
    assert scene.answered == [b"200", b"503"]


async def test_heads_count_too() -> None:
    allowance = allowing(1_000_000)
    scenes = [Scene(allowance) for _ in range(20)]
    for scene in scenes:
        await scene.receive(b"GET /" + b"a" * 60_000)
    assert allowance.held_bytes <= 1_000_000
    assert {tuple(scene.answered) for scene in scenes} == {(), (b"503",)}
    for scene in scenes:
        scene.connection.connection_lost(None)
    assert allowance.held_bytes == 0


async def test_what_is_answered_is_given_back_while_the_connection_rests() -> None:
    scene = Scene()
    await scene.receive(post(100_000), bytes(50_000))
    assert scene.allowance.held_bytes > 50_000
    await scene.receive(bytes(50_000))
    assert scene.allowance.held_bytes == 0
    await scene.receive(post(5, b"/hot") + b"short")
    assert scene.answered == [b"200"]
    assert scene.allowance.held_bytes == len(post(5, b"/hot")) + 5
    scene.short[0].answer(DONE)
    assert (scene.answered, scene.allowance.held_bytes) == ([b"200", b"202"], 0)
    assert not scene.connection.headers


async def test_a_head_behind_an_answer_goes_on_to_count() -> None:
    scene = Scene()
    await scene.receive(post(5, b"/hot") + b"short", b"GET /" + b"a" * 1000)
    scene.short[0].answer(DONE)
    assert scene.allowance.held_bytes == 1005


async def test_each_answer_gives_back_its_own() -> None:
    scene = Scene()
    scene.answers.clear()
    await scene.receive(post(50_000) + bytes(50_000), post(1_000) + bytes(1_000))
    assert scene.allowance.held_bytes > 51_000
    scene.answers.set()
    await asyncio.sleep(0.01)
    assert (scene.answered, scene.allowance.held_bytes) == ([b"200", b"200"], 0)


async def test_a_body_whose_client_is_gone_counts_until_the_application_is_done_with_it() -> None:
    scene = Scene()
    scene.answers.clear()
    await scene.receive(post(50_000) + bytes(50_000))
    scene.connection.connection_lost(None)
    assert scene.allowance.held_bytes > 50_000
    scene.answers.set()
    await asyncio.sleep(0.01)
    assert scene.allowance.held_bytes == 0


@pytest.mark.parametrize("closes_first", [False, True])
async def test_a_short_request_whose_client_is_gone_counts_until_it_is_answered(closes_first: bool) -> None:
    scene = Scene()
    await scene.receive(post(5, b"/hot") + b"short")
    if closes_first:  # the transport knows of a reset before it says so
        scene.transport.close()
        scene.short[0].answer(DONE)
        assert scene.allowance.held_bytes > 0
        scene.connection.connection_lost(ConnectionResetError())
    else:
        scene.connection.connection_lost(ConnectionResetError())
        assert scene.allowance.held_bytes > 0
        scene.short[0].answer(DONE)
    assert scene.allowance.held_bytes == 0


async def test_the_last_answer_gives_back() -> None:
    scene = Scene()
    await scene.receive(post(5, b"/hot").replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n") + b"short")
    scene.short[0].answer(DONE)
    scene.connection.connection_lost(None)
    assert (scene.transport.closed, scene.allowance.held_bytes) == (True, 0)


async def test_a_body_on_the_short_way_that_finds_no_room_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shortcut, "MAX_BODY_REST_SECONDS", 3600.0)
    scene = Scene(allowing(200_000))
    await scene.receive(post(250_000, b"/hot"), *[bytes(50_000)] * 4)
    assert (scene.answered, scene.short, len(scene.refused)) == ([b"503"], [], 1)


async def test_whoever_was_flooded_is_told_when_it_is_over() -> None:
    told: list[int] = []
    allowance = allowing(1_000_000, lambda: told.append(allowance.held_bytes))
    scenes = [Scene(allowance) for _ in range(4)]
    for scene in scenes:
        await scene.receive(post(100_000), bytes(90_000))
    assert told == []
    for scene in scenes:
        await scene.receive(bytes(10_000))
    assert told == [0]
    for _ in range(3):
        await scenes[0].receive(post(100_000), bytes(100_000))
    assert told == [0]  # that was not much


async def test_what_is_sent_after_a_refusal_is_thrown_away_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadlines, "LINGER_SECONDS", 0.3)
    scene = Scene(allowing(100_000))
    await scene.receive(post(250_000), *[bytes(50_000)] * 5)
    assert (scene.answered, scene.allowance.held_bytes) == ([b"503"], 0)
    assert (scene.transport.ended, scene.transport.closed) == (True, False)
    await until(lambda: bool(scene.transport.closed))


@few(2, "flooded", [*GUARDED, *STRANGERS])
@pytest.mark.parametrize("target", GUARDED)
async def test_no_family_starves_another(flooded: bytes, target: bytes) -> None:
    allowance = allowing(MOST)
    flood = await unfinished(allowance, flooded)
    whole = [await send_whole(allowance, target, 540_000) for _ in range(3)]
    if flooded != target:
        assert [scene.answered for scene in whole] == [[b"200"]] * 3
    await end(allowance, *flood, *whole)


async def test_what_others_leave_idle_may_be_used() -> None:
    for target in GUARDED:
        allowance = allowing(1_000_000)
        scene = Scene(allowance)
        await scene.receive(post(715_000, target), *[bytes(65_000)] * 11)
        assert scene.answered == [b"200"]


async def test_strangers_give_way_first() -> None:
    allowance = allowing(MOST)
    telemetry = await unfinished(allowance, TELEMETRY, 8)
    strangers = [scene for target in STRANGERS for scene in await unfinished(allowance, target, 5)]
    events = [Scene(allowance) for _ in range(4)]
    for scene in events:
        await scene.receive(post(1_800_000, EVENTS), *[bytes(PIECE)] * 28)
    assert [scene.answered for scene in telemetry + events] == [[]] * 12
    refused = [scene for scene in strangers if scene.refused]
    assert refused
    assert all(isinstance(scene.refused[0], Unavailable) and scene.answered == [b"503"] for scene in refused)
    await end(allowance, *telemetry, *strangers, *events)


async def test_who_uses_more_than_their_part_gives_back_down_to_it() -> None:
    allowance = allowing(MOST)
    telemetry = await unfinished(allowance, TELEMETRY)
    part = FAMILY_FRACTIONS[BodyFamily.TELEMETRY] * 0.9 * MOST
    assert allowance.held_bytes_by_family[BodyFamily.TELEMETRY] > 2 * part
    statistics = await unfinished(allowance, STATISTICS)
    events = await unfinished(allowance, EVENTS)
    app = await unfinished(allowance, APP)
    await asyncio.sleep(0.01)
    assert part - 2 * WANTED < allowance.held_bytes_by_family[BodyFamily.TELEMETRY] <= part + 2 * WANTED
    for family, share in FAMILY_FRACTIONS.items():
        assert allowance.held_bytes_by_family[family] > 0.7 * share * 0.9 * MOST
    assert allowance.held_bytes <= MOST
    await end(allowance, *telemetry, *statistics, *events, *app)


@pytest.mark.long
@pytest.mark.parametrize("target", STRANGERS)
async def test_strangers_use_a_quarter_at_most_in_each_family(target: bytes) -> None:
    allowance = allowing(MOST)
    large = await unfinished(allowance, target)
    small = [Scene(allowance) for _ in range(1000)]
    for scene in small:
        scene.connection.data_received(post(16_000, target) + bytes(15_000))
        await asyncio.sleep(0)
    assert 0.15 * MOST < allowance.held_bytes <= 0.25 * MOST
    other = next(each for each in STRANGERS if each != target)
    assert (await send_whole(allowance, other, 960_000)).answered == [b"200"]
    await end(allowance, *large, *small)


@pytest.mark.long
async def test_heads_without_end_keep_nobody_out() -> None:
    allowance = allowing(1_000_000)
    endless = [Scene(allowance) for _ in range(60)]
    for scene in endless:
        await scene.receive(b"GET /v1/events" + b"a" * 30_000)
    assert allowance.held_bytes > 800_000
    for _ in range(100):
        scene = Scene(allowance)
        await scene.receive(b"GET /a HTTP/1.1\r\nHost: x\r\n" + b"X-Long: " + b"y" * 2_000 + b"\r\n\r\n")
        assert scene.answered == [b"200"]
    await end(allowance, *endless)


async def test_what_was_received_whole_does_not_give_way() -> None:
    allowance = allowing(1_000_000)
    waiting = [Scene(allowance) for _ in range(3)]
    for scene in waiting:
        scene.answers.clear()
        await scene.receive(post(120_000, TELEMETRY), bytes(60_000), bytes(60_000))
    flood = await unfinished(allowance, TELEMETRY, 10)
    assert (await send_whole(allowance, EVENTS, 120_000)).answered == [b"200"]
    for scene in waiting:
        scene.answers.set()
    await asyncio.sleep(0.01)
    assert [scene.answered for scene in waiting] == [[b"200"]] * 3
    await end(allowance, *flood)
