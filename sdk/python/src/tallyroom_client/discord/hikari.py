"""Attaches to a bot of hikari, by subscribing to its events."""

import warnings
from collections.abc import Callable
from typing import Any

import hikari

from tallyroom_client.bots.guard import never_raise
from tallyroom_client.bots.tracker import Tracker, default_tracker
from tallyroom_client.discord.attached import Attached
from tallyroom_client.discord.events import build_events
from tallyroom_client.discord.hikari_bot import HikariBot
from tallyroom_client.discord.hikari_observers import Observers, build_observers
from tallyroom_client.discord.options import Options


def attach_to_hikari(
    bot: hikari.GatewayBot, client: Tracker | None, options: Options, clock: Callable[[], float]
) -> Attached:
    """Return the attachment of a bot, a new one if it has none; `clock` is in seconds."""
    for listener in bot.get_listeners(hikari.StartedEvent, polymorphic=False):
        if isinstance(listener, _Listener):
            return listener.attachment
    tracker = client or default_tracker()
    facts = HikariBot(bot)
    events = build_events(facts, tracker, options, clock)
    listeners: dict[type[hikari.Event], _Listener] = {}

    def detach() -> None:
        for event_type, listener in listeners.items():
            bot.unsubscribe(event_type, listener)
        events.stop()

    attachment = Attached(detach, None)
    listeners |= _build_listeners(build_observers(events, bot, messages=options.messages), attachment)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hikari.MissingIntentWarning)  # of an event that the bot does not receive
        for event_type, listener in listeners.items():
            bot.subscribe(event_type, listener)
    if facts.is_ready():
        events.ready()
    return attachment


class _Listener:
    """A callback of hikari, which names and calls it like a coroutine function."""

    def __init__(self, observer: Callable[[Any], None], attachment: Attached) -> None:
        self.__name__ = "record"
        self._observer = never_raise(observer)
        self.attachment = attachment

    async def __call__(self, event: hikari.Event) -> None:
        self._observer(event)


def _build_listeners(observers: Observers, attachment: Attached) -> dict[type[hikari.Event], _Listener]:
    return {event_type: _Listener(observer, attachment) for event_type, observer in observers.items()}
