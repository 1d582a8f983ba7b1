"""`discord/commands.py`, `interactions.py` and `prefix_commands.py` with a library's own dispatch."""

import pytest
from sdk.python.tests.bots.discord import payloads
from sdk.python.tests.bots.discord.conftest import Scene

from tallyroom_client.discord.commands import command_path


async def test_a_slash_command_is_sent_with_its_whole_path(scene: Scene) -> None:
    scene.attach()
    scene.gateway.receive(
        "interaction_create", payloads.command("config", payloads.subcommand("set", payloads.text_option("value")))
    )
    await scene.gateway.settle()
    event = scene.tracker.only("command_used")
    assert (event.actor, event.label, event.source) == (str(payloads.USER), None, "discord:0")
    properties = dict(event.properties)
    assert properties.pop("user_install", False) is False
    assert properties == {
        "command": "config set",
        "kind": "slash",
        "guild_id": str(payloads.GUILD),
        "guild_name": "Tea House",
        "guild_size": "1-100",
        "locale": "en-US",
    }
    assert scene.ran == ["config set"]


async def test_a_command_in_a_direct_message_has_no_guild(scene: Scene) -> None:
    scene.attach()
    scene.gateway.receive("interaction_create", payloads.private(payloads.command("fail")))
    properties = scene.tracker.only("command_used").properties
    assert not {"guild_id", "guild_name", "guild_size"} & set(properties)
    if scene.gateway.library.__title__ != "nextcord":  # which does not keep who installed an app
        assert properties["user_install"] is True


async def test_a_guild_that_is_not_cached_is_known_by_its_id(scene: Scene) -> None:
    scene.attach()
    payload = payloads.interaction(2, payloads.command("fail")["data"], guild_id=payloads.GUILD + 7)
    scene.gateway.receive("interaction_create", payload)
    properties = scene.tracker.only("command_used").properties
    assert properties["guild_id"] == str(payloads.GUILD + 7)
    assert not {"guild_name", "guild_size"} & set(properties)


@pytest.mark.parametrize(("kind", "word"), [(2, "user"), (3, "message")])
async def test_context_menus_are_commands(scene: Scene, kind: int, word: str) -> None:
    scene.attach()
    scene.gateway.receive("interaction_create", payloads.command("Report", kind=kind, target_id="1", resolved={}))
    event = scene.tracker.only("command_used")
    assert (event.properties["command"], event.properties["kind"]) == ("Report", word)


async def test_completing_what_somebody_types_is_no_use(scene: Scene) -> None:
    scene.attach()
    payload = payloads.command("config", payloads.subcommand("set", payloads.text_option("value")))
    payload["type"] = 4
    payload["data"]["options"][0]["options"][0]["focused"] = True
    scene.gateway.receive("interaction_create", payload)
    await scene.gateway.settle()
    assert "command_used" not in scene.tracker.names()


async def test_a_command_in_a_message_is_sent_as_prefix(scene: Scene) -> None:
    scene.attach()
    scene.gateway.receive("message_create", payloads.message(f"!hello {payloads.canary()}"))
    await scene.gateway.settle()
    event = scene.tracker.only("command_used")
    assert (event.properties["command"], event.properties["kind"]) == ("hello", "prefix")
    assert event.properties["guild_name"] == "Tea House"
    assert scene.ran == ["hello"]


async def test_a_word_that_is_no_command_is_not_sent(scene: Scene) -> None:
    scene.attach()
    scene.gateway.receive("message_create", payloads.message(f"!{payloads.canary()}"))
    await scene.gateway.settle()
    assert scene.tracker.events == []


async def test_names_are_labels_only_on_request(scene: Scene) -> None:
    scene.attach(labels=True)
    scene.gateway.receive("interaction_create", payloads.command("fail"))
    assert scene.tracker.only("command_used").label == "robin"


async def test_a_hybrid_command_counts_once(scene: Scene) -> None:
    if scene.gateway.library.__title__ != "discord":
        pytest.skip("only discord.py has hybrid commands")
    ran: list[object] = []

    @scene.gateway.bot.hybrid_command(name="both")
    async def both(context: object) -> None:
        ran.append(context)
        raise ValueError("no")

    scene.attach()
    scene.gateway.receive("interaction_create", payloads.command("both"))
    await scene.gateway.settle()
    assert len(ran) == 1
    assert scene.tracker.names() == ["command_used", "bot_error"]
    assert scene.tracker.only("bot_error").properties["type"] == "ValueError"


def test_values_are_no_part_of_a_path() -> None:
    options = [
        {"type": 2, "name": "group", "options": [{"type": 1, "name": "sub", "options": [{"type": 3, "name": "v"}]}]}
    ]
    assert command_path("a", options) == "a group sub"
    assert command_path("a", [{"type": 3, "name": "v"}]) == "a"
