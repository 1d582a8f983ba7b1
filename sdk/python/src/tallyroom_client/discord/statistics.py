"""`bot_stats`: how a process is, once a minute."""

import math
from collections.abc import Callable
from typing import Any

from tallyroom_client.bots.memory import used_megabytes
from tallyroom_client.discord.bot import Bot
from tallyroom_client.discord.commands import Commands
from tallyroom_client.discord.failures import Failures
from tallyroom_client.discord.recorder import Recorder


class Statistics:
    """Measures a process from the moment at which it was made; `waiting` is the length of the client's queue."""

    def __init__(  # what is measured
        self,
        recorder: Recorder,
        bot: Bot,
        commands: Commands,
        failures: Failures,
        waiting: Callable[[], int | None],
        clock: Callable[[], float],
    ) -> None:
        self._recorder = recorder
        self._bot = bot
        self._commands = commands
        self._failures = failures
        self._waiting = waiting
        self._clock = clock
        self._started_at = clock()

    def record(self) -> None:
        """Send `bot_stats`, with the commands and errors since the one before."""
        properties = {
            **describe_bot(self._bot),
            "uptime_seconds": round(self._clock() - self._started_at),
            "memory_used_mb": used_megabytes(),
            **self._commands.take_statistics(),
            **self._failures.take_statistics(),
            "waiting": self._waiting(),
        }
        self._recorder.record_of_process("bot_stats", properties)


def describe_bot(bot: Bot) -> dict[str, Any]:
    """Return the numbers of a bot; `shard_id` only if the process has one shard."""
    shard_ids = bot.shard_ids()
    latency_seconds = bot.latency_seconds()
    return {
        "guilds": sum(bot.guild_counts().values()),
        "cached_users": bot.cached_user_count(),
        "ws_ping": round(latency_seconds * 1000, 1) if math.isfinite(latency_seconds) else None,
        "shards": len(shard_ids),
        "shard_id": shard_ids[0] if len(shard_ids) == 1 else None,
    }
