"""What the helpers ask of a bot, in any of the libraries."""

from collections.abc import Mapping
from typing import Protocol


class Bot(Protocol):
    """A bot in this process, with the shards that this process connects."""

    library: str
    library_version: str

    def user_id(self) -> int | None:
        """Return the id of the bot, None before it has signed in."""

    def is_ready(self) -> bool:
        """Return True if all shards of this process have their guilds."""

    def shard_count(self) -> int:
        """Return the number of shards of all processes, 1 or more."""

    def shard_ids(self) -> list[int]:
        """Return the shards of this process."""

    def latency_seconds(self) -> float:
        """Return the time of a heartbeat, the mean over the shards; not a number before the first."""

    def cached_user_count(self) -> int:
        """Return how many users the library remembers."""

    def guild_counts(self) -> Mapping[int, int]:
        """Return the number of guilds of each shard of this process, those in an outage among them."""
