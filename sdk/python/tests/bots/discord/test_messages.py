"""`message_sent`, and that nothing of what people write or are called is sent."""

import json
import random
from collections import Counter

from sdk.python.tests.bots.discord import payloads
from sdk.python.tests.bots.discord.conftest import Scene

PAYLOADS = 10_000


async def test_messages_are_sent_only_on_request(scene: Scene) -> None:
    scene.attach()
    scene.gateway.receive("message_create", payloads.message(payloads.canary()))
    assert scene.tracker.events == []


async def test_a_message_is_known_by_its_place(scene: Scene) -> None:
    scene.attach(messages=True)
    scene.gateway.receive("message_create", payloads.message(payloads.canary()))
    other_bot = payloads.user(payloads.USER + 1, "other", is_bot=True)
    scene.gateway.receive("message_create", payloads.message(payloads.canary(), author=other_bot))
    event = scene.tracker.only("message_sent")
    assert event.actor == str(payloads.USER)
    assert event.properties == {
        "guild_id": str(payloads.GUILD),
        "guild_name": "Tea House",
        "channel_id": str(payloads.CHANNEL),
    }


async def test_of_10000_mixed_payloads_each_counts_once_and_none_shows_a_canary(scene: Scene) -> None:
    scene.attach(messages=True, labels=True)
    chance = random.Random(1)
    expected: Counter[str] = Counter()
    for number in range(PAYLOADS):
        kind = chance.choice(["command", "failure", "component", "modal", "message", "prefix", "join and leave"])
        if kind == "command":
            options = payloads.subcommand("set", payloads.text_option("value"))
            scene.gateway.receive("interaction_create", payloads.command("config", options))
            expected["command_used"] += 1
        elif kind == "failure":
            scene.gateway.receive("interaction_create", payloads.command("fail"))
            expected += Counter(["command_used", "bot_error"])
        elif kind == "component":
            scene.gateway.receive("interaction_create", payloads.component(f"vote:{payloads.canary()}"))
            expected["component_used"] += 1
        elif kind == "modal":
            scene.gateway.receive("interaction_create", payloads.modal(f"vote_{payloads.canary()}"))
            expected["component_used"] += 1
        elif kind == "message":
            scene.gateway.receive("message_create", payloads.message(payloads.canary()))
            expected["message_sent"] += 1
        elif kind == "prefix":
            scene.gateway.receive("message_create", payloads.message(f"!hello {payloads.canary()}"))
            expected += Counter(["message_sent", "command_used"])
        else:
            guild_id = payloads.GUILD + 1 + number
            scene.gateway.receive("guild_create", payloads.guild(guild_id))
            scene.gateway.receive("guild_delete", {"id": str(guild_id)})
            expected += Counter(["guild_join", "guild_leave"])
        if number % 100 == 0:
            await scene.gateway.settle()
    await scene.gateway.settle()
    assert Counter(scene.tracker.names()) == expected
    assert payloads.CANARY not in json.dumps(scene.tracker.events)
    assert (
        Counter(scene.ran)["hello"] + Counter(scene.ran)["config set"] + expected["bot_error"]
        == (expected["command_used"])
    )
