"""A slash command that answers with the picture of a public dashboard."""

import asyncio
import io
import logging
import urllib.parse
from collections.abc import Awaitable, Callable
from types import ModuleType
from typing import Any

_LOGGER = logging.getLogger("tallyroom_client")
_DESCRIPTION = "Shows the statistics of this bot"
_FAILURE = "The statistics cannot be shown right now. Try again in a few minutes."

GetBytes = Callable[[str], bytes]
"""Returns the body of an answer; raises `OSError` if there is none."""


class StatsCommand:
    """Needs no key, since the picture is public. `url` is the server's; `get_bytes` blocks and runs in a thread."""

    def __init__(self, library: ModuleType, url: str, get_bytes: GetBytes) -> None:
        self._library = library
        self._url = url
        self._get_bytes = get_bytes

    def add_to(self, tree: Any, name: str, dashboard: str) -> None:
        """Register the command, which is synced like the others; only a tree of discord.py has `sync`."""
        callback = self._build_callback(dashboard)
        if hasattr(tree, "sync"):
            tree.command(name=name, description=_DESCRIPTION)(callback)
        else:
            tree.slash_command(name=name, description=_DESCRIPTION)(callback)

    def _build_callback(self, dashboard: str) -> Callable[[Any], Awaitable[None]]:
        async def show_statistics(interaction: Any) -> None:
            await self._answer(getattr(interaction, "interaction", interaction), dashboard)

        # nextcord and disnake take a first parameter for an option of the command, unless its type is theirs or unknown
        del show_statistics.__annotations__["interaction"]
        return show_statistics

    async def _answer(self, interaction: Any, dashboard: str) -> None:
        """Defer, as Discord waits three seconds; then send the picture, or one sentence if there is none."""
        await interaction.response.defer(ephemeral=True)
        try:
            picture = await asyncio.to_thread(self._get_bytes, self._address(dashboard))
        except OSError as error:
            _LOGGER.warning("The picture of the dashboard could not be fetched: %s.", error)
            await interaction.followup.send(_FAILURE, ephemeral=True)
        else:
            await interaction.followup.send(file=self._build_file(picture, dashboard), ephemeral=True)

    def _build_file(self, picture: bytes, dashboard: str) -> Any:
        alternative_text = f"The first chart of the dashboard {dashboard}"
        return self._library.File(io.BytesIO(picture), filename="stats.png", description=alternative_text)

    def _address(self, dashboard: str) -> str:
        return f"{self._url}/custom/dashboards/{urllib.parse.quote(dashboard, safe='')}.png?theme=dark"
