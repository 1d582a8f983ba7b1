"""`discord/shards.py` with the connections of one shard and of several."""

from types import ModuleType

import pytest
from sdk.python.tests.bots.discord.conftest import Scene
from sdk.python.tests.bots.discord.dispatching import sign_in
from sdk.python.tests.bots.discord.payloads import BOT_USER
from sdk.python.tests.bots.tracker import Clock, KeepingTracker

from tallyroom_client.discord.dispatch_attachment import attach_to_dispatch
from tallyroom_client.discord.options import Options


async def test_the_connection_of_a_bot_is_its_only_shard(scene: Scene) -> None:
    scene.attach()
    dispatch = scene.gateway.bot.dispatch
    dispatch("connect")
    dispatch("disconnect")
    dispatch("disconnect")  # a try to connect again failed
    scene.clock.now += 12.34
    dispatch("resumed")
    assert scene.tracker.names() == ["shard_disconnect", "shard_resume"]
    disconnect, resume = scene.tracker.events
    assert (disconnect.properties, disconnect.actor, disconnect.source) == ({"shard_id": 0}, None, "discord:0")
    assert resume.properties == {"shard_id": 0, "seconds_down": 12.3}


async def test_each_shard_is_followed_alone(library: ModuleType) -> None:
    tracker, clock = KeepingTracker(), Clock()
    options = (
        {"command_sync_flags": library.ext.commands.CommandSyncFlags.none()} if library.__title__ == "disnake" else {}
    )
    bot = library.ext.commands.AutoShardedBot(
        command_prefix="!", intents=library.Intents.all(), shard_count=8, shard_ids=[4, 5], **options
    )
    await sign_in(library, bot, BOT_USER - 1)
    attached = attach_to_dispatch(bot, library, tracker, Options(), clock)
    try:
        bot.dispatch("disconnect")
        bot.dispatch("shard_disconnect", 4)
        bot.dispatch("disconnect")
        bot.dispatch("shard_disconnect", 5)
        clock.now += 1
        bot.dispatch("connect")
        bot.dispatch("shard_connect", 5)
        clock.now += 1
        bot.dispatch("resumed")
        bot.dispatch("shard_resumed", 4)
        bot.dispatch("ready")
    finally:
        attached.detach()
        await bot.close()
    seen = [(event.name, event.source, event.properties.get("seconds_down")) for event in tracker.events]
    assert seen == [
        ("shard_disconnect", "discord:4", None),
        ("shard_disconnect", "discord:5", None),
        ("shard_resume", "discord:5", 1.0),
        ("shard_resume", "discord:4", 2.0),
        ("bot_ready", "discord:4-5", None),
    ]


@pytest.mark.parametrize("code", [4000, None])
async def test_the_code_of_a_close_is_sent_if_it_is_known(scene: Scene, code: int | None) -> None:
    class Socket:
        close_code = code

    class Connection:
        socket = Socket()

        async def close(self, code: int = 1000) -> None:
            pass

        open = False

    scene.attach()
    scene.gateway.bot.ws = Connection()
    scene.gateway.bot.dispatch("disconnect")
    assert scene.tracker.only("shard_disconnect").properties.get("code") == code
    scene.gateway.bot.ws = None
