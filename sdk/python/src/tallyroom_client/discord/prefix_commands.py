"""Commands in the text of messages, as `commands.Bot` of discord.py, py-cord, nextcord and disnake reports them."""

from typing import Any

from tallyroom_client.discord.commands import CommandUse
from tallyroom_client.discord.dispatch import Observer
from tallyroom_client.discord.events import BotEvents
from tallyroom_client.discord.interactions import actor_of
from tallyroom_client.discord.place import place_of


def build_prefix_observers(events: BotEvents) -> dict[str, Observer]:
    """Return the functions that observe these commands."""
    return {
        "command": lambda context: _begin(events, context),
        "command_completion": lambda context: events.commands.end(_use_id(context)),
        "command_error": lambda context, error: _fail(events, context, error),
    }


def _begin(events: BotEvents, context: Any) -> None:
    if _interaction(context) is not None:
        return  # a hybrid command, of which the interaction was recorded
    use = CommandUse(
        id=_use_id(context),
        command=context.command.qualified_name,
        kind="prefix",
        actor=actor_of(context.author),
        place=place_of(context.guild),
    )
    events.commands.begin(use)


def _fail(events: BotEvents, context: Any, error: BaseException) -> None:
    """Send an error, unless there is no such command: then its name is what somebody wrote."""
    if context.command is None:
        return
    events.commands.end(_use_id(context))
    events.failures.record_in_command(
        error, context.command.qualified_name, place_of(context.guild), actor_of(context.author)
    )


def _use_id(context: Any) -> int:
    interaction = _interaction(context)
    use_id: int = context.message.id if interaction is None else interaction.id
    return use_id


def _interaction(context: Any) -> Any:
    return getattr(context, "interaction", None)
