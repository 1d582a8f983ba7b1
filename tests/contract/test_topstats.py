"""PyPI's `topstats`, unchanged but for its address: its methods, how it takes refusals (rules/statistics#clients)."""

import itertools
import time
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import topstats
from topstats import Period, SortBy

from harness.clients.workspace import Workspace, sign_up
from harness.oracles.listing_history import DAY, HOUR
from harness.servers.server import Server
from harness.suite.few import few

METRICS = ("monthly_votes", "total_votes", "server_count", "review_count")
OWNER, NOBODY = 205680187394752512, 205680187394752999
MUSIC, QUIZ, GONE, FRESH = 583807014896140293, 646937666251915264, 432610292342587392, 264811613708746752
UNKNOWN = 100000000000000000
POINTS = {
    Period.ALL_TIME: 401,
    Period.LAST_5_YEARS: 401,
    Period.LAST_3_YEARS: 401,
    Period.LAST_YEAR: 365,
    Period.LAST_9_MONTHS: 270,
    Period.LAST_6_MONTHS: 180,
    Period.LAST_3_MONTHS: 90,
    Period.LAST_MONTH: 720,
    Period.LAST_WEEK: 168,
    Period.LAST_3_DAYS: 72,
    Period.LAST_DAY: 24,
    Period.LAST_12_HOURS: 12,
    Period.LAST_6_HOURS: 6,
}


def fill(workspace: Workspace) -> None:
    """Four bots: two with 400 days of counters, one of which is owned and tagged, one deleted, one with a name only."""
    now = int(time.time() * 1000)
    noon = now - now % DAY - DAY // 2
    rows: list[dict[str, Any]] = []
    for days in range(400):
        for number, bot in enumerate((MUSIC, QUIZ, GONE), 1):
            counters = {metric: number * 1000 + at * 100 - days for at, metric in enumerate(METRICS)}
            rows.append({"id": str(bot), "timestamp": noon - days * DAY} | counters)
    token, _ = workspace.make_stats_token("write")
    with workspace.client(token) as client:
        assert client.post("/discord/import", json={"rows": rows}).status_code == 200
        profile = {"name": "Groove Box", "owners": [str(OWNER)], "tags": ["Music", "Fun"], "lib": "discord.py"}
        assert client.put(f"/discord/bots/{MUSIC}", json=profile | {"website": "https://groove.example"}).is_success
        assert client.put(f"/discord/bots/{QUIZ}", json={"name": "Quiz Box", "tags": ["fun"]}).is_success
        assert client.put(f"/discord/bots/{GONE}", json={"name": "Gone Box", "deleted": True}).is_success
        assert client.put(f"/discord/bots/{FRESH}", json={"name": "Fresh"}).is_success
        assert client.post(f"/discord/bots/{MUSIC}/stats", json={"server_count": 5000}).is_success


@pytest.fixture(scope="module")
def listing(server: Server) -> Workspace:
    """A workspace that lists them; nothing in this file changes it."""
    workspace = sign_up(server.url)
    fill(workspace)
    return workspace


@pytest.fixture
async def client(listing: Workspace, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[topstats.Client]:
    monkeypatch.setattr("topstats.client.BASE_URL", listing.url)
    async with topstats.Client(listing.make_stats_token("read")[0]) as opened:
        yield opened


@pytest.mark.long
async def test_get_bot(client: topstats.Client) -> None:
    bot = await client.get_bot(MUSIC)
    assert (bot.id, bot.topgg_id, bot.name, bot.is_deleted) == (MUSIC, str(MUSIC), "Groove Box", False)
    assert (bot.owners, bot.tags, bot.website) == ([OWNER], ["Music", "Fun"], "https://groove.example")
    assert (bot.server_count.value, bot.server_count.rank) == (5000, 1)
    assert (bot.monthly_votes.value, bot.monthly_votes.rank) == (1000, 2)
    # Of 1000 or 999 a day ago, and of 971 or 970 thirty days ago, by the time of day.
    assert (bot.daily_difference, bot.monthly_difference) == (
        pytest.approx(0.05, abs=0.06),
        pytest.approx(3.04, abs=0.06),
    )
    assert bot.submitted_at < bot.timestamp
    assert abs((datetime.now(UTC) - bot.timestamp).total_seconds()) < 600


@few(1, "kind", METRICS)
async def test_history_over_each_period(client: topstats.Client, kind: str) -> None:
    ask = getattr(client, f"get_historical_bot_{kind}")
    newest = 5000 if kind == "server_count" else 1000 + METRICS.index(kind) * 100
    for period, number in POINTS.items():
        points = list(await ask(MUSIC, period))
        assert len(points) == number, period
        step = HOUR if number != 401 and period.value in {"30d", "7d", "3d", "1d", "12h", "6h"} else DAY
        gaps = {(one.timestamp - two.timestamp).total_seconds() * 1000 for one, two in itertools.pairwise(points)}
        assert gaps == {step}
        assert points[0] == newest
    assert len(list(await ask(MUSIC))) == POINTS[Period.ALL_TIME]


async def test_recent(client: topstats.Client) -> None:
    recent = await client.get_recent_bot_stats(QUIZ)
    assert (len(recent.hourly), len(recent.daily)) == (30, 30)
    assert [entry.server_count.value for entry in recent.daily[:3]] == [2200, 2200, 2199]
    assert [entry.server_count.difference for entry in recent.daily[:3]] == [0, 1, 1]
    assert {(entry.timestamp.minute, entry.timestamp.second) for entry in recent.hourly} == {(0, 0)}
    assert {entry.timestamp.hour for entry in recent.daily} == {0}


@pytest.mark.parametrize("kind", METRICS)
async def test_top_bots(client: topstats.Client, kind: str) -> None:
    best = [MUSIC, QUIZ, FRESH] if kind == "server_count" else [QUIZ, MUSIC, FRESH]
    sort = getattr(SortBy, kind)
    assert [bot.id for bot in await client.get_top_bots(sort(ascending=True))] == best
    assert [bot.id for bot in await client.get_top_bots(sort(ascending=False))] == best[::-1]
    (first,) = await client.get_top_bots(sort(ascending=True), limit=1)
    highest = 5000 if kind == "server_count" else 2000 + METRICS.index(kind) * 100
    assert (first.id, getattr(first, kind).value) == (best[0], highest)
    assert first.monthly_votes.rank == (2 if first.id == MUSIC else 1)


@pytest.mark.parametrize("ids", [(MUSIC, QUIZ), (MUSIC, QUIZ, FRESH), (MUSIC, QUIZ, FRESH, GONE)], ids=len)
async def test_compare(client: topstats.Client, ids: tuple[int, ...]) -> None:
    found = {bot.id: bot for bot in await client.compare_bots(*ids)}
    assert set(found) == set(ids)
    assert [found[bot].monthly_votes.rank for bot in (MUSIC, QUIZ)] == [2, 1]


@pytest.mark.parametrize("kind", METRICS)
async def test_compare_histories(client: topstats.Client, kind: str) -> None:
    """The client takes the first of each series as one moment, the second of each as another, and so on."""
    ask = getattr(client, f"compare_bot_{kind}")
    for period in (Period.LAST_MONTH, Period.LAST_6_HOURS, Period.ALL_TIME):
        rows = list(await ask(period, MUSIC, QUIZ, GONE))
        assert len(rows) == POINTS[period]
        assert all(len({point.timestamp for point in row}) == 1 for row in rows)
    assert len(list(await ask(MUSIC, QUIZ))) == POINTS[Period.ALL_TIME]


async def test_users_bots(client: topstats.Client) -> None:
    assert [bot.name for bot in await client.get_users_bot(OWNER)] == ["Groove Box"]
    with pytest.raises(topstats.RequestError) as caught:
        await client.get_users_bot(NOBODY)
    assert (caught.value.status, caught.value.message) == (
        404,
        "The user does not exist, or no data exists for the ID.",
    )


async def test_search(client: topstats.Client) -> None:
    async def search(**how: Any) -> list[str]:
        return [bot.name for bot in await client.search_bots(**how)]

    assert await search(name="bOx") == ["Quiz Box", "Groove Box"]
    assert await search(name="box", include_deleted=True) == ["Quiz Box", "Groove Box", "Gone Box"]
    assert await search(name="box", offset=1, limit=1) == ["Groove Box"]
    assert await search(tag="fun") == ["Quiz Box", "Groove Box"]
    assert await search(tag="music", limit=500) == ["Groove Box"]
    assert await search(name="no such bot") == []


@pytest.mark.parametrize(
    "method", ["get_bot", "get_recent_bot_stats", *(f"get_historical_bot_{kind}" for kind in METRICS)]
)
async def test_an_unknown_bot(client: topstats.Client, method: str) -> None:
    with pytest.raises(topstats.RequestError) as caught:
        await getattr(client, method)(UNKNOWN)
    assert (caught.value.status, caught.value.message) == (404, "No bot exists with the ID provided.")


async def test_a_wrong_token(listing: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("topstats.client.BASE_URL", listing.url)
    async with topstats.Client("tr_stats_wrong") as client:
        with pytest.raises(topstats.RequestError) as caught:
            await client.get_bot(MUSIC)
    assert caught.value.status == 401
    assert caught.value.message


@pytest.fixture(scope="module")
def slow_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Lets a token ask three times a minute."""
    data = tmp_path_factory.mktemp("slow") / "data"
    server = Server(data, open_signup="true", stats_rate_per_minute="3").start()
    yield server
    server.stop()


@pytest.mark.long
async def test_it_waits_when_it_is_told_to(slow_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """It raises, as the wait is longer than 5 seconds; a shorter one it would sleep, and ask again on its own."""
    workspace = sign_up(slow_server.url)
    writer, _ = workspace.make_stats_token("write")
    with workspace.client(writer) as feeder:
        assert feeder.put(f"/discord/bots/{MUSIC}", json={"name": "Groove Box"}).is_success
    monkeypatch.setattr("topstats.client.BASE_URL", slow_server.url)
    async with topstats.Client(workspace.make_stats_token("read")[0]) as client:
        for _ in range(3):
            await client.get_bot(MUSIC)
        for _ in range(2):  # the second time it does not even ask
            with pytest.raises(topstats.Ratelimited) as caught:
                await client.get_bot(MUSIC)
            assert 5 < caught.value.retry_after <= 61
