"""What single shards of a bot have posted since its last whole count (rules/statistics#shards).

A shard's count joins the others at once while the bot has no whole count. Otherwise, the bot keeps its whole count
until each of its shards has posted since; the sum of all of them is a whole count, too.
"""

from collections.abc import Mapping

import msgspec

from tallyroom.bots.bot_row import BotRow
from tallyroom.core.errors import ValidationFailed

_ShardPosts = dict[str, tuple[int, int]]
"""By the number of a shard: its servers, and the moment of its post; 0 for a post that an earlier release took."""


def total_servers(
    bot: BotRow, shard: tuple[int, int] | None, counters: Mapping[str, float], time_ms: int
) -> int | None:
    """Note who has counted servers; return the total to which a single shard's post brings the bot, if it counts yet.

    Args:
        bot: the bot, which already has the counters.
        shard: the number of a shard and its servers, if a single shard posts.
        counters: the counters of the post that are about the whole bot.
        time_ms: the moment of the post.

    Raises:
        ValidationFailed: the bot has fewer shards.
    """
    if shard is not None:
        is_current = counters.get("shard_count", bot.shard_count) == bot.shard_count
        return _post_shard(bot, *shard, time_ms) if is_current else None
    if "server_count" in counters and bot.server_count_ms == time_ms:
        bot.server_count_is_whole = True
        _write(bot, {number: post for number, post in _read(bot).items() if post[1] > time_ms})
    return None


def _post_shard(bot: BotRow, shard: int, servers: int, time_ms: int) -> int | None:
    if bot.shard_count and shard >= bot.shard_count:
        raise ValidationFailed.at(
            ["shard_id"],
            f"must be less than {bot.shard_count}, the shard_count that the bot has posted; "
            "if that has changed, post the new shard_count with it",
        )
    posts = _read(bot)
    posts[str(shard)] = (servers, time_ms)
    _write(bot, posts)
    if len(posts) == bot.shard_count:
        bot.server_count_is_whole = True
    elif bot.server_count_is_whole:
        return None
    return sum(servers for servers, _ in posts.values())


def _read(bot: BotRow) -> _ShardPosts:
    servers: dict[str, int] = {} if bot.shards is None else msgspec.json.decode(bot.shards)
    times: dict[str, int] = {} if bot.shards_ms is None else msgspec.json.decode(bot.shards_ms)
    return {number: (count, times.get(number, 0)) for number, count in servers.items()}


def _write(bot: BotRow, posts: _ShardPosts) -> None:
    servers = {number: count for number, (count, _) in posts.items()}
    times = {number: time_ms for number, (_, time_ms) in posts.items()}
    bot.shards = msgspec.json.encode(servers).decode() if posts else None
    bot.shards_ms = msgspec.json.encode(times).decode() if posts else None
