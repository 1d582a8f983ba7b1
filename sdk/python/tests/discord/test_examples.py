"""`sdk/python/examples`: each bot runs with its library's own parser, and its events are sent."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sdk.python.tests.bots.tracker import KeepingTracker
from sdk.python.tests.discord import payloads
from sdk.python.tests.discord.dispatching import Gateway, sign_in

EXAMPLES = Path(__file__).parents[2] / "examples"
HELPERS = {
    "discord_bot": "discord.dispatch_attachment",
    "hikari_bot": "discord.hikari",
    "telegram_bot": "aiogram.attachment",
}


@contextmanager
def example(name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[ModuleType, KeepingTracker]]:
    """An example, and the client that it takes from the environment."""
    tracker = KeepingTracker()
    module = ModuleType(name)
    code = compile((EXAMPLES / f"{name}.py").read_text(encoding="utf-8"), f"{name}.py", "exec")
    exec(code, module.__dict__)
    monkeypatch.setattr(f"tallyroom_client.{HELPERS[name]}.default_tracker", lambda: tracker)
    yield module, tracker


async def test_the_bot_of_discord_py(library: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    if library.__title__ != "discord":
        pytest.skip("the example is written for discord.py")
    answers: list[Any] = []

    async def send_message(_response: Any, content: str, **_: Any) -> None:
        answers.append(content)

    monkeypatch.setattr(library.InteractionResponse, "send_message", send_message)
    monkeypatch.setenv("TALLYROOM_DASHBOARD", "teapot")
    with example("discord_bot", monkeypatch) as (module, tracker):
        bot = module.build_bot()
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


@pytest.mark.skipif(find_spec("hikari") is None, reason="this environment has no hikari")
async def test_the_bot_of_hikari(monkeypatch: pytest.MonkeyPatch) -> None:
    from sdk.python.tests.discord.test_hikari import TOKEN, Scene

    with example("hikari_bot", monkeypatch) as (module, tracker):
        scene = Scene()
        bot = module.build_bot(TOKEN)
        bot._shards[0] = scene.shard
        scene.bot = bot
        answers: list[str] = []

        async def answer(_interaction: Any, _kind: Any, content: str) -> None:
            answers.append(content)

        monkeypatch.setattr("hikari.CommandInteraction.create_initial_response", answer)
        await scene.receive("INTERACTION_CREATE", payloads.command("tea"))
    assert (answers, tracker.names()) == (["Tea is ready."], ["command_used"])


@pytest.mark.skipif(find_spec("aiogram") is None, reason="this environment has no aiogram")
async def test_the_bot_of_aiogram(monkeypatch: pytest.MonkeyPatch) -> None:
    from sdk.python.tests.aiogram.test_attachment import Scene

    answers: list[str] = []

    async def answer(_event: Any, text: str, **_: Any) -> None:
        answers.append(text)

    monkeypatch.setattr("aiogram.types.Message.answer", answer)
    monkeypatch.setattr("aiogram.types.CallbackQuery.answer", answer)
    with example("telegram_bot", monkeypatch) as (module, tracker):
        scene = Scene()
        scene.dispatcher = module.build_dispatcher()
        await scene.say("/start")
        await scene.say("/brew black")
        await scene.press("tea:all")
        with pytest.raises(KeyError):
            await scene.say("/brew nettle")
    assert answers[1:] == ["Brew black at 95 °C.", "green, black, mint"]
    assert tracker.names() == ["command_used", "command_used", "component_used", "command_used", "bot_error"]
