"""docs/howto/discord-bot.md and telegram-bot.md: their tables are those of the code, and a server takes what they promise."""

import inspect
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from sdk.python.tests.bots.discord import payloads
from sdk.python.tests.bots.discord.dispatching import Gateway, load_library, sign_in

from harness.clients.dashboards import make_dashboard, make_widget
from harness.clients.workspace import Workspace
from tallyroom_client import Tallyroom
from tallyroom_client.bots.http import get_bytes, post_json
from tallyroom_client.discord import attach
from tallyroom_client.discord.counts import Counts

ROOT = Path(__file__).parents[2]
HOWTO = ROOT / "docs" / "howto"
DISCORD, TELEGRAM = HOWTO / "discord-bot.md", HOWTO / "telegram-bot.md"
CLIENT = ROOT / "sdk" / "python" / "src" / "tallyroom_client"
BOT = 432_610_292_342_587_392


def first_cells(page: Path, heading: str) -> list[str]:
    section = page.read_text(encoding="utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("| ")][2:]


@pytest.mark.parametrize(("page", "folder"), [(DISCORD, "discord"), (TELEGRAM, "aiogram")])
def test_the_page_lists_each_event(page: Path, folder: str) -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (CLIENT / folder).glob("*.py"))
    sent = {event or other for event, other in re.findall(r'record\w*\(\s*"(\w+)"|"(bot_\w+)"', sources)}
    assert set(re.findall(r"`(\w+)`", " ".join(first_cells(page, "What you get")))) == sent


@pytest.mark.parametrize(
    ("page", "function", "bot"), [(DISCORD, attach, "bot"), (TELEGRAM, "aiogram/attachment.py", "dispatcher")]
)
def test_the_page_lists_each_option(page: Path, function: object, bot: str) -> None:
    listed = re.findall(r"`(\w+)[=`]", " ".join(first_cells(page, "Options")))
    if isinstance(function, str):  # aiogram is not installed here
        [definition] = re.findall(
            r"^def attach\((.*?)\) -> ", (CLIENT / function).read_text("utf-8"), re.DOTALL | re.MULTILINE
        )
        options = re.findall(r"(\w+):", definition)
    else:
        options = list(inspect.signature(attach).parameters)
    assert sorted([bot, *listed]) == sorted(options)


def test_the_template_asks_for_what_the_helper_sends() -> None:
    template = (ROOT / "web" / "src" / "pages" / "dashboards" / "botHealth.ts").read_text(encoding="utf-8")
    asked = re.findall(r'(?:event|property|breakdown): "(\w+)"', template)
    page = DISCORD.read_text(encoding="utf-8")
    assert [name for name in asked if f"`{name}`" not in page and name not in {"name", "_source"}] == []


async def test_events_of_a_bot_reach_the_server(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TALLYROOM_URL", workspace.url)
    monkeypatch.setenv("TALLYROOM_KEY", workspace.key)
    monkeypatch.setenv("TALLYROOM_QUEUE", str(tmp_path / "queue"))
    library = load_library()
    assert library is not None
    bot, client = library.Client(intents=library.Intents.default()), Tallyroom()
    attach(bot, client)
    await sign_in(library, bot)
    gateway = Gateway(library, bot)
    gateway.receive("guild_create", payloads.guild())
    gateway.receive("interaction_create", payloads.command("tea"))
    await bot.close()
    assert client.flush(timeout=30)
    client.close()
    listed = workspace.get("/v1/events", environment="production", timeRange="24h").json()["events"]
    assert {(event["name"], event["properties"]["guild_name"]) for event in listed} == {
        ("guild_join", "Tea House"),
        ("command_used", "Tea House"),
    }


class TwoShards:
    """A bot with ten guilds."""

    library = library_version = "-"

    def user_id(self) -> int:
        return BOT

    def is_ready(self) -> bool:
        return True

    def shard_count(self) -> int:
        return 2

    def shard_ids(self) -> list[int]:
        return [0, 1]

    def latency_seconds(self) -> float:
        return 0.1

    def cached_user_count(self) -> int:
        return 0

    def guild_counts(self) -> Mapping[int, int]:
        return Counter({0: 7, 1: 3})


async def test_each_shard_counts(workspace: Workspace) -> None:
    token, _ = workspace.make_stats_token("bot", str(BOT))
    counts = Counts(TwoShards(), workspace.url, token, post_json, lambda: 0.0)
    await counts.post()
    with workspace.client() as client:
        bot = client.get(f"/v1/statistics/bots/{BOT}").json()
    assert bot["server_count"] == 10


async def test_a_token_that_was_revoked_is_reported(workspace: Workspace, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("WARNING", "tallyroom_client"):
        await Counts(TwoShards(), workspace.url, "tst_none", post_json, lambda: 0.0).post()
    assert "401" in caplog.text


def test_the_picture_of_a_public_dashboard_needs_no_key(workspace: Workspace) -> None:
    dashboard = make_dashboard(workspace, isPublic=True)
    make_widget(workspace, dashboard["id"], type="metric", config={"event": "command_used", "measure": "count"})
    picture = get_bytes(f"{workspace.url}/custom/dashboards/{dashboard['slug']}.png?theme=dark")
    assert picture.startswith(b"\x89PNG")
    with pytest.raises(OSError, match="404"):
        get_bytes(f"{workspace.url}/custom/dashboards/none.png?theme=dark")


def test_without_an_address_nothing_is_asked() -> None:
    with pytest.raises(OSError, match="set TALLYROOM_URL"):
        get_bytes("/custom/dashboards/a.png")
