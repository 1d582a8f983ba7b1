"""`discord/statistics.py`, `events.py` and `bots/ticker.py`: a bot that is ready, and how it is."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from sdk.python.tests.bots.discord import payloads
from sdk.python.tests.bots.discord.conftest import Scene
from sdk.python.tests.bots.tracker import until

from tallyroom_client.version import __version__

SOON = 0.001


def make_ready(scene: Scene) -> None:
    scene.gateway.bot._ready.set()
    scene.gateway.bot.dispatch("ready")


async def test_a_bot_is_ready_once_in_a_process(scene: Scene) -> None:
    attached = scene.attach()
    make_ready(scene)
    make_ready(scene)
    attached.detach()
    scene.attach()
    event = scene.tracker.only("bot_ready")
    library = scene.gateway.library
    assert (event.actor, event.source) == (None, "discord:0")
    assert event.properties == {
        "guilds": 1,
        "shards": 1,
        "library": {"discord": "discord.py"}.get(library.__title__, library.__title__),
        "library_version": library.__version__,
        "version": __version__,
    }


async def test_a_bot_that_is_ready_when_it_is_attached_counts_too(scene: Scene) -> None:
    make_ready(scene)
    scene.attach()
    assert scene.tracker.names() == ["bot_ready"]


async def test_statistics_come_until_the_bot_is_detached(scene: Scene) -> None:
    attached = scene.attach(stats=SOON)
    make_ready(scene)
    scene.gateway.receive(
        "interaction_create", payloads.command("config", payloads.subcommand("set", payloads.text_option("value")))
    )
    scene.gateway.receive("interaction_create", payloads.command("fail"))
    await until(lambda: scene.tracker.names().count("bot_stats") >= 3)
    attached.detach()
    count = len(scene.tracker.events)
    await asyncio.sleep(10 * SOON)
    assert len(scene.tracker.events) == count
    statistics = [event for event in scene.tracker.events if event.name == "bot_stats"]
    assert {event.source for event in statistics} == {"discord:0"}
    assert sum(event.properties["commands"] for event in statistics) == 2
    assert sum(event.properties["errors"] for event in statistics) == 1
    assert {event.properties["guilds"] for event in statistics} == {1}
    assert statistics[0].properties["shard_id"] == 0
    assert statistics[0].properties["memory_used_mb"] > 1
    assert "ws_ping" not in statistics[0].properties  # not a number before the first heartbeat


async def test_the_time_of_commands_is_in_the_statistics(scene: Scene) -> None:
    scene.attach(stats=SOON)
    scene.gateway.receive(
        "interaction_create", payloads.command("config", payloads.subcommand("set", payloads.text_option("value")))
    )
    scene.clock.now += 0.25
    await scene.gateway.settle()
    make_ready(scene)
    await until(lambda: "bot_stats" in scene.tracker.names())
    properties = next(event for event in scene.tracker.events if event.name == "bot_stats").properties
    assert (properties["command_ms_p50"], properties["command_ms_p95"]) == (250.0, 250.0)


async def test_with_a_token_the_server_counts_are_posted_once_the_bot_is_ready(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    posts: list[tuple[str, str, Mapping[str, Any]]] = []
    monkeypatch.setattr("tallyroom_client.discord.events.post_json", lambda *post: posts.append(post))
    attached = scene.attach(counts_token="secret", stats=None)
    assert posts == []
    make_ready(scene)
    await until(lambda: bool(posts))
    attached.detach()
    [(url, token, body)] = posts
    assert url == f"{scene.tracker.url}/api/bots/{scene.gateway.bot.user.id}/stats"
    assert (token, body) == ("secret", {"server_count": 1, "shard_id": 0, "shard_count": 1})


async def test_statistics_can_be_left_out(scene: Scene) -> None:
    scene.attach(stats=None)
    make_ready(scene)
    await asyncio.sleep(10 * SOON)
    assert scene.tracker.names() == ["bot_ready"]
