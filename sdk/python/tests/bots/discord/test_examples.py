"""`sdk/python/examples/discord_bot.py` runs with discord.py's own parser, and its events are sent."""

from types import ModuleType
from typing import Any

import pytest
from sdk.python.tests.bots.discord import payloads
from sdk.python.tests.bots.discord.dispatching import Gateway, sign_in
from sdk.python.tests.bots.examples import load_example


async def test_the_bot_of_discord_py(library: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    if library.__title__ != "discord":
        pytest.skip("the example is written for discord.py")
    answers: list[Any] = []

    async def send_message(_response: Any, content: str, **_: Any) -> None:
        answers.append(content)

    monkeypatch.setattr(library.InteractionResponse, "send_message", send_message)
    monkeypatch.setenv("TALLYROOM_DASHBOARD", "teapot")
    program, tracker = load_example("discord_bot", "discord.dispatch_attachment", monkeypatch)
    bot = program.build_bot()
    await sign_in(library, bot)
    gateway = Gateway(library, bot)
    gateway.receive("guild_create", payloads.guild(unavailable=False))
    tea = {"type": 3, "name": "tea", "value": "mint"}
    for payload in (
        payloads.command("tea"),
        payloads.command("brew", tea),
        payloads.command("brew", {**tea, "value": "nettle"}),
        payloads.component("tea:again"),
    ):
        gateway.receive("interaction_create", payload)
        await gateway.settle()
    assert {command.name for command in bot.tree.get_commands()} == {"tea", "brew", "stats"}
    await bot.close()
    assert tracker.names() == ["command_used", "command_used", "command_used", "bot_error", "component_used"]
    assert answers[1] == "Brew mint at 100 °C."
    assert tracker.only("bot_error").properties["type"] == "KeyError"
