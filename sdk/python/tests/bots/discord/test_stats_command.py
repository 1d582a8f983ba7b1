"""`discord/stats_command.py`: a slash command that answers with the picture of a dashboard."""

from collections.abc import Callable
from typing import Any

import pytest
from sdk.python.tests.bots.discord import payloads
from sdk.python.tests.bots.discord.conftest import Scene

from tallyroom_client.discord.attached import Attached
from tallyroom_client.discord.stats_command import StatsCommand

PICTURE = b"\x89PNG"
PATH = "/custom/dashboards/a%2Fb.png?theme=dark"


def away(url: str) -> bytes:
    raise OSError("connection refused")


def picture(url: str) -> bytes:
    assert url == f"http://127.0.0.1:9{PATH}"
    return PICTURE


class Answers:
    """What is sent to Discord instead of a request."""

    def __init__(self, scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
        self.deferred: list[dict[str, Any]] = []
        self.sent: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

        async def defer(_response: Any, **options: Any) -> None:
            self.deferred.append(options)

        async def send(_webhook: Any, *content: Any, **options: Any) -> None:
            self.sent.append((content, options))

        monkeypatch.setattr(scene.gateway.library.InteractionResponse, "defer", defer)
        monkeypatch.setattr(scene.gateway.library.Webhook, "send", send)

    @property
    def only(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        assert (len(self.deferred), len(self.sent)) == (1, 1)
        return self.sent[0]


async def ask(scene: Scene, get_bytes: Callable[[str], bytes]) -> None:
    bot = scene.gateway.bot
    attached = Attached(lambda: None, StatsCommand(scene.gateway.library, "http://127.0.0.1:9", get_bytes))
    attached.command(getattr(bot, "tree", bot), dashboard="a/b")
    if hasattr(bot, "add_all_application_commands"):
        bot.add_all_application_commands()
    scene.gateway.receive("interaction_create", payloads.command("stats"))
    await scene.gateway.settle(threads=True)


async def test_the_picture_is_an_attachment_with_a_text_for_those_who_do_not_see_it(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = Answers(scene, monkeypatch)
    await ask(scene, picture)
    content, options = answers.only
    file = options["file"]
    assert (content, options["ephemeral"], answers.deferred[0]) == ((), True, {"ephemeral": True})
    assert (file.filename, file.description) == ("stats.png", "The first chart of the dashboard a/b")
    assert file.fp.read() == PICTURE


async def test_an_error_becomes_one_sentence(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = Answers(scene, monkeypatch)
    await ask(scene, away)
    content, options = answers.only
    assert content == ("The statistics cannot be shown right now. Try again in a few minutes.",)
    assert options == {"ephemeral": True}


def test_hikari_has_no_commands_of_its_own() -> None:
    with pytest.raises(TypeError, match="hikari has no command framework"):
        Attached(lambda: None, None).command(None, dashboard="teapot")
