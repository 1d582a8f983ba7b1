"""Attaches to a dispatcher of aiogram."""

import time
from typing import Any

from aiogram import Dispatcher

from tallyroom_client.aiogram.middlewares import MembershipMiddleware, UpdateMiddleware, note_use
from tallyroom_client.aiogram.recorder import Recorder
from tallyroom_client.bots.tracker import Tracker, default_tracker

_INTERNAL = ("update", "error")
"""Observers of aiogram that belong to no type of update."""


class Attached:
    """The connection between a dispatcher and its events, until `detach`."""

    def __init__(self, dispatcher: Dispatcher, update: UpdateMiddleware, membership: MembershipMiddleware) -> None:
        self._dispatcher: Dispatcher | None = dispatcher
        self._update = update
        self._membership = membership
        dispatcher.update.outer_middleware(update)
        dispatcher.my_chat_member.outer_middleware(membership)
        for observer in _observers_of(dispatcher):
            observer.middleware(note_use)
        dispatcher.my_chat_member.register(_subscribe, _never)

    def detach(self) -> None:
        """Leave the dispatcher as it was; what was recorded is still sent. A second call does nothing."""
        dispatcher, self._dispatcher = self._dispatcher, None
        if dispatcher is None:
            return
        dispatcher.update.outer_middleware.unregister(self._update)
        dispatcher.my_chat_member.outer_middleware.unregister(self._membership)
        for observer in _observers_of(dispatcher):
            observer.middleware.unregister(note_use)
        handlers = dispatcher.my_chat_member.handlers
        handlers[:] = [handler for handler in handlers if handler.callback is not _subscribe]


def attach(
    dispatcher: Dispatcher,
    client: Tracker | None = None,
    *,
    labels: bool = False,
    messages: bool = False,
    error_messages: bool = False,
) -> Attached:
    """Send the events of a dispatcher's bots, and return what ends this.

    Handlers and error handlers are called as before. Text, captions and the arguments of commands are never sent.

    Args:
        dispatcher: The dispatcher; attach before it starts, and once.
        client: A `Tallyroom`; by default, one that `TALLYROOM_URL` and `TALLYROOM_KEY` set up.
        labels: Send usernames as labels of the actors.
        messages: Send `message_sent` for each message of a person.
        error_messages: Send the messages of errors, which may quote people.

    Raises:
        ValueError: The dispatcher is attached already.
    """
    if note_use in list(dispatcher.message.middleware):
        raise ValueError("this dispatcher is attached already; detach it first")
    recorder = Recorder(client or default_tracker(), labels=labels)
    update = UpdateMiddleware(recorder, time.monotonic, messages=messages, error_messages=error_messages)
    return Attached(dispatcher, update, MembershipMiddleware(recorder))


def _observers_of(dispatcher: Dispatcher) -> list[Any]:
    return [observer for name, observer in dispatcher.observers.items() if name not in _INTERNAL]


async def _subscribe(_event: object) -> None:
    """Is never called: aiogram asks Telegram only for types of updates that have a handler."""


def _never(_event: object) -> bool:
    return False
