"""`discord/dispatch_attachment.py`: what attaching and detaching leave of a bot."""

import logging
from typing import Any

import pytest
from sdk.python.tests.bots.discord import payloads
from sdk.python.tests.bots.discord.conftest import Scene
from sdk.python.tests.bots.tracker import FailingTracker

from tallyroom_client.discord import attach
from tallyroom_client.discord.dispatch import DispatchWrapper
from tallyroom_client.discord.error_hook import ErrorHook


def attributes(owner: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(owner).items() if name in {"dispatch", "on_error"}}


async def test_detaching_leaves_the_bot_as_it_was(scene: Scene) -> None:
    bot, connection = scene.gateway.bot, scene.gateway.bot._connection
    original = connection.dispatch
    before = attributes(bot), attributes(connection)
    attached = scene.attach()
    assert isinstance(bot.dispatch, DispatchWrapper)
    attached.detach()
    attached.detach()
    assert (attributes(bot), attributes(connection)) == before
    assert connection.dispatch is original
    scene.gateway.receive("guild_create", payloads.guild(payloads.GUILD + 1))
    assert scene.tracker.events == []


async def test_attaching_twice_counts_once_and_returns_the_same(scene: Scene) -> None:
    attached = scene.attach()
    assert scene.attach() is attached
    assert attach(scene.gateway.bot) is attached
    scene.gateway.receive("guild_create", payloads.guild(payloads.GUILD + 1))
    assert scene.tracker.names() == ["guild_join"]


async def test_a_cog_that_is_loaded_again_attaches_again(scene: Scene) -> None:
    for _ in range(3):
        attached = scene.attach()
        scene.gateway.receive("interaction_create", payloads.command("fail"))
        await scene.gateway.settle()
        attached.detach()
    assert scene.tracker.names() == ["command_used", "bot_error"] * 3


async def test_below_another_wrapper_it_only_lets_events_pass(scene: Scene) -> None:
    attached = scene.attach()
    bot, passed = scene.gateway.bot, []
    below = bot.dispatch

    def dispatch(event: str, *arguments: Any) -> None:
        passed.append(event)
        below(event, *arguments)

    bot.dispatch = dispatch
    attached.detach()
    bot.dispatch("guild_join", bot.guilds[0])
    assert (bot.dispatch, passed, scene.tracker.events) == (dispatch, ["guild_join"], [])


async def test_the_handlers_of_the_bot_are_called_in_the_same_order(scene: Scene) -> None:
    bot = scene.gateway.bot
    calls: list[str] = []

    @bot.event
    async def on_guild_join(_guild: Any) -> None:
        calls.append("event")

    async def first(_guild: Any) -> None:
        calls.append("first")

    async def second(_guild: Any) -> None:
        calls.append("second")

    bot.add_listener(first, "on_guild_join")
    bot.add_listener(second, "on_guild_join")
    scene.gateway.receive("guild_create", payloads.guild(payloads.GUILD + 1))
    await scene.gateway.settle()
    without = calls.copy()
    calls.clear()
    scene.attach()
    scene.gateway.receive("guild_create", payloads.guild(payloads.GUILD + 2))
    await scene.gateway.settle()
    assert calls == without
    assert sorted(calls) == ["event", "first", "second"]


async def test_a_client_that_raises_does_not_stop_an_event(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    joined: list[int] = []

    @scene.gateway.bot.event
    async def on_guild_join(guild: Any) -> None:
        joined.append(guild.id)

    attach(scene.gateway.bot, FailingTracker())
    with caplog.at_level(logging.ERROR, "tallyroom_client"):
        scene.gateway.receive("guild_create", payloads.guild(payloads.GUILD + 1))
    await scene.gateway.settle()
    assert joined == [payloads.GUILD + 1]
    assert "could not be recorded" in caplog.text


def test_something_else_is_refused() -> None:
    with pytest.raises(TypeError, match=r"str is no bot of discord\.py, py-cord"):
        attach("bot")


async def test_a_hook_that_was_replaced_stays_without_effect() -> None:
    calls: list[str] = []

    class Owner:
        async def on_error(self, error: str) -> None:
            calls.append(f"handled {error}")

    owner = Owner()
    hook = ErrorHook(owner, lambda error: calls.append(f"recorded {error}"))
    hook.renew()
    wrapper = owner.on_error
    owner.on_error = wrapper  # type: ignore[method-assign] # as a program may do that keeps it
    hook.renew()
    await owner.on_error("one")
    hook.remove()
    await wrapper("two")
    await owner.on_error("three")
    assert calls == ["recorded one", "handled one", "handled two", "handled three"]
