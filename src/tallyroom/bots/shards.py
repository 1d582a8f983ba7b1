"""What single shards of a bot have posted since its last whole count (rules/statistics#shards).

Without a whole count, a shard's count is added immediately. Otherwise, the bot keeps its whole count until each of its
shards has posted; their sum is then the new whole count.
"""

from collections.abc import Mapping

import msgspec

from tallyroom.bots.bot_row import BotRow
from tallyroom.core.errors import ValidationFailed

_ShardPosts = dict[str, tuple[int, int]]
"""By the number of a shard: its servers, and the moment of its post; 0 for a post to an earlier release."""


def update_total_servers(
    bot: BotRow, shard_post: tuple[int, int] | None, counters: Mapping[str, float], time_ms: int
) -> int | None:
    """Record who counted servers; return the new total after a single shard's post, or None if it does not count yet.

    `bot` already has the post's `counters`. Raises `ValidationFailed` if it has fewer shards than `shard_post` names.
    """
    if shard_post is not None:
        is_current = counters.get("shard_count", bot.shard_count) == bot.shard_count
        return _apply_shard_post(bot, *shard_post, time_ms) if is_current else None
    if "server_count" in counters and bot.server_count_ms == time_ms:
        bot.server_count_is_whole = True
        _write_posts(bot, {shard_number: post for shard_number, post in _read_posts(bot).items() if post[1] > time_ms})
    return None


def _apply_shard_post(bot: BotRow, shard_number: int, server_count: int, time_ms: int) -> int | None:
    if bot.shard_count and shard_number >= bot.shard_count:
        raise ValidationFailed.at(
            ["shard_id"],
            f"must be less than {bot.shard_count}, the shard_count that the bot last posted; "
            "if it has changed, send the new shard_count, too",
        )
    post_by_shard = _read_posts(bot)
    post_by_shard[str(shard_number)] = (server_count, time_ms)
    _write_posts(bot, post_by_shard)
    if len(post_by_shard) == bot.shard_count:
        bot.server_count_is_whole = True
    elif bot.server_count_is_whole:
        return None
    return sum(server_count for server_count, _ in post_by_shard.values())


def _read_posts(bot: BotRow) -> _ShardPosts:
    server_count_by_shard: dict[str, int] = {} if bot.shards is None else msgspec.json.decode(bot.shards)
    post_ms_by_shard: dict[str, int] = {} if bot.shards_ms is None else msgspec.json.decode(bot.shards_ms)
    return {
        shard_number: (server_count, post_ms_by_shard.get(shard_number, 0))
        for shard_number, server_count in server_count_by_shard.items()
    }


def _write_posts(bot: BotRow, post_by_shard: _ShardPosts) -> None:
    server_count_by_shard = {shard_number: server_count for shard_number, (server_count, _) in post_by_shard.items()}
    post_ms_by_shard = {shard_number: time_ms for shard_number, (_, time_ms) in post_by_shard.items()}
    bot.shards = msgspec.json.encode(server_count_by_shard).decode() if post_by_shard else None
    bot.shards_ms = msgspec.json.encode(post_ms_by_shard).decode() if post_by_shard else None
