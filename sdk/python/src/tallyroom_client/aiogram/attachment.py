"""Attaches to a dispatcher of aiogram."""

import time
from typing import Any

from aiogram import Dispatcher

from tallyroom_client.aiogram.middlewares import Handler, MembershipMiddleware, UpdateMiddleware, note_use
from tallyroom_client.aiogram.recorder import Recorder
from tallyroom_client.bots.tracker import Tracker, default_tracker

_INTERNAL = ("update", "error")
"""Observers of aiogram that belong to no type of update."""


class Attached:
    """The connection between a dispatcher and its events, until `detach`.

    It is the middleware of the dispatcher's updates, where a second call of `attach` looks for it.
    """

    def __init__(self, dispatcher: Dispatcher, update: UpdateMiddleware, membership: MembershipMiddleware) -> None:
        self._dispatcher: Dispatcher | None = dispatcher
        self._update = update
        self._membership = membership
        dispatcher.update.outer_middleware(self)
        dispatcher.my_chat_member.outer_middleware(membership)
        for observer in _observers_of(dispatcher):
            observer.middleware(note_use)
        dispatcher.my_chat_member.register(_subscribe, _never)

    async def __call__(self, handler: Handler, update: Any, data: dict[str, Any]) -> Any:
        """Handle an update and send what it was used for."""
        return await self._update(handler, update, data)

    def detach(self) -> None:
        """Leave the dispatcher as it was; what was recorded is still sent. A second call does nothing."""
        dispatcher, self._dispatcher = self._dispatcher, None
        if dispatcher is None:
            return
        dispatcher.update.outer_middleware.unregister(self)
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

    Handlers and error handlers are called as before. Text, captions and the arguments of commands are never sent. While
    a dispatcher is attached, a second call returns the first result.

    Args:
        dispatcher: The dispatcher; attach before it starts.
        client: A `Tallyroom`; by default, one that `TALLYROOM_URL` and `TALLYROOM_KEY` set up.
        labels: Send usernames as labels of the actors.
        messages: Send `message_sent` for each message of a person.
        error_messages: Send the messages of errors, which may quote people.
    """
    for middleware in dispatcher.update.outer_middleware:
        if isinstance(middleware, Attached):
            return middleware
    recorder = Recorder(client or default_tracker(), labels=labels)
    update = UpdateMiddleware(recorder, time.monotonic, messages=messages, error_messages=error_messages)
    return Attached(dispatcher, update, MembershipMiddleware(recorder))


def _observers_of(dispatcher: Dispatcher) -> list[Any]:
    return [observer for name, observer in dispatcher.observers.items() if name not in _INTERNAL]


async def _subscribe(_event: object) -> None:
    """Is never called: aiogram asks Telegram only for types of updates that have a handler."""


def _never(_event: object) -> bool:
    return False
