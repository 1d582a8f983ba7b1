"""Bots of the library that this environment has: discord.py, py-cord, nextcord or disnake. Their gateway is a test."""

import asyncio
import importlib
import importlib.util
import warnings
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import ModuleType
from typing import Any

from sdk.python.tests.bots.discord.payloads import BOT_USER, user
from sdk.python.tests.bots.tracker import until

_PACKAGES = ("nextcord", "disnake", "discord")  # nextcord also has a package `discord`


def load_library() -> ModuleType | None:
    """The library, None if this environment has none."""
    for package in _PACKAGES:
        if importlib.util.find_spec(package) is not None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what a library says about Python's modules
                importlib.import_module(f"{package}.ext.commands")
                return importlib.import_module(package)
    return None


class Gateway:
    """A bot that has signed in, and the events that Discord sends to it."""

    def __init__(self, library: ModuleType, bot: Any) -> None:
        self.library = library
        self.bot = bot

    def receive(self, name: str, payload: dict[str, Any]) -> None:
        """Let the library read an event, such as `interaction_create`."""
        getattr(self.bot._connection, f"parse_{name}")(payload)

    async def settle(self, *, threads: bool = False) -> None:
        """Let the handlers run until all are done, with what they do in threads if asked."""
        for _ in range(20):
            await asyncio.sleep(0)
        if threads:
            await until(lambda: len(asyncio.all_tasks()) == 1)


@asynccontextmanager
async def gateway(library: ModuleType, *, bot_id: int = BOT_USER, **options: Any) -> AsyncIterator[Gateway]:
    """A bot with the commands of `add_commands`."""
    intents = library.Intents.default()
    intents.message_content = True
    if library.__title__ == "disnake":
        options["command_sync_flags"] = library.ext.commands.CommandSyncFlags.none()
    bot = library.ext.commands.Bot(command_prefix="!", intents=intents, **options)
    await sign_in(library, bot, bot_id)
    try:
        yield Gateway(library, bot)
    finally:
        await bot.close()


async def sign_in(library: ModuleType, bot: Any, bot_id: int = BOT_USER) -> None:
    """Do what the library does with the answer of Discord."""
    if hasattr(bot, "_async_setup_hook"):
        await bot._async_setup_hook()
    bot._connection.user = library.ClientUser(
        state=bot._connection, data={**user(bot_id, "teapot", is_bot=True), "verified": True, "mfa_enabled": False}
    )


class CommandError(Exception):
    """What a command of the tests raises."""


Ran = Callable[[str], None]


def add_commands(bot: Any, library: ModuleType, ran: Ran) -> None:
    """Add the slash commands `config set` and `fail`, and the prefix commands `hello` and `break`."""
    {
        "discord": _add_to_tree,
        "pycord": _add_to_pycord,
        "nextcord": _add_to_nextcord,
        "disnake": _add_to_disnake,
    }[library.__title__](bot, ran)

    @bot.command(name="hello")
    async def hello(context: Any) -> None:
        ran("hello")

    @bot.command(name="break")
    async def break_(context: Any) -> None:
        ran("break")
        raise CommandError("secret")


def _add_to_tree(bot: Any, ran: Ran) -> None:
    from discord import app_commands  # noqa: PLC0415 # the other libraries have none

    group = app_commands.Group(name="config", description="-")

    @group.command(name="set", description="-")
    async def set_(interaction: Any, value: str) -> None:
        ran("config set")

    bot.tree.add_command(group)

    @bot.tree.command(name="fail", description="-")
    async def fail(interaction: Any) -> None:
        ran("fail")
        raise CommandError("secret")


def _add_to_pycord(bot: Any, ran: Ran) -> None:
    group = bot.create_group("config", "-")

    @group.command(name="set")
    async def set_(context: Any, value: str) -> None:
        ran("config set")

    @bot.slash_command(name="fail")
    async def fail(context: Any) -> None:
        ran("fail")
        raise CommandError("secret")


def _untyped(callback: Any) -> Any:
    """Leave out the type of the interaction, which nextcord and disnake would take for an option's."""
    del callback.__annotations__["interaction"]
    return callback


def _add_to_nextcord(bot: Any, ran: Ran) -> None:
    @bot.slash_command(name="config")
    @_untyped
    async def config(interaction: Any) -> None:
        raise AssertionError("a group is never called")

    @config.subcommand(name="set")
    @_untyped
    async def set_(interaction: Any, value: str) -> None:
        ran("config set")

    @bot.slash_command(name="fail")
    @_untyped
    async def fail(interaction: Any) -> None:
        ran("fail")
        raise CommandError("secret")

    bot.add_all_application_commands()


def _add_to_disnake(bot: Any, ran: Ran) -> None:
    @bot.slash_command(name="config")
    @_untyped
    async def config(interaction: Any) -> None:
        pass

    @config.sub_command(name="set")
    @_untyped
    async def set_(interaction: Any, value: str) -> None:
        ran("config set")

    @bot.slash_command(name="fail")
    @_untyped
    async def fail(interaction: Any) -> None:
        ran("fail")
        raise CommandError("secret")
