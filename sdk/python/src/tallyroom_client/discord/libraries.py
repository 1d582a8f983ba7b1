"""Finds out in which library a bot is written, without importing one."""

import sys
from types import ModuleType
from typing import Any

_DISPATCHING = ("discord", "nextcord", "disnake")


def is_hikari(bot: Any) -> bool:
    """Return True for a bot of hikari, which has subscriptions instead of `dispatch`."""
    return "hikari" in _packages_of(bot)


def dispatching_library(bot: Any) -> ModuleType:
    """Return the package of a bot with `dispatch`; `discord` is discord.py or py-cord.

    Raises:
        TypeError: it belongs to none of the libraries.
    """
    name = next((package for package in _packages_of(bot) if package in _DISPATCHING), None)
    if name is None:
        raise TypeError(
            f"{type(bot).__name__} is no bot of discord.py, py-cord, nextcord, disnake or hikari; "
            "pass the client or bot itself"
        )
    return sys.modules[name]


def _packages_of(bot: Any) -> list[str]:
    return [ancestor.__module__.partition(".")[0] for ancestor in type(bot).__mro__]
