"""Attaches to a bot of any of the libraries."""

import time
from typing import Any

from tallyroom_client.bots.component_ids import component_name
from tallyroom_client.bots.tracker import Tracker
from tallyroom_client.discord.attached import Attached
from tallyroom_client.discord.components import ComponentName
from tallyroom_client.discord.dispatch_attachment import attach_to_dispatch
from tallyroom_client.discord.libraries import dispatching_library, is_hikari
from tallyroom_client.discord.options import Options


def attach(  # noqa: PLR0913 # one for each option
    bot: Any,
    client: Tracker | None = None,
    *,
    stats: float | None = 60,
    labels: bool = False,
    messages: bool = False,
    error_messages: bool = False,
    component: ComponentName = component_name,
    counts_token: str | None = None,
) -> Attached:
    """Send the events of a bot, and return what ends this.

    The bot's own handlers are called as before. Content, option values and nicknames are never sent. While a bot is
    attached, a second call returns the first result.

    Args:
        bot: A client or bot of discord.py from 2.4 on, py-cord, nextcord, disnake or hikari.
        client: A `Tallyroom`; by default, one that `TALLYROOM_URL` and `TALLYROOM_KEY` set up.
        stats: Seconds between two `bot_stats`, None for none.
        labels: Send the names of users and guilds as labels of the actors.
        messages: Send `message_sent` for each message of a person.
        error_messages: Send the messages of errors, which may quote people.
        component: Returns the name of a button, select or modal from its id, None for no name.
        counts_token: A statistics token, with which the server counts are posted.

    Raises:
        TypeError: The bot belongs to none of these libraries.
    """
    options = Options(stats, labels, messages, error_messages, component, counts_token)
    if is_hikari(bot):
        from tallyroom_client.discord.hikari import attach_to_hikari  # noqa: PLC0415 # imports hikari

        return attach_to_hikari(bot, client, options, time.monotonic)
    return attach_to_dispatch(bot, dispatching_library(bot), client, options, time.monotonic)
