"""PyPI's `topggpy`, unchanged but for its address: how bots have posted for years (rules/statistics#clients)."""

import asyncio
import warnings
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from harness.clients.workspace import Workspace
from harness.oracles.refusal import check_refusal
from harness.suite.few import few

BOT, OTHER = "264811613708746752", "583807014896140293"

# What its post_guild_count(servers, shard_count, shard_id) sends: 1.4.0, without shard 0, which it leaves out.
SENT: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((120, None, None), {"server_count": 120}),
    ((120, 4, None), {"server_count": 120, "shard_count": 4}),
    (([10, 20, 30], None, None), {"server_count": [10, 20, 30]}),
    (([10, 20, 30], 3, None), {"server_count": [10, 20, 30], "shard_count": 3}),
    ((25, 3, 1), {"server_count": 25, "shard_count": 3, "shard_id": 1}),
]
COUNTED = [(120, 0), (120, 4), (60, 3), (60, 3), (25, 3)]


@pytest.fixture
def token(workspace: Workspace) -> str:
    """A bot's own token."""
    return workspace.make_stats_token("bot", BOT)[0]


def counters(workspace: Workspace) -> tuple[int, int]:
    """(servers, shards), as a comparison tells them."""
    writer, _ = workspace.make_stats_token("write")
    with workspace.client(writer) as client:
        assert client.put(f"/chat/bots/{OTHER}", json={"name": "Other"}).is_success
        record = client.get(f"/chat/compare/{BOT}/{OTHER}").json()["data"][0]
    return record["server_count"], record["shard_count"]


@few(2, ("body", "counted"), [(body, counted) for (_, body), counted in zip(SENT, COUNTED, strict=True)])
def test_what_it_sends(workspace: Workspace, token: str, body: dict[str, Any], counted: tuple[int, int]) -> None:
    """For Pythons in which it cannot be installed."""
    with workspace.client() as client:
        answer = client.post("/api/bots/stats", json=body, headers={"authorization": token})
    assert answer.status_code == 200, answer.text
    assert counters(workspace) == counted


@pytest.mark.parametrize(("told", "status"), [("tr_stats_wrong", 401), ("", 401)])
def test_a_wrong_token_is_refused(workspace: Workspace, told: str, status: int) -> None:
    with workspace.client() as client:
        answer = client.post("/api/bots/stats", json={"server_count": 1}, headers={"authorization": told})
    check_refusal(answer, status)


class TestItself:
    """The package's own requests."""

    @pytest.fixture
    def topgg(self) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # discord.py plays sound with a module that goes away
            return pytest.importorskip("topgg", reason="discord.py does not run on this Python")

    @pytest.fixture
    async def bot(self, topgg: Any, workspace: Workspace, token: str) -> AsyncIterator[Any]:
        async with aiohttp.ClientSession() as session:
            client = topgg.http.HTTPClient(token, session=session, loop=asyncio.get_running_loop())
            client.BASE = f"{workspace.url}/api"
            yield client

    @pytest.mark.long
    @pytest.mark.parametrize(
        ("call", "counted"), [(call, counted) for (call, _), counted in zip(SENT, COUNTED, strict=True)]
    )
    async def test_it_posts(
        self, bot: Any, workspace: Workspace, call: tuple[Any, ...], counted: tuple[int, int]
    ) -> None:
        await bot.post_guild_count(*call)
        assert await asyncio.to_thread(counters, workspace) == counted

    async def test_the_body_is_the_recorded_one(self, bot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        sent = []

        async def record(_method: str, _path: str, **what: Any) -> None:
            sent.append(what["json"])

        monkeypatch.setattr(bot, "request", record)
        for call, _ in SENT:
            await bot.post_guild_count(*call)
        assert sent == [body for _, body in SENT]

    async def test_shards_add_up(self, bot: Any, workspace: Workspace) -> None:
        for shard, servers in ((1, 10), (2, 20), (3, 30), (2, 25)):
            await bot.post_guild_count(servers, 4, shard)
        assert await asyncio.to_thread(counters, workspace) == (65, 4)

    async def test_a_wrong_token_is_unauthorized(self, topgg: Any, bot: Any) -> None:
        bot.token = "tr_stats_wrong"
        with pytest.raises(topgg.errors.Unauthorized):
            await bot.post_guild_count(1, None, None)

    async def test_a_read_token_is_forbidden(self, topgg: Any, bot: Any, workspace: Workspace) -> None:
        bot.token = workspace.make_stats_token("read")[0]
        with pytest.raises(topgg.errors.Forbidden):
            await bot.post_guild_count(1, None, None)

    async def test_what_is_not_served_is_not_found(self, topgg: Any, bot: Any) -> None:
        with pytest.raises(topgg.errors.NotFound):
            await bot.get_bot_votes(int(BOT))

    async def test_wrong_counters_are_an_error(self, topgg: Any, bot: Any, workspace: Workspace) -> None:
        with pytest.raises(topgg.errors.HTTPException):
            await bot.post_guild_count(-1, None, None)
