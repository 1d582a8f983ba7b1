"""Posts the server counts of this process's shards to the Statistics API, which adds up those of all processes."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any

from tallyroom_client.discord.bot import Bot

_LOGGER = logging.getLogger("tallyroom_client")
_SECONDS_BETWEEN_POSTS = 300

PostJson = Callable[[str, str, Mapping[str, Any]], None]
"""Posts a body to a URL with a token; raises `OSError` if it was not taken."""


class Counts:
    """Posts when all shards of this process are ready, and when a count has changed, at most every five minutes."""

    def __init__(self, bot: Bot, url: str, token: str, post_json: PostJson, clock: Callable[[], float]) -> None:
        self._bot = bot
        self._url = url
        self._token = token
        self._post_json = post_json
        self._clock = clock
        self._counts: dict[int, int] = {}
        self._attempted_at: float | None = None
        self._task: asyncio.Task[None] | None = None

    def post_if_due(self) -> None:
        """Begin to post on the running loop; a post that failed is due again like a change."""
        now = self._clock()
        is_early = self._attempted_at is not None and now - self._attempted_at < _SECONDS_BETWEEN_POSTS
        if is_early or not self._bot.is_ready() or dict(self._bot.guild_counts()) == self._counts:
            return
        self._attempted_at = now
        self._task = asyncio.get_running_loop().create_task(self.post())

    async def post(self) -> None:
        """Post the count of each shard; what the server does not take is logged."""
        counts = dict(self._bot.guild_counts())
        try:
            for shard_id, server_count in sorted(counts.items()):
                body = {"server_count": server_count, "shard_id": shard_id, "shard_count": self._bot.shard_count()}
                await asyncio.to_thread(self._post_json, self._address(), self._token, body)
        except OSError as error:
            _LOGGER.warning("The server counts could not be posted: %s. They are posted again later.", error)
        else:
            self._counts = counts

    def stop(self) -> None:
        """Give up a post that is under way."""
        if self._task is not None:
            self._task.cancel()

    def _address(self) -> str:
        return f"{self._url}/api/bots/{self._bot.user_id()}/stats"
