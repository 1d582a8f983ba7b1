"""`discord/hikari.py` with hikari's own event manager: the gateway is a test."""

import asyncio
import base64
import json
import logging
from collections.abc import AsyncIterator
from typing import Any
from unittest.mock import Mock

import hikari
import pytest
import pytest_asyncio
from hikari.impl import GatewayShardImpl
from sdk.python.tests.bots.discord import payloads
from sdk.python.tests.bots.examples import load_example
from sdk.python.tests.bots.tracker import Clock, KeepingTracker

from tallyroom_client.discord import attach
from tallyroom_client.discord.attached import Attached
from tallyroom_client.discord.hikari import attach_to_hikari
from tallyroom_client.discord.options import Options

TOKEN = base64.b64encode(str(payloads.BOT_USER).encode()).decode() + ".-.-"


class Scene:
    """A bot with one shard, and the events that Discord sends to it."""

    def __init__(self) -> None:
        self.bot = hikari.GatewayBot(TOKEN, banner=None, logs=None)
        self.tracker = KeepingTracker()
        self.clock = Clock()
        shard = Mock(spec=GatewayShardImpl, id=0, shard_count=1, is_connected=True, heartbeat_latency=0.05)
        shard.get_user_id.return_value = hikari.Snowflake(payloads.BOT_USER)
        self.shard = shard
        self.bot._shards[0] = shard

    def attach(self, **options: Any) -> Attached:
        return attach_to_hikari(self.bot, self.tracker, Options(**options), self.clock)

    async def receive(self, name: str, payload: dict[str, Any]) -> None:
        self.bot.event_manager.consume_raw_event(name, self.shard, payload)
        await self.settle()

    async def dispatch(self, event: Any) -> None:
        self.bot.dispatch(event)
        await self.settle()

    async def settle(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)


@pytest_asyncio.fixture
async def scene() -> AsyncIterator[Scene]:
    scene = Scene()
    await scene.receive("GUILD_CREATE", payloads.guild(unavailable=False))
    yield scene


async def test_a_command_is_sent_with_its_whole_path(scene: Scene) -> None:
    scene.attach()
    options = payloads.subcommand("set", payloads.text_option("value"))
    await scene.receive("INTERACTION_CREATE", payloads.command("config", options))
    event = scene.tracker.only("command_used")
    assert (event.actor, event.label, event.source) == (str(payloads.USER), None, "discord:0")
    assert event.properties == {
        "command": "config set",
        "kind": "slash",
        "guild_id": str(payloads.GUILD),
        "guild_name": "Tea House",
        "guild_size": "1-100",
        "locale": "en-US",
        "user_install": False,
    }


async def test_components_and_modals(scene: Scene) -> None:
    scene.attach()
    await scene.receive("INTERACTION_CREATE", payloads.component(f"vote:{payloads.canary()}"))
    await scene.receive("INTERACTION_CREATE", payloads.modal(f"ask_{payloads.canary()}"))
    kinds = [(event.properties["custom_id"], event.properties["kind"]) for event in scene.tracker.events]
    assert kinds == [("vote", "button"), ("ask", "modal")]
    assert payloads.CANARY not in json.dumps(scene.tracker.events)


async def test_joins_leaves_and_outages(scene: Scene) -> None:
    scene.attach()
    other = str(payloads.GUILD + 1)
    await scene.receive("GUILD_CREATE", payloads.guild(payloads.GUILD + 1, "Coffee House"))
    await scene.receive("GUILD_DELETE", {"id": other, "unavailable": True})
    await scene.receive("GUILD_CREATE", payloads.guild(payloads.GUILD + 1, "Coffee House"))
    await scene.receive("GUILD_DELETE", {"id": other})
    assert scene.tracker.names() == ["guild_join", "guild_leave"]
    assert {event.properties["guild_name"] for event in scene.tracker.events} == {"Coffee House"}


async def test_errors_of_listeners_count_and_are_logged_as_before(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(event: hikari.InteractionCreateEvent) -> None:
        raise ValueError("no")

    scene.bot.subscribe(hikari.InteractionCreateEvent, fail)
    scene.attach()
    with caplog.at_level(logging.ERROR, "hikari.event_manager"):
        await scene.receive("INTERACTION_CREATE", payloads.command("fail"))
    assert sorted(scene.tracker.names()) == ["bot_error", "command_used"]
    properties = scene.tracker.only("bot_error").properties
    assert (properties["command"], properties["type"]) == ("fail", "ValueError")
    assert properties["where"].startswith(f"{__name__}:")
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [ValueError]


async def test_an_error_that_the_bot_listens_to_is_not_logged(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    handled: list[Exception] = []

    async def fail(event: hikari.InteractionCreateEvent) -> None:
        raise ValueError("no")

    async def handle(event: hikari.ExceptionEvent[Any]) -> None:
        handled.append(event.exception)

    scene.bot.subscribe(hikari.InteractionCreateEvent, fail)
    scene.bot.subscribe(hikari.ExceptionEvent, handle)
    scene.attach()
    with caplog.at_level(logging.ERROR, "hikari.event_manager"):
        await scene.receive("INTERACTION_CREATE", payloads.command("fail"))
    assert (len(handled), caplog.records) == (1, [])


async def test_shards_and_readiness(scene: Scene) -> None:
    scene.attach()
    await scene.dispatch(hikari.StartedEvent(app=scene.bot))
    await scene.dispatch(hikari.ShardDisconnectedEvent(app=scene.bot, shard=scene.shard))
    scene.clock.now += 3
    await scene.dispatch(hikari.ShardResumedEvent(app=scene.bot, shard=scene.shard))
    assert scene.tracker.names() == ["bot_ready", "shard_disconnect", "shard_resume"]
    assert scene.tracker.only("bot_ready").properties["library"] == "hikari"
    assert scene.tracker.only("shard_resume").properties == {"shard_id": 0, "seconds_down": 3.0}


async def test_messages_only_on_request(scene: Scene) -> None:
    attached = scene.attach()
    await scene.receive("MESSAGE_CREATE", payloads.message(payloads.canary()))
    assert scene.tracker.events == []
    attached.detach()
    scene.attach(messages=True)
    await scene.receive("MESSAGE_CREATE", payloads.message(payloads.canary()))
    properties = scene.tracker.only("message_sent").properties
    assert properties == {
        "guild_id": str(payloads.GUILD),
        "guild_name": "Tea House",
        "channel_id": str(payloads.CHANNEL),
    }


async def test_attaching_twice_counts_once_and_detaching_leaves_no_listener(scene: Scene) -> None:
    before = {kind: list(listeners) for kind, listeners in scene.bot.event_manager._listeners.items()}
    attached = scene.attach()
    assert attach(scene.bot) is attached
    await scene.receive("GUILD_CREATE", payloads.guild(payloads.GUILD + 1))
    assert scene.tracker.names() == ["guild_join"]
    attached.detach()
    assert scene.bot.event_manager._listeners == before


async def test_the_example_runs(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    program, tracker = load_example("hikari_bot", "discord.hikari", monkeypatch)
    answers: list[str] = []

    async def answer(_interaction: Any, _kind: Any, content: str) -> None:
        answers.append(content)

    monkeypatch.setattr("hikari.CommandInteraction.create_initial_response", answer)
    scene.bot = program.build_bot(TOKEN)
    scene.bot._shards[0] = scene.shard
    await scene.receive("INTERACTION_CREATE", payloads.command("tea"))
    assert (answers, tracker.names()) == (["Tea is ready."], ["command_used"])
