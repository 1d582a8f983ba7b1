"""Where something happened, and who did it: the only things that events know of guilds and people."""

from dataclasses import dataclass
from typing import Any, NamedTuple

_SIZES = ((100, "1-100"), (500, "101-500"), (1500, "501-1500"))
_LARGEST = "1501+"
_SHARD_BITS = 22
"""The lower bits of a guild's id do not decide its shard."""


@dataclass(frozen=True, slots=True)
class Place:
    """A guild, or a direct message if there is no id."""

    guild_id: int | None = None
    guild_name: str | None = None
    member_count: int | None = None

    def properties(self) -> dict[str, Any]:
        """Return what every event in a guild says: ids are text, since they have more digits than a double."""
        if self.guild_id is None:
            return {}
        return {"guild_id": str(self.guild_id), "guild_name": self.guild_name}

    def size(self) -> str | None:
        """Return a class of sizes, in which no single guild is recognized."""
        if not self.member_count:
            return None
        return next((size for limit, size in _SIZES if self.member_count <= limit), _LARGEST)

    def shard_id(self, shard_count: int) -> int:
        """Return the shard that Discord sends this guild to; direct messages go to the first."""
        return (self.guild_id >> _SHARD_BITS) % shard_count if self.guild_id else 0


class Actor(NamedTuple):
    """A user or a guild that an event is about; the name is sent only with `labels=True`."""

    id: int
    name: str | None


NO_PLACE = Place()


def place_of(guild: Any, guild_id: int | None = None) -> Place:
    """Return the place of a library's guild; of one that is not cached, the name is missing or empty."""
    if guild is None:
        return Place(guild_id)
    return Place(guild.id, getattr(guild, "name", None) or None, getattr(guild, "member_count", None))
