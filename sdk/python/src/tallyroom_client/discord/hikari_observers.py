"""Which event of hikari is reported how."""

import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import hikari

from tallyroom_client.discord.commands import KIND_BY_TYPE, CommandUse, command_path
from tallyroom_client.discord.components import BUTTON_TYPE
from tallyroom_client.discord.events import BotEvents
from tallyroom_client.discord.place import Actor, Place, place_of

_HIKARI_LOGGER = logging.getLogger("hikari.event_manager")

Observers = dict[type[hikari.Event], Callable[[Any], None]]


def build_observers(events: BotEvents, bot: hikari.GatewayBot, *, messages: bool) -> Observers:
    """Return a function for each event that is observed."""
    guilds, shards = events.guilds, events.shards
    return {
        hikari.StartedEvent: lambda _event: events.ready(),
        hikari.ShardDisconnectedEvent: lambda event: shards.disconnect(event.shard.id),
        hikari.ShardReadyEvent: lambda event: shards.connect(event.shard.id),
        hikari.ShardResumedEvent: lambda event: shards.connect(event.shard.id),
        hikari.GuildJoinEvent: lambda event: guilds.join(place_of(event.guild), str(event.guild.preferred_locale)),
        hikari.GuildLeaveEvent: lambda event: guilds.leave(place_of(event.old_guild, int(event.guild_id))),
        hikari.GuildUnavailableEvent: lambda event: guilds.note_unavailable(event.guild_id),
        hikari.GuildAvailableEvent: lambda event: guilds.note_available(event.guild_id),
        hikari.InteractionCreateEvent: lambda event: _record_interaction(events, bot, event.interaction),
        hikari.ExceptionEvent: lambda event: _record_exception(events, bot, event),
        **({hikari.MessageCreateEvent: lambda event: _record_message(events, bot, event)} if messages else {}),
    }


def _record_interaction(events: BotEvents, bot: hikari.GatewayBot, interaction: hikari.PartialInteraction) -> None:
    if isinstance(interaction, hikari.CommandInteraction):
        events.commands.begin(_command_use(bot, interaction))
    elif isinstance(interaction, hikari.ComponentInteraction):
        component = "button" if interaction.component_type == BUTTON_TYPE else "select"
        events.use_component(interaction.custom_id, component, _actor(interaction.user), _place(bot, interaction))
    elif isinstance(interaction, hikari.ModalInteraction):
        events.use_component(interaction.custom_id, "modal", _actor(interaction.user), _place(bot, interaction))


def _command_use(bot: hikari.GatewayBot, interaction: hikari.CommandInteraction) -> CommandUse:
    return CommandUse(
        id=interaction.id,
        command=_command_of(interaction),
        kind=KIND_BY_TYPE.get(int(interaction.command_type), "slash"),
        actor=_actor(interaction.user),
        place=_place(bot, interaction),
        locale=str(interaction.locale),
        user_install=hikari.ApplicationIntegrationType.USER_INSTALL in interaction.authorizing_integration_owners,
    )


def _command_of(interaction: hikari.CommandInteraction) -> str:
    return command_path(interaction.command_name, _as_data(interaction.options))


def _as_data(options: Iterable[hikari.CommandInteractionOption] | None) -> list[Mapping[str, Any]]:
    """Return options as Discord sends them, without their values."""
    return [
        {"type": int(option.type), "name": option.name, "options": _as_data(option.options)} for option in options or ()
    ]


def _record_exception(events: BotEvents, bot: hikari.GatewayBot, event: hikari.ExceptionEvent[Any]) -> None:
    """Send the error of a listener; of one that handles a command, as the command's.

    hikari logs errors only if no one listens to them, so an error that no one else listens to is logged here.
    """
    if len(bot.get_listeners(hikari.ExceptionEvent)) == 1:
        _HIKARI_LOGGER.error(
            "an exception occurred handling an event (%s)", type(event.failed_event).__name__, exc_info=event.exc_info
        )
    interaction = getattr(event.failed_event, "interaction", None)
    if isinstance(interaction, hikari.CommandInteraction):
        events.failures.record_in_command(
            event.exception, _command_of(interaction), _place(bot, interaction), _actor(interaction.user)
        )
    else:
        events.failures.record_in_handler(event.exception, type(event.failed_event).__name__)


def _record_message(events: BotEvents, bot: hikari.GatewayBot, event: hikari.MessageCreateEvent) -> None:
    if event.is_human:
        place = _place_by_id(bot, getattr(event, "guild_id", None))
        events.send_message(event.channel_id, _actor(event.author), place)


def _actor(user: hikari.User) -> Actor:
    return Actor(int(user.id), user.username)


def _place(bot: hikari.GatewayBot, interaction: Any) -> Place:
    return _place_by_id(bot, interaction.guild_id)


def _place_by_id(bot: hikari.GatewayBot, guild_id: hikari.Snowflake | None) -> Place:
    if guild_id is None:
        return Place()
    return place_of(bot.cache.get_guild(guild_id), int(guild_id))
