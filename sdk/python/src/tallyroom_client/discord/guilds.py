"""`guild_join` and `guild_leave`; an outage is neither."""

from tallyroom_client.discord.bot import Bot
from tallyroom_client.discord.place import Actor, Place
from tallyroom_client.discord.recorder import Recorder


class Guilds:
    """Follows the guilds of a process."""

    def __init__(self, recorder: Recorder, bot: Bot) -> None:
        self._recorder = recorder
        self._bot = bot
        self._unavailable_ids: set[int] = set()

    def note_unavailable(self, guild_id: int) -> None:
        """Remember that an outage began."""
        self._unavailable_ids.add(guild_id)

    def note_available(self, guild_id: int) -> None:
        """Forget the outage."""
        self._unavailable_ids.discard(guild_id)

    def join(self, place: Place, locale: str | None) -> None:
        """Send `guild_join`, unless the guild comes back from an outage, which libraries may report as a join."""
        if place.guild_id in self._unavailable_ids:
            self._unavailable_ids.discard(place.guild_id)
            return
        self._record("guild_join", place, locale)

    def leave(self, place: Place) -> None:
        """Send `guild_leave`, for a guild in an outage too."""
        self._unavailable_ids.discard(place.guild_id or 0)
        self._record("guild_leave", place, None)

    def _record(self, name: str, place: Place, locale: str | None) -> None:
        properties = {
            "member_count": place.member_count,
            "guilds": sum(self._bot.guild_counts().values()),
            "locale": locale,
        }
        actor = Actor(place.guild_id or 0, place.guild_name)
        self._recorder.record(name, properties, place=place, actor=actor)
