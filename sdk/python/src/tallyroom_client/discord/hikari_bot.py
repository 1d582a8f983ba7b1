"""A bot of hikari."""

from collections import Counter
from collections.abc import Mapping

import hikari

from tallyroom_client.discord.place import Place


class HikariBot:
    """Reads the numbers of a gateway bot; without a cache, it has no guilds and users."""

    library = "hikari"
    library_version = hikari.__version__

    def __init__(self, bot: hikari.GatewayBot) -> None:
        self._bot = bot

    def user_id(self) -> int | None:
        """Return the id of the bot's account."""
        me = self._bot.get_me()
        return None if me is None else int(me.id)

    def is_ready(self) -> bool:
        """Return True if all shards are connected."""
        return self._bot.is_alive and all(shard.is_connected for shard in self._bot.shards.values())

    def shard_count(self) -> int:
        """Return 1 before the bot has started."""
        return self._bot.shard_count or 1

    def shard_ids(self) -> list[int]:
        """Return the shards of this process; before the bot has started, the first."""
        return sorted(self._bot.shards) or [0]

    def latency_seconds(self) -> float:
        """Return the mean over the shards."""
        latency: float = self._bot.heartbeat_latency
        return latency

    def cached_user_count(self) -> int:
        """Return the number of users in the cache."""
        return len(self._bot.cache.get_users_view())

    def guild_counts(self) -> Mapping[int, int]:
        """Return the guilds of each shard, those in an outage among them."""
        guild_ids = {*self._bot.cache.get_available_guilds_view(), *self._bot.cache.get_unavailable_guilds_view()}
        counts = Counter(Place(guild_id).shard_id(self.shard_count()) for guild_id in guild_ids)
        return {shard_id: counts[shard_id] for shard_id in {*counts, *self.shard_ids()}}
