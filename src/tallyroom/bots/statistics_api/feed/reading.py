"""Turns requests into the form that a listing accepts, and refuses everything else."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.bots.bot_row import COUNTER_NAMES
from tallyroom.bots.counters import SOURCE_METRIC
from tallyroom.bots.feed import CounterPost, ProfileChange
from tallyroom.bots.ids import is_id
from tallyroom.bots.limits import MAX_COUNT, MAX_IMPORT_ROW_BYTES, MAX_SHARD_NUMBER, MIN_TIME_MS
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
from tallyroom.bots.votes import Vote, default_weight
from tallyroom.core.errors import Detail, ValidationFailed
from tallyroom.core.suggestions import did_you_mean
from tallyroom.core.timestamp import parse_timestamp
from tallyroom.rest.bodies import convert_value, decode_body, shorten

MAX_AHEAD_MS = 300_000
"""The most that a sender's clock may be ahead."""

FieldPath = Sequence[str | int]
ParsedRow = tuple[ProfileChange | None, CounterPost | None, Vote | None]

_MAX_FIELD_CHARACTERS = 2000

_MAX_SHARD_SERVERS = MAX_COUNT // (MAX_SHARD_NUMBER + 1)
"""The most servers of one shard, so that the sum over all shards is a valid counter, too."""

_MAX_HINTS = 20  # the most wrong rows for which a refusal suggests what was probably meant

_ROW_FIELDS = frozenset({"id", *ProfileIn.__struct_fields__, *StatsIn.__struct_fields__})
_JSON_COLUMNS = {"owners", "tags"}
_COLUMN_BY_FIELD = {"listingId": "listing_id", "approved_at": "approved_at_ms"}
_VOTER_COLUMNS = {"username": "username", "avatar": "avatar", "listingId": "listing_id"}


def resolve_time(sent_time: Moment | UnsetType, now_ms: int, path: FieldPath) -> int:
    """Return a moment in ms since 1970 UTC, now by default or if the sender's clock is a little ahead."""
    if sent_time is UNSET:
        return now_ms
    time_ms = parse_timestamp(sent_time) if isinstance(sent_time, str) else sent_time
    if time_ms is None:
        raise ValidationFailed.at([*path], "is not an ISO 8601 date-time")
    if not MIN_TIME_MS <= time_ms <= now_ms + MAX_AHEAD_MS:
        raise ValidationFailed.at([*path], "must be between 2010 and now")
    return min(time_ms, now_ms)


def build_profile(bot_id: str, profile: ProfileIn, now_ms: int, path: FieldPath = ()) -> ProfileChange:
    """Return the changes that a profile makes."""
    columns: dict[str, Any] = {}
    for name in ProfileIn.__struct_fields__:
        value = getattr(profile, name)
        if value is UNSET or name == SOURCE_METRIC:
            continue
        if name in _JSON_COLUMNS:
            value = msgspec.json.encode(value).decode()
        if name == "approved_at" and value is not None:
            value = resolve_time(value, now_ms, [*path, name])
        columns[_COLUMN_BY_FIELD.get(name, name)] = value
    return ProfileChange(bot_id, columns, None if profile.counter_source is UNSET else profile.counter_source)


def build_post(bot_id: str, stats: StatsIn, now_ms: int, path: FieldPath = ()) -> CounterPost:
    """Return counters and their moment; raise `ValidationFailed` if there are none or the moment is wrong."""
    counters = {name: value for name in COUNTER_NAMES if (value := getattr(stats, name)) is not UNSET}
    if not counters:
        raise ValidationFailed.at([*path], f"must have at least one of {', '.join(COUNTER_NAMES)}")
    return CounterPost(bot_id, resolve_time(stats.timestamp, now_ms, [*path, "timestamp"]), counters)


def build_sdk_post(bot_id: str, stats: SdkStatsIn, now_ms: int) -> CounterPost:
    """Return counters as an SDK posts them: one number, a number for each shard, or the number of one shard."""
    server_counts = stats.shards if stats.server_count is UNSET else stats.server_count
    if server_counts is UNSET:
        raise ValidationFailed.at(["server_count"], "is required")
    if server_counts == []:
        raise ValidationFailed.at(["shards"], "must have 1 or more entries, unless server_count is a number")
    if isinstance(stats.shard_id, int):
        return _build_shard_post(bot_id, stats, stats.shard_id, _sum_servers(server_counts, _MAX_SHARD_SERVERS), now_ms)
    shard_count = stats.shard_count or (len(server_counts) if isinstance(server_counts, list) else None)
    counters: dict[str, float] = {"shard_count": shard_count} if shard_count else {}
    return CounterPost(bot_id, now_ms, counters | {"server_count": _sum_servers(server_counts, MAX_COUNT)})


def _build_shard_post(bot_id: str, stats: SdkStatsIn, shard_number: int, server_count: int, now_ms: int) -> CounterPost:
    if not isinstance(stats.shard_count, int):
        return CounterPost(bot_id, now_ms, {}, (shard_number, server_count))
    if shard_number >= stats.shard_count:
        raise ValidationFailed.at(["shard_id"], "must be 0 or more and less than shard_count")
    return CounterPost(bot_id, now_ms, {"shard_count": stats.shard_count}, (shard_number, server_count))


def _sum_servers(server_counts: int | list[int], max_total: int) -> int:
    total = sum(server_counts) if isinstance(server_counts, list) else server_counts
    if total > max_total:
        raise ValidationFailed.at(["server_count"], f"must not exceed {max_total} in total")
    return total


def build_vote(bot_id: str, vote: VoteIn, now_ms: int, path: FieldPath = ()) -> Vote:
    """Return a vote in Tallyroom's own shape."""
    time_ms = resolve_time(vote.timestamp, now_ms, [*path, "timestamp"])
    profile = {column: value for name, column in _VOTER_COLUMNS.items() if (value := getattr(vote, name)) is not UNSET}
    return Vote(bot_id, vote.userId, time_ms, _choose_weight(vote.isWeekend, time_ms), vote.id or "", profile)


def build_list_vote(bot_id: str, vote: ListVoteIn, now_ms: int) -> Vote:
    """Return the vote of an unsigned webhook, cast now; raise `ValidationFailed` if it is for another bot."""
    _refuse_other_bot(bot_id, vote.bot, ["bot"])
    return Vote(bot_id, vote.user, now_ms, _choose_weight(vote.isWeekend, now_ms))


def build_event_vote(bot_id: str, event: EventData, now_ms: int) -> Vote:
    """Return the vote of a signed webhook; raise `ValidationFailed` if it is for another bot or its moment is wrong."""
    _refuse_other_bot(bot_id, event.project.platform_id, ["data", "project", "platform_id"])
    time_ms = resolve_time(event.created_at, now_ms, ["data", "created_at"])
    fields = {"username": event.user.name, "avatar": event.user.avatar_url, "listing_id": event.user.id}
    profile = {column: value[:_MAX_FIELD_CHARACTERS] for column, value in fields.items() if isinstance(value, str)}
    return Vote(bot_id, event.user.platform_id, time_ms, event.weight or default_weight(time_ms), event.id, profile)


def parse_import_rows(body: bytes, now_ms: int) -> list[ParsedRow]:
    """Return the rows of an import, decoded one at a time so that other threads run; raises as `parse_rows` does."""
    request: SentRows = decode_body(body, SentRows)
    return parse_rows([_decode_row(bytes(raw), index) for index, raw in enumerate(request.rows)], now_ms)


def _decode_row(row_json: bytes, index: int) -> dict[str, Any]:
    if len(row_json) > MAX_IMPORT_ROW_BYTES:
        raise ValidationFailed.at(
            ["rows", index], f"is {len(row_json)} bytes; the maximum for a row is {MAX_IMPORT_ROW_BYTES}"
        )
    row: dict[str, Any] = decode_body(row_json, dict[str, Any], ["rows", index])
    return row


def parse_rows(rows: Sequence[Mapping[str, Any]], now_ms: int) -> list[ParsedRow]:
    """Return all rows of an import; raises `ValidationFailed`, which names each wrong row."""
    parsed_rows = []
    error_details: list[Detail] = []
    for index, row in enumerate(rows):
        try:
            parsed_rows.append(parse_row(row, now_ms, ["rows", index], with_hints=len(error_details) < _MAX_HINTS))
        except ValidationFailed as error:
            error_details += error.details
    if error_details:
        raise ValidationFailed.of(error_details)
    return parsed_rows


def parse_row(row: Mapping[str, Any], now_ms: int, path: FieldPath, *, with_hints: bool = True) -> ParsedRow:
    """Return one row of an import: a bot's profile, counters or both, or a vote; raises `ValidationFailed`."""
    if "userId" in row:
        bot_id = _read_id(row, "bot", path)
        fields = {name: value for name, value in row.items() if name != "bot"}
        vote = convert_value(fields, VoteIn, path, has_suggestions=with_hints)
        return None, None, build_vote(bot_id, vote, now_ms, path)
    bot_id = _read_id(row, "id", path)
    _refuse_unknown(row, path, with_hints=with_hints)
    counter_fields = {name: value for name, value in row.items() if name in StatsIn.__struct_fields__}
    fields = {name: value for name, value in row.items() if name != "id" and name not in counter_fields}
    stats = convert_value(counter_fields, StatsIn, path, has_suggestions=with_hints)
    has_counters = bool(counter_fields.keys() - {"timestamp"})
    if not has_counters:
        resolve_time(stats.timestamp, now_ms, [*path, "timestamp"])  # belongs to no counter, but must be valid
    change = None
    if fields or not has_counters:
        profile = convert_value(fields, ProfileIn, path, has_suggestions=with_hints)
        change = build_profile(bot_id, profile, now_ms, path)
    return change, build_post(bot_id, stats, now_ms, path) if has_counters else None, None


def _choose_weight(is_weekend: bool | UnsetType, time_ms: int) -> int:  # noqa: FBT001 # a field of the vote
    return default_weight(time_ms) if is_weekend is UNSET else 1 + is_weekend


def _read_id(row: Mapping[str, Any], name: str, path: FieldPath) -> str:
    bot_id = row.get(name)
    if not isinstance(bot_id, str) or not is_id(bot_id):
        raise ValidationFailed.at([*path, name], "must be 17 to 19 digits, as a string")
    return bot_id


def _refuse_unknown(row: Mapping[str, Any], path: FieldPath, *, with_hints: bool) -> None:
    for name in row.keys() - _ROW_FIELDS:
        hint = did_you_mean(name, _ROW_FIELDS) if with_hints else ""
        raise ValidationFailed.at([*path, shorten(name)], f"is not a known field{hint}")


def _refuse_other_bot(bot_id: str, vote_bot_id: str | UnsetType, path: FieldPath) -> None:
    if vote_bot_id not in {UNSET, bot_id}:
        raise ValidationFailed.at([*path], "does not match the bot in the path")
