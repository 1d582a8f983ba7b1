"""Reads interactions of discord.py, py-cord, nextcord and disnake: all keep what Discord sent in `data`."""

from typing import Any

from tallyroom_client.discord.commands import KIND_BY_TYPE, CommandUse, command_path
from tallyroom_client.discord.components import BUTTON_TYPE
from tallyroom_client.discord.events import BotEvents
from tallyroom_client.discord.place import Actor, Place, place_of

_COMMAND, _COMPONENT, _MODAL = 2, 3, 5
"""The types of interactions that people begin; completions of what they are typing are left out."""


def record_interaction(events: BotEvents, interaction: Any) -> None:
    """Send `command_used` or `component_used`."""
    kind = interaction.type.value
    if kind == _COMMAND:
        events.commands.begin(_command_use(interaction))
    elif kind == _COMPONENT:
        component = "button" if interaction.data["component_type"] == BUTTON_TYPE else "select"
        events.use_component(interaction.data["custom_id"], component, actor_of(interaction.user), _place(interaction))
    elif kind == _MODAL:
        events.use_component(interaction.data["custom_id"], "modal", actor_of(interaction.user), _place(interaction))


def record_failed_interaction(events: BotEvents, interaction: Any, error: BaseException) -> None:
    """Send the error of an application command, which ends with it."""
    events.commands.end(interaction.id)
    events.failures.record_in_command(error, _command_of(interaction), _place(interaction), actor_of(interaction.user))


def actor_of(user: Any) -> Actor:
    """Return a user by the account's name; what guilds call them is not read."""
    return Actor(user.id, user.name)


def _command_use(interaction: Any) -> CommandUse:
    return CommandUse(
        id=interaction.id,
        command=_command_of(interaction) or "",
        kind=KIND_BY_TYPE.get(interaction.data.get("type", 1), "slash"),
        actor=actor_of(interaction.user),
        place=_place(interaction),
        locale=locale_text(interaction.locale),
        user_install=_is_user_install(interaction),
    )


def _command_of(interaction: Any) -> str | None:
    data = interaction.data
    return command_path(data["name"], data.get("options", ())) if data and "name" in data else None


def _place(interaction: Any) -> Place:
    return place_of(interaction.guild, interaction.guild_id)


def locale_text(locale: Any) -> str | None:
    """Return a locale such as `en-US`, which is a text in some libraries and an enumeration in others."""
    return None if locale is None else str(getattr(locale, "value", locale))


def _is_user_install(interaction: Any) -> bool | None:
    """Return True if the command comes from an app that the user installed; None if the library does not say."""
    if hasattr(interaction, "is_user_integration"):
        return bool(interaction.is_user_integration())
    owners = getattr(interaction, "authorizing_integration_owners", None)
    return None if owners is None else owners.user_id is not None
