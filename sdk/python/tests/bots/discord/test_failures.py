"""`discord/failures.py` and `error_hook.py`: each error once, and the bot's own handlers as before."""

from typing import Any

import pytest
from sdk.python.tests.bots.discord import payloads
from sdk.python.tests.bots.discord.conftest import Scene

MODULE = "sdk.python.tests.bots.discord.dispatching"


async def fail(scene: Scene) -> None:
    scene.gateway.receive("interaction_create", payloads.command("fail"))
    await scene.gateway.settle()


async def test_an_error_of_a_command_has_its_type_and_place_but_no_message(scene: Scene) -> None:
    scene.attach()
    await fail(scene)
    assert scene.tracker.names() == ["command_used", "bot_error"]
    event = scene.tracker.only("bot_error")
    properties = dict(event.properties)
    assert properties.pop("where").startswith(f"{MODULE}:")
    assert event.actor == str(payloads.USER)
    assert properties == {
        "command": "fail",
        "type": "CommandError",
        "guild_id": str(payloads.GUILD),
        "guild_name": "Tea House",
    }


async def test_an_error_of_a_prefix_command_counts_too(scene: Scene) -> None:
    scene.attach(error_messages=True)
    scene.gateway.receive("message_create", payloads.message("!break"))
    await scene.gateway.settle()
    properties = scene.tracker.only("bot_error").properties
    assert (properties["command"], properties["type"], properties["message"]) == ("break", "CommandError", "secret")


async def test_an_error_of_a_handler_counts(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    async def on_member_ban(*_: Any) -> None:
        raise ValueError("no")

    scene.gateway.bot.add_listener(on_member_ban)
    scene.attach()
    scene.gateway.receive("guild_ban_add", {"guild_id": str(payloads.GUILD), "user": payloads.user()})
    await scene.gateway.settle()
    properties = scene.tracker.only("bot_error").properties
    assert (properties["event"], properties["type"]) == ("on_member_ban", "ValueError")


@pytest.mark.parametrize("is_before", [True, False])
async def test_the_handler_of_a_tree_is_called_whenever_it_was_set(scene: Scene, *, is_before: bool) -> None:
    if scene.gateway.library.__title__ != "discord":
        pytest.skip("only discord.py has a command tree")
    handled: list[str] = []

    async def on_error(interaction: Any, error: Exception) -> None:
        handled.append(type(error).__name__)

    if is_before:
        scene.gateway.bot.tree.error(on_error)
    attached = scene.attach()
    if not is_before:
        scene.gateway.bot.tree.error(on_error)
    await fail(scene)
    assert handled == ["CommandInvokeError"]
    assert scene.tracker.names() == ["command_used", "bot_error"]
    attached.detach()
    assert scene.gateway.bot.tree.on_error is on_error
    await fail(scene)
    assert len(handled) == 2
    assert len(scene.tracker.events) == 2


async def test_a_handler_that_calls_the_one_before_it_counts_an_error_once(scene: Scene) -> None:
    if scene.gateway.library.__title__ != "discord":
        pytest.skip("only discord.py has a command tree")
    tree = scene.gateway.bot.tree
    handled: list[Exception] = []

    async def first(interaction: Any, error: Exception) -> None:
        handled.append(error)

    tree.error(first)
    attached = scene.attach()
    before = tree.on_error

    async def second(interaction: Any, error: Exception) -> None:
        await before(interaction, error)

    tree.error(second)
    await fail(scene)
    assert len(handled) == 1
    assert scene.tracker.names() == ["command_used", "bot_error"]
    attached.detach()
    await fail(scene)
    assert len(handled) == 2
    assert scene.tracker.names() == ["command_used", "bot_error"]


async def test_handlers_that_the_library_dispatches_are_called_as_before(scene: Scene) -> None:
    handled: list[str] = []

    async def handle(*arguments: Any) -> None:
        handled.append(type(arguments[-1]).__name__)

    for name in ("on_application_command_error", "on_slash_command_error", "on_command_error"):
        scene.gateway.bot.add_listener(handle, name)
    scene.attach()
    await fail(scene)
    scene.gateway.receive("message_create", payloads.message("!break"))
    await scene.gateway.settle()
    assert len(handled) == (1 if scene.gateway.library.__title__ == "discord" else 2)
    assert scene.tracker.names() == ["command_used", "bot_error", "command_used", "bot_error"]
