"""Which event of discord.py, py-cord, nextcord and disnake is reported how."""

from typing import Any

from tallyroom_client.discord.dispatch import Observer
from tallyroom_client.discord.dispatch_bot import DispatchBot
from tallyroom_client.discord.events import BotEvents
from tallyroom_client.discord.interactions import (
    actor_of,
    locale_text,
    record_failed_interaction,
    record_interaction,
)
from tallyroom_client.discord.place import place_of
from tallyroom_client.discord.prefix_commands import build_prefix_observers

_COMPLETIONS = (
    "app_command_completion",  # discord.py
    "application_command_completion",  # py-cord, nextcord
    "slash_command_completion",  # disnake, as the next two
    "user_command_completion",
    "message_command_completion",
)
_ERRORS = ("application_command_error", "slash_command_error", "user_command_error", "message_command_error")


def build_observers(events: BotEvents, bot: DispatchBot, *, messages: bool) -> dict[str, Observer]:
    """Return a function for each event that is observed; it takes the event's arguments."""
    return {
        "ready": events.ready,
        **_shard_observers(events, bot),
        **_guild_observers(events),
        "interaction": lambda interaction: record_interaction(events, interaction),
        **dict.fromkeys(_COMPLETIONS, lambda context, *_: events.commands.end(_interaction(context).id)),
        **dict.fromkeys(
            _ERRORS, lambda context, error: record_failed_interaction(events, _interaction(context), error)
        ),
        **build_prefix_observers(events),
        **({"message": lambda message: _record_message(events, message)} if messages else {}),
    }


def _shard_observers(events: BotEvents, bot: DispatchBot) -> dict[str, Observer]:
    shards = events.shards
    if bot.is_sharded():
        return {
            "shard_disconnect": lambda shard_id: shards.disconnect(shard_id, bot.close_code(shard_id)),
            "shard_connect": shards.connect,
            "shard_resumed": shards.connect,
        }
    return {
        "disconnect": lambda: shards.disconnect(bot.only_shard_id(), bot.close_code(bot.only_shard_id())),
        "connect": lambda: shards.connect(bot.only_shard_id()),
        "resumed": lambda: shards.connect(bot.only_shard_id()),
    }


def _guild_observers(events: BotEvents) -> dict[str, Observer]:
    guilds = events.guilds
    return {
        "guild_join": lambda guild: guilds.join(place_of(guild), locale_text(guild.preferred_locale)),
        "guild_remove": lambda guild: guilds.leave(place_of(guild)),
        "guild_unavailable": lambda guild: guilds.note_unavailable(guild.id),
        "guild_available": lambda guild: guilds.note_available(guild.id),
    }


def _interaction(context: Any) -> Any:
    """Return the interaction of a command; py-cord passes it in a context."""
    return getattr(context, "interaction", context)


def _record_message(events: BotEvents, message: Any) -> None:
    if not message.author.bot:
        events.send_message(message.channel.id, actor_of(message.author), place_of(message.guild))
