"""A bot as a row of the metadata."""

import msgspec

from tallyroom.bots.counters import RANK_METRICS, SOURCE_METRIC, Counters, SentCounter

COUNTER_NAMES = (*RANK_METRICS, "avg_review_rating")
"""The counters that can be sent for a bot; those with a history are in `counters.METRICS`."""


class BotRow(msgspec.Struct):
    """The columns of a bot, in table order (storage/metadata/models/bots.py); times in ms since 1970 UTC."""

    workspace_id: str
    id: str
    revision: int
    late_revision: int
    first_seen_ms: int
    updated_at_ms: int
    name: str = ""
    listing_id: str = ""
    certified: bool = False
    owners: str = "[]"
    deleted: bool = False
    def_avatar: str = ""
    avatar: str = ""
    short_desc: str = ""
    lib: str = ""
    prefix: str = ""
    website: str = ""
    approved_at_ms: int | None = None
    tags: str = "[]"
    unlisted: bool = False
    unlisted_reason: str | None = None
    server_count: int | None = None
    server_count_ms: int | None = None
    shard_count: int | None = None
    shard_count_ms: int | None = None
    monthly_votes: int | None = None
    monthly_votes_ms: int | None = None
    total_votes: int | None = None
    total_votes_ms: int | None = None
    review_count: int | None = None
    review_count_ms: int | None = None
    avg_review_rating: float | None = None
    avg_review_rating_ms: int | None = None
    shards: str | None = None
    votes: int = 0
    month_votes: int = 0
    month: int = 0
    voters: int = 0
    webhook_secret: str | None = None
    counter_source: int | None = None
    counter_source_ms: int | None = None
    server_count_is_whole: bool | None = None
    shards_ms: str | None = None

    @property
    def is_listed(self) -> bool:
        """True if the bot appears in ranks and rankings."""
        return not (self.deleted or self.unlisted)

    def to_counters(self) -> Counters:
        """Return the bot's counters as a separate object."""
        sent_by_metric = {
            metric: SentCounter(time_ms, getattr(self, metric))
            for metric in (*RANK_METRICS, SOURCE_METRIC)
            if (time_ms := getattr(self, f"{metric}_ms")) is not None
        }
        return Counters(sent_by_metric, self.votes, self.month_votes, self.month)

    def apply_counter(self, name: str, time_ms: int, value: float) -> None:
        """Apply a sent counter, unless a newer one is known; another number of shards deletes all shards' posts."""
        known_ms = getattr(self, f"{name}_ms")
        if known_ms is None or time_ms >= known_ms:
            if name == "shard_count" and value != self.shard_count:
                self.shards = self.shards_ms = None
            setattr(self, name, value)
            setattr(self, f"{name}_ms", time_ms)
