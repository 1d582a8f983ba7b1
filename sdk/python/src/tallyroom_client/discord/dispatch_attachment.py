"""Attaches to a bot of discord.py, py-cord, nextcord or disnake."""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from tallyroom_client.bots.guard import never_raise
from tallyroom_client.bots.http import get_bytes
from tallyroom_client.bots.tracker import Tracker, default_tracker, server_url
from tallyroom_client.discord.attached import Attached
from tallyroom_client.discord.dispatch import DispatchWrapper, Observer
from tallyroom_client.discord.dispatch_bot import DispatchBot
from tallyroom_client.discord.error_hook import ErrorHook
from tallyroom_client.discord.events import BotEvents, build_events
from tallyroom_client.discord.interactions import record_failed_interaction
from tallyroom_client.discord.observers import build_observers
from tallyroom_client.discord.options import Options
from tallyroom_client.discord.place import place_of
from tallyroom_client.discord.stats_command import StatsCommand


def attach_to_dispatch(
    bot: Any, library: ModuleType, client: Tracker | None, options: Options, clock: Callable[[], float]
) -> Attached:
    """Return the attachment of a bot, a new one if it has none; `clock` is in seconds."""
    current = vars(bot).get("dispatch")
    if isinstance(current, DispatchWrapper):
        return current.attachment
    tracker = client or default_tracker()
    facts = DispatchBot(bot, library)
    events = build_events(facts, tracker, options, clock)
    hooks = _Hooks(bot, events)
    observers = {
        name: never_raise(_after(hooks.renew, observer))
        for name, observer in build_observers(events, facts, messages=options.messages).items()
    }
    wrappers: list[DispatchWrapper] = []

    def detach() -> None:
        for wrapper in wrappers:
            wrapper.remove()
        hooks.remove()
        events.stop()

    attachment = Attached(detach, StatsCommand(library, server_url(tracker), get_bytes))
    wrappers += [DispatchWrapper(owner, observers, attachment) for owner in (bot, bot._connection)]  # noqa: SLF001 # it has a reference to `dispatch`, and no public name
    hooks.renew()
    if facts.is_ready():
        observers["ready"]()
    return attachment


class _Hooks:
    """The handlers of errors that are called without an event: the bot's, and that of discord.py's command tree."""

    def __init__(self, bot: Any, events: BotEvents) -> None:
        self._bot = bot
        self._events = events
        self._hooks: dict[int, ErrorHook] = {}

    def renew(self) -> None:
        """Wrap handlers that the program has replaced since the last event."""
        self._renew(self._bot, self._record_in_handler)
        tree = getattr(self._bot._connection, "_command_tree", None)  # noqa: SLF001 # a client may keep it anywhere
        if tree is not None:
            self._renew(tree, self._record_in_tree)

    def remove(self) -> None:
        for hook in self._hooks.values():
            hook.remove()

    def _renew(self, owner: Any, record: Callable[..., None]) -> None:
        hook = self._hooks.get(id(owner))
        if hook is None:
            hook = self._hooks[id(owner)] = ErrorHook(owner, never_raise(record))
        hook.renew()

    def _record_in_handler(self, event: str, *arguments: Any) -> None:
        error = sys.exc_info()[1]
        if error is not None:
            guild = getattr(arguments[0], "guild", None) if arguments else None
            self._events.failures.record_in_handler(error, event, place_of(guild))

    def _record_in_tree(self, interaction: Any, error: BaseException) -> None:
        record_failed_interaction(self._events, interaction, error)


def _after(first: Callable[[], None], observer: Observer) -> Observer:
    def call(*arguments: Any) -> None:
        first()
        observer(*arguments)

    return call
