"""`discord/counts.py`: when the server counts are posted, and that an outage does not end it."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

import pytest
from sdk.python.tests.bots.tracker import Clock

from tallyroom_client.discord.counts import Counts

URL = "http://127.0.0.1:9"


class TwoShards:
    """A process with the shards 2 and 3 of four."""

    library = library_version = "-"

    def __init__(self) -> None:
        self.counts = {2: 10, 3: 20}
        self.ready = True

    def user_id(self) -> int:
        return 77

    def is_ready(self) -> bool:
        return self.ready

    def shard_count(self) -> int:
        return 4

    def shard_ids(self) -> list[int]:
        return [2, 3]

    def latency_seconds(self) -> float:
        return 0.1

    def cached_user_count(self) -> int:
        return 0

    def guild_counts(self) -> Mapping[int, int]:
        return self.counts


class Posts:
    """What was posted; while `fails`, the server is away."""

    def __init__(self) -> None:
        self.bodies: list[Mapping[str, Any]] = []
        self.fails = False

    def __call__(self, url: str, token: str, body: Mapping[str, Any]) -> None:
        assert (url, token) == (f"{URL}/api/bots/77/stats", "secret")
        if self.fails:
            raise OSError("connection refused")
        self.bodies.append(body)

    def server_counts(self) -> list[tuple[int, int]]:
        return [(body["shard_id"], body["server_count"]) for body in self.bodies]


class Process:
    """A process that posts when it is asked to, with its clock."""

    def __init__(self) -> None:
        self.bot, self.posts, self.clock = TwoShards(), Posts(), Clock()
        self.counts = Counts(self.bot, URL, "secret", self.posts, self.clock)

    async def check(self, *, later: float = 0) -> list[tuple[int, int]]:
        """Return what is posted `later` seconds later."""
        self.clock.now += later
        self.posts.bodies.clear()
        self.counts.post_if_due()
        if self.counts._task is not None:
            await self.counts._task
        return self.posts.server_counts()


async def test_each_shard_is_posted_once_all_are_ready() -> None:
    process = Process()
    process.bot.ready = False
    assert await process.check() == []
    process.bot.ready = True
    assert await process.check() == [(2, 10), (3, 20)]
    assert [body["shard_count"] for body in process.posts.bodies] == [4, 4]


async def test_changes_are_posted_at_most_each_five_minutes() -> None:
    process = Process()
    await process.check()
    assert await process.check(later=1000) == []  # nothing has changed
    process.bot.counts = {2: 11, 3: 20}
    assert await process.check() == [(2, 11), (3, 20)]
    process.bot.counts = {2: 12, 3: 20}
    assert await process.check(later=299) == []
    assert await process.check(later=1) == [(2, 12), (3, 20)]


async def test_what_the_server_did_not_take_is_posted_later(caplog: pytest.LogCaptureFixture) -> None:
    process = Process()
    process.posts.fails = True
    with caplog.at_level(logging.WARNING, "tallyroom_client"):
        assert await process.check() == []
    assert "connection refused" in caplog.text
    process.posts.fails = False
    assert await process.check(later=300) == [(2, 10), (3, 20)]


async def test_detaching_ends_it() -> None:
    process = Process()
    process.counts.post_if_due()
    process.counts.stop()
    await asyncio.sleep(0)
    assert process.posts.bodies == []
