"""Turns requests into what a listing accepts, and refuses everything else."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.bots.bot_row import COUNTERS
from tallyroom.bots.counters import SOURCE
from tallyroom.bots.feed import Post, Profile
from tallyroom.bots.ids import is_id
from tallyroom.bots.limits import EARLIEST_MS, LAST_SHARD, MOST_COUNTED, MOST_ROW_BYTES
from tallyroom.bots.statistics_api.feed.schemas import (
    EventData,
    ListVoteIn,
    Moment,
    ProfileIn,
    SdkStatsIn,
    SentRows,
    StatsIn,
    VoteIn,
)
from tallyroom.bots.votes import Vote, weight_at
from tallyroom.core.errors import Detail, ValidationFailed
from tallyroom.core.suggestions import did_you_mean
from tallyroom.core.timestamp import parse_timestamp
from tallyroom.rest.bodies import converted, decode_body, shown

AHEAD_MS = 300_000
"""How far a sender's clock may be ahead."""

Path = Sequence[str | int]

_MAX_FIELD_CHARACTERS = 2000

_MAX_SHARD_SERVERS = MOST_COUNTED // (LAST_SHARD + 1)
"""The most servers of one shard, so that the sum over all shards is a valid counter, too."""

_MAX_HINTS = 20  # wrong rows for which a refusal says what was probably meant

_ROW_FIELDS = frozenset({"id", *ProfileIn.__struct_fields__, *StatsIn.__struct_fields__})
_JSON_COLUMNS = {"owners", "tags"}
_COLUMNS = {"listingId": "listing_id", "approved_at": "approved_at_ms"}
_VOTER = {"username": "username", "avatar": "avatar", "listingId": "listing_id"}


def time_of(moment: Moment | UnsetType, now_ms: int, at: Path) -> int:
    """Return a moment in ms since 1970 UTC: now if it is absent, or if the sender's clock is a little ahead.

    Raises:
        ValidationFailed: it is not a date-time, before 2010, or in the future.
    """
    if moment is UNSET:
        return now_ms
    time_ms = parse_timestamp(moment) if isinstance(moment, str) else moment
    if time_ms is None:
        raise ValidationFailed.at([*at], "is not an ISO 8601 date-time")
    if not EARLIEST_MS <= time_ms <= now_ms + AHEAD_MS:
        raise ValidationFailed.at([*at], "must be a moment from 2010 on, and not in the future")
    return min(time_ms, now_ms)


def profile_of(bot_id: str, profile: ProfileIn, now_ms: int, at: Path = ()) -> Profile:
    """Return the changes that a profile makes."""
    columns: dict[str, Any] = {}
    for name in ProfileIn.__struct_fields__:
        value = getattr(profile, name)
        if value is UNSET or name == SOURCE:
            continue
        if name in _JSON_COLUMNS:
            value = msgspec.json.encode(value).decode()
        if name == "approved_at" and value is not None:
            value = time_of(value, now_ms, [*at, name])
        columns[_COLUMNS.get(name, name)] = value
    return Profile(bot_id, columns, None if profile.counter_source is UNSET else profile.counter_source)


def post_of(bot_id: str, stats: StatsIn, now_ms: int, at: Path = ()) -> Post:
    """Return counters and their moment.

    Raises:
        ValidationFailed: there are none, or their moment is wrong.
    """
    counters = {name: value for name in COUNTERS if (value := getattr(stats, name)) is not UNSET}
    if not counters:
        raise ValidationFailed.at([*at], f"must have at least one of {', '.join(COUNTERS)}")
    return Post(bot_id, time_of(stats.timestamp, now_ms, [*at, "timestamp"]), counters)


def sdk_post_of(bot_id: str, stats: SdkStatsIn, now_ms: int) -> Post:
    """Return counters as an SDK posts them: one number, a number for each shard, or the number of one shard.

    Raises:
        ValidationFailed: there is no number of servers, their sum is too large, or the bot has no such shard.
    """
    servers = stats.shards if stats.server_count is UNSET else stats.server_count
    if servers is UNSET:
        raise ValidationFailed.at(["server_count"], "is required")
    if servers == []:
        raise ValidationFailed.at(["shards"], "must have 1 or more entries, unless server_count is a number")
    if isinstance(stats.shard_id, int):
        return _shard_post_of(bot_id, stats, stats.shard_id, _sum(servers, _MAX_SHARD_SERVERS), now_ms)
    shard_count = stats.shard_count or (len(servers) if isinstance(servers, list) else None)
    counters: dict[str, float] = {"shard_count": shard_count} if shard_count else {}
    return Post(bot_id, now_ms, counters | {"server_count": _sum(servers, MOST_COUNTED)})


def _shard_post_of(bot_id: str, stats: SdkStatsIn, shard: int, servers: int, now_ms: int) -> Post:
    if not isinstance(stats.shard_count, int):
        return Post(bot_id, now_ms, {}, (shard, servers))
    if shard >= stats.shard_count:
        raise ValidationFailed.at(["shard_id"], "must be 0 or more and less than shard_count")
    return Post(bot_id, now_ms, {"shard_count": stats.shard_count}, (shard, servers))


def _sum(servers: int | list[int], most: int) -> int:
    total = sum(servers) if isinstance(servers, list) else servers
    if total > most:
        raise ValidationFailed.at(["server_count"], f"must be {most} or less, all together")
    return total


def vote_of(bot_id: str, vote: VoteIn, now_ms: int, at: Path = ()) -> Vote:
    """Return a vote in our own shape."""
    time_ms = time_of(vote.timestamp, now_ms, [*at, "timestamp"])
    profile = {column: value for name, column in _VOTER.items() if (value := getattr(vote, name)) is not UNSET}
    return Vote(bot_id, vote.userId, time_ms, _weight(vote.isWeekend, time_ms), vote.id or "", profile)


def list_vote_of(bot_id: str, vote: ListVoteIn, now_ms: int) -> Vote:
    """Return the vote of an unsigned webhook; it counts as cast now.

    Raises:
        ValidationFailed: it is for another bot.
    """
    _refuse_other_bot(bot_id, vote.bot, ["bot"])
    return Vote(bot_id, vote.user, now_ms, _weight(vote.isWeekend, now_ms))


def event_vote_of(bot_id: str, event: EventData, now_ms: int) -> Vote:
    """Return the vote of a signed webhook.

    Raises:
        ValidationFailed: it is for another bot, or its moment is wrong.
    """
    _refuse_other_bot(bot_id, event.project.platform_id, ["data", "project", "platform_id"])
    time_ms = time_of(event.created_at, now_ms, ["data", "created_at"])
    fields = {"username": event.user.name, "avatar": event.user.avatar_url, "listing_id": event.user.id}
    profile = {column: value[:_MAX_FIELD_CHARACTERS] for column, value in fields.items() if isinstance(value, str)}
    return Vote(bot_id, event.user.platform_id, time_ms, event.weight or weight_at(time_ms), event.id, profile)


def import_of(body: bytes, now_ms: int) -> list[tuple[Profile | None, Post | None, Vote | None]]:
    """Return all rows in the body of an import, decoded one at a time, because others need Python's lock in between.

    Raises:
        ValidationFailed: the body is not JSON with rows, or some rows are wrong; it names each of them.
    """
    request: SentRows = decode_body(body, SentRows)
    return rows_of([_decoded(bytes(raw), index) for index, raw in enumerate(request.rows)], now_ms)


def _decoded(text: bytes, index: int) -> dict[str, Any]:
    if len(text) > MOST_ROW_BYTES:
        raise ValidationFailed.at(["rows", index], f"takes {len(text)} bytes; a row may have at most {MOST_ROW_BYTES}")
    row: dict[str, Any] = decode_body(text, dict[str, Any], ["rows", index])
    return row


def rows_of(rows: Sequence[Mapping[str, Any]], now_ms: int) -> list[tuple[Profile | None, Post | None, Vote | None]]:
    """Return all rows of an import.

    Raises:
        ValidationFailed: some rows are wrong; it names each of them.
    """
    read = []
    wrong: list[Detail] = []
    for index, row in enumerate(rows):
        try:
            read.append(row_of(row, now_ms, ["rows", index], helps=len(wrong) < _MAX_HINTS))
        except ValidationFailed as error:
            wrong += error.details
    if wrong:
        raise ValidationFailed.of(wrong)
    return read


def row_of(
    row: Mapping[str, Any], now_ms: int, at: Path, *, helps: bool = True
) -> tuple[Profile | None, Post | None, Vote | None]:
    """Return one row of an import: a bot's profile, counters or both, or a vote; `helps` is as for `converted`.

    Raises:
        ValidationFailed: the row is neither, or one of its fields is wrong.
    """
    if "userId" in row:
        bot_id = _id_of(row, "bot", at)
        rest = {name: value for name, value in row.items() if name != "bot"}
        return None, None, vote_of(bot_id, converted(rest, VoteIn, at, helps=helps), now_ms, at)
    bot_id = _id_of(row, "id", at)
    _refuse_unknown(row, at, helps=helps)
    counters = {name: value for name, value in row.items() if name in StatsIn.__struct_fields__}
    rest = {name: value for name, value in row.items() if name != "id" and name not in counters}
    stats = converted(counters, StatsIn, at, helps=helps)
    if counters.keys() - {"timestamp"}:
        profile = profile_of(bot_id, converted(rest, ProfileIn, at, helps=helps), now_ms, at) if rest else None
        return profile, post_of(bot_id, stats, now_ms, at), None
    time_of(stats.timestamp, now_ms, [*at, "timestamp"])  # belongs to no counter, but must be valid all the same
    return profile_of(bot_id, converted(rest, ProfileIn, at, helps=helps), now_ms, at), None, None


def _weight(is_weekend: bool | UnsetType, time_ms: int) -> int:  # noqa: FBT001 # a field of the vote
    return weight_at(time_ms) if is_weekend is UNSET else 1 + is_weekend


def _id_of(row: Mapping[str, Any], name: str, at: Path) -> str:
    bot_id = row.get(name)
    if not isinstance(bot_id, str) or not is_id(bot_id):
        raise ValidationFailed.at([*at, name], "must be 17 to 19 digits, as a string")
    return bot_id


def _refuse_unknown(row: Mapping[str, Any], at: Path, *, helps: bool) -> None:
    for name in row.keys() - _ROW_FIELDS:
        hint = did_you_mean(name, _ROW_FIELDS) if helps else ""
        raise ValidationFailed.at([*at, shown(name)], f"is not a known field{hint}")


def _refuse_other_bot(bot_id: str, vote_bot_id: str | UnsetType, at: Path) -> None:
    if vote_bot_id not in {UNSET, bot_id}:
        raise ValidationFailed.at([*at], "is not the bot in the path")
