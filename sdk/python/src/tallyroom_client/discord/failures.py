"""`bot_error`: what a command or a handler raised."""

from typing import Any

from tallyroom_client.bots.errors import describe_error
from tallyroom_client.discord.place import NO_PLACE, Actor, Place
from tallyroom_client.discord.recorder import Recorder


class Failures:
    """Counts errors; their messages may quote people, so they are sent only on request."""

    def __init__(self, recorder: Recorder, *, with_messages: bool) -> None:
        self._recorder = recorder
        self._with_messages = with_messages
        self._count = 0

    def record_in_command(self, error: BaseException, command: str | None, place: Place, actor: Actor) -> None:
        """Send the error of a command."""
        self._record(error, {"command": command}, place, actor)

    def record_in_handler(self, error: BaseException, event: str, place: Place = NO_PLACE) -> None:
        """Send the error of a handler of an event, such as `on_message`."""
        self._record(error, {"event": event}, place, None)

    def take_statistics(self) -> dict[str, Any]:
        """Return the property of `bot_stats` about the errors since this was last called."""
        count, self._count = self._count, 0
        return {"errors": count}

    def _record(self, error: BaseException, origin: dict[str, Any], place: Place, actor: Actor | None) -> None:
        self._count += 1
        properties = {**origin, **describe_error(error, with_message=self._with_messages)}
        self._recorder.record("bot_error", properties, place=place, actor=actor)
