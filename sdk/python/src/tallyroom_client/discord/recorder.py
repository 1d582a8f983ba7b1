"""Sends the events of a Discord bot: adds guild, actor and source, and leaves out what is unknown."""

from collections.abc import Mapping
from typing import Any

from tallyroom_client.bots.tracker import Tracker
from tallyroom_client.discord.bot import Bot
from tallyroom_client.discord.place import NO_PLACE, Actor, Place


class Recorder:
    """The only way by which the helpers send events."""

    def __init__(self, tracker: Tracker, bot: Bot, *, labels: bool) -> None:
        self._tracker = tracker
        self._bot = bot
        self._labels = labels

    def record(
        self,
        name: str,
        properties: Mapping[str, Any],
        *,
        place: Place = NO_PLACE,
        actor: Actor | None = None,
        shard_id: int | None = None,
    ) -> None:
        """Send an event of a shard; `place` decides which one, unless `shard_id` does."""
        shard = place.shard_id(self._bot.shard_count()) if shard_id is None else shard_id
        self._track(name, {**place.properties(), **properties}, actor, str(shard))

    def record_of_process(self, name: str, properties: Mapping[str, Any]) -> None:
        """Send an event about all shards of this process."""
        shard_ids = self._bot.shard_ids()
        first, last = min(shard_ids), max(shard_ids)
        self._track(name, properties, None, str(first) if first == last else f"{first}-{last}")

    def _track(self, name: str, properties: Mapping[str, Any], actor: Actor | None, shards: str) -> None:
        self._tracker.track(
            name,
            actor=None if actor is None else str(actor.id),
            label=None if actor is None or not self._labels else actor.name,
            properties={key: value for key, value in properties.items() if value is not None},
            source=f"discord:{shards}",
        )
