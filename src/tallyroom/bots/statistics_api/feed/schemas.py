"""The bodies of feeding, in our own shapes and in those of bot lists (rules/statistics#profile)."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.bots.counters import CounterSource
from tallyroom.bots.ids import BotId, UserId
from tallyroom.bots.limits import MAX_OWNERS_OR_TAGS, MAX_ROWS, MAX_SHARD_NUMBER, Count, Rating
from tallyroom.rest.fields import ShortText, Text, Title, Url

ShardNumber = Annotated[int, Meta(ge=0, le=MAX_SHARD_NUMBER)]
VoteId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[!-~]+\Z")]
Moment = str | int
"""An ISO 8601 date-time, or milliseconds since 1970 UTC."""


class ProfileIn(msgspec.Struct, forbid_unknown_fields=True):
    """A profile to merge; absent fields stay the same.

    `counter_source` chooses what `monthly_votes` and `total_votes` are: posted counters, or the received votes. Until
    it is set, the first posted counter replaces the votes.
    """

    name: Title | UnsetType = UNSET
    listingId: BotId | UnsetType = UNSET  # noqa: N815 # the published clients' name
    certified: bool | UnsetType = UNSET
    owners: Annotated[list[UserId], Meta(max_length=MAX_OWNERS_OR_TAGS)] | UnsetType = UNSET
    deleted: bool | UnsetType = UNSET
    def_avatar: Title | UnsetType = UNSET
    avatar: Url | UnsetType = UNSET
    short_desc: Text | UnsetType = UNSET
    lib: Title | UnsetType = UNSET
    prefix: Title | UnsetType = UNSET
    website: Url | UnsetType = UNSET
    approved_at: Moment | UnsetType | None = UNSET
    tags: Annotated[list[Title], Meta(max_length=MAX_OWNERS_OR_TAGS)] | UnsetType = UNSET
    unlisted: bool | UnsetType = UNSET
    unlisted_reason: ShortText | UnsetType | None = UNSET
    counter_source: CounterSource | UnsetType = UNSET


class StatsIn(msgspec.Struct, forbid_unknown_fields=True):
    """At least one counter of a bot at `timestamp`, by default now."""

    server_count: Count | UnsetType = UNSET
    shard_count: Count | UnsetType = UNSET
    monthly_votes: Count | UnsetType = UNSET
    total_votes: Count | UnsetType = UNSET
    review_count: Count | UnsetType = UNSET
    avg_review_rating: Rating | UnsetType = UNSET
    timestamp: Moment | UnsetType = UNSET


class SdkStatsIn(msgspec.Struct):
    """Counters as SDKs of bot lists post them; other fields are ignored.

    `server_count` and `shards` may list the servers of each shard. With `shard_id`, from 0 to `shard_count` - 1,
    `server_count` is the number of that shard alone; the total changes when all shards have posted.
    """

    server_count: Count | Annotated[list[Count], Meta(min_length=1, max_length=100_000)] | UnsetType = UNSET
    shards: Annotated[list[Count], Meta(max_length=100_000)] | UnsetType = UNSET
    shard_id: ShardNumber | UnsetType | None = UNSET
    shard_count: Count | UnsetType | None = UNSET


class VoteIn(msgspec.Struct, forbid_unknown_fields=True):
    """A vote, cast at `timestamp`, now by default; `isWeekend` defaults to the weekday in UTC.

    A later vote with the same `id` is a repeat of this one.
    """

    userId: UserId  # noqa: N815 # the published clients' name
    timestamp: Moment | UnsetType = UNSET
    isWeekend: bool | UnsetType = UNSET  # noqa: N815 # as above
    id: VoteId | UnsetType = UNSET
    username: Title | UnsetType = UNSET
    avatar: Url | UnsetType = UNSET
    listingId: UserId | UnsetType = UNSET  # noqa: N815 # as above


class ListVoteIn(msgspec.Struct):
    """A vote as webhooks of bot lists send it (v0); other fields are ignored."""

    user: UserId
    type: str
    bot: BotId | UnsetType = UNSET
    isWeekend: bool | UnsetType = UNSET  # noqa: N815 # the name that bot lists use


class Project(msgspec.Struct):
    """The bot of an event."""

    platform_id: BotId


class EventUser(msgspec.Struct):
    """The voter of an event, with their ID at the list and at the platform."""

    platform_id: UserId
    id: str | UnsetType = UNSET
    name: str | UnsetType | None = UNSET
    avatar_url: str | UnsetType | None = UNSET


class EventData(msgspec.Struct):
    """The vote of an event."""

    id: VoteId
    project: Project
    user: EventUser
    created_at: Moment | UnsetType = UNSET
    weight: Annotated[int, Meta(ge=1, le=100)] | UnsetType = UNSET


class ListEventIn(msgspec.Struct):
    """A vote as signed webhooks of bot lists send it (v1)."""

    type: str
    data: EventData


class ImportRows(msgspec.Struct, forbid_unknown_fields=True):
    """Rows to import, all of them or none. A vote has the fields of `VoteIn` and the bot's ID in `bot`.

    Any other row is a bot: `id`, and fields of `ProfileIn` and `StatsIn`.
    """

    rows: Annotated[list[dict[str, Any]], Meta(min_length=1, max_length=MAX_ROWS)]


class SentRows(msgspec.Struct, forbid_unknown_fields=True):
    """Like `ImportRows`, but each row is decoded only when its turn comes."""

    rows: Annotated[list[msgspec.Raw], Meta(min_length=1, max_length=MAX_ROWS)]


class Posted(msgspec.Struct):
    """The bot whose counters were accepted, and their time."""

    id: str
    timestamp: str


class Voted(msgspec.Struct):
    """Whether a vote counts, and if not, why: `test`, `repeated`, or `ignored` for an event that is not a vote."""

    counted: bool
    reason: str | None = None


class Imported(msgspec.Struct):
    """The numbers of bot rows, of votes that count, and of votes that already existed.

    `known` is the number of rows that changed nothing; null if the event store could not tell.
    """

    bots: int
    votes: int
    repeated: int
    known: int | None
