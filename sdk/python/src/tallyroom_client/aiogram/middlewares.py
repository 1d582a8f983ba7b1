"""The middlewares: around each update, around each handler, and around each change of the bot's membership."""

from collections.abc import Awaitable, Callable
from typing import Any

from aiogram.dispatcher.event.bases import CancelHandler, SkipHandler

from tallyroom_client.aiogram.membership import change_of
from tallyroom_client.aiogram.recorder import Recorder
from tallyroom_client.aiogram.use import Use, current_use
from tallyroom_client.bots.errors import describe_error
from tallyroom_client.bots.guard import never_raise

Handler = Callable[[Any, dict[str, Any]], Awaitable[Any]]
Clock = Callable[[], float]


async def note_use(handler: Handler, event: Any, data: dict[str, Any]) -> Any:
    """Run around a handler, inside its filters: note what it takes the update for, unless it skips it."""
    use = current_use.get()
    if use is None:
        return await handler(event, data)
    use.note(event, data)
    try:
        return await handler(event, data)
    except SkipHandler:
        use.forget()
        raise


class UpdateMiddleware:
    """Sends commands, components and errors when an update is done, and raises what its handler raised."""

    def __init__(self, recorder: Recorder, clock: Clock, *, messages: bool, error_messages: bool) -> None:
        self._recorder = recorder
        self._clock = clock
        self._messages = messages
        self._error_messages = error_messages
        self._record = never_raise(self._record_update)

    async def __call__(self, handler: Handler, update: Any, data: dict[str, Any]) -> Any:
        """Run around everything that happens with an update."""
        use, started_at, error = Use(), self._clock(), None
        token = current_use.set(use)
        try:
            return await handler(update, data)
        except (SkipHandler, CancelHandler):
            raise
        except Exception as exception:
            error = exception
            raise
        finally:
            current_use.reset(token)
            self._record(use, round((self._clock() - started_at) * 1000, 1), error, update, data)

    def _record_update(
        self, use: Use, milliseconds: float, error: Exception | None, update: Any, data: dict[str, Any]
    ) -> None:
        if self._messages and update.message is not None and not _is_bot(data):
            self._recorder.record("message_sent", {}, data)
        locale = getattr(data.get("event_from_user"), "language_code", None)
        if use.command is not None:
            properties = {"command": use.command, "locale": locale, "duration_ms": milliseconds}
            self._recorder.record("command_used", properties, data)
        if use.is_component:
            properties = {"custom_id": use.component, "locale": locale, "duration_ms": milliseconds}
            self._recorder.record("component_used", properties, data)
        if error is not None:
            description = describe_error(error, with_message=self._error_messages)
            properties = {"command": use.command, "update": update.event_type, **description}
            self._recorder.record("bot_error", properties, data)


class MembershipMiddleware:
    """Sends how the bot's place in a chat changes."""

    def __init__(self, recorder: Recorder) -> None:
        self._record = never_raise(lambda name, data: recorder.record(name, {}, data))

    async def __call__(self, handler: Handler, event: Any, data: dict[str, Any]) -> Any:
        """Run around the handlers of `my_chat_member`, even if there are none."""
        name = change_of(event)
        if name is not None:
            self._record(name, data)
        return await handler(event, data)


def _is_bot(data: dict[str, Any]) -> bool:
    return bool(getattr(data.get("event_from_user"), "is_bot", False))
