"""A bot of discord.py, py-cord, nextcord or disnake."""

from collections import Counter
from collections.abc import Mapping
from types import ModuleType
from typing import Any


class DispatchBot:
    """Reads the numbers that these libraries have in common."""

    def __init__(self, bot: Any, module: ModuleType) -> None:
        self._bot = bot
        self.library = "discord.py" if module.__title__ == "discord" else module.__title__
        self.library_version: str = module.__version__

    def user_id(self) -> int | None:
        """Return the id of the bot's account."""
        return self._bot.user.id if self._bot.user else None

    def is_ready(self) -> bool:
        """Return True once the library has dispatched `ready`."""
        return bool(self._bot.is_ready())

    def shard_count(self) -> int:
        """Return 1 for a bot without shards."""
        return self._bot.shard_count or 1

    def is_sharded(self) -> bool:
        """Return True if the library connects several shards; then its events name them."""
        return hasattr(self._bot, "shards")

    def shard_ids(self) -> list[int]:
        """Return the shards that are connected; before that, those that will be."""
        if self.is_sharded():
            return sorted(self._bot.shards) or sorted(self._bot.shard_ids or [0])
        return [self.only_shard_id()]

    def only_shard_id(self) -> int:
        """Return the shard of a bot that connects one."""
        return self._bot.shard_id or 0

    def latency_seconds(self) -> float:
        """Return the mean over the shards."""
        try:
            latency: float = self._bot.latency
        except ZeroDivisionError:  # the mean over no shards, before the first connects
            return float("nan")
        return latency

    def cached_user_count(self) -> int:
        """Return the number of users in the library's cache."""
        return len(self._bot.users)

    def guild_counts(self) -> Mapping[int, int]:
        """Return the guilds of each shard; libraries keep those in an outage."""
        counts = Counter(guild.shard_id for guild in self._bot.guilds)
        return {shard_id: counts[shard_id] for shard_id in {*counts, *self.shard_ids()}}

    def close_code(self, shard_id: int) -> int | None:
        """Return the code with which Discord closed a shard's connection, None if it is not known."""
        if self.is_sharded():
            shard = self._bot.shards.get(shard_id)
            connection = getattr(getattr(shard, "_parent", None), "ws", None)
        else:
            connection = self._bot.ws
        code: int | None = getattr(getattr(connection, "socket", None), "close_code", None)
        return code
