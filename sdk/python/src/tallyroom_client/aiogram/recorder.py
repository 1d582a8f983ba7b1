"""Sends the events of a Telegram bot: adds chat, actor and source, and leaves out what is unknown."""

from collections.abc import Mapping
from typing import Any

from tallyroom_client.bots.tracker import Tracker

_PRIVATE = "private"


class Recorder:
    """The only way by which the middlewares send events."""

    def __init__(self, tracker: Tracker, *, labels: bool) -> None:
        self._tracker = tracker
        self._labels = labels

    def record(self, name: str, properties: Mapping[str, Any], data: Mapping[str, Any]) -> None:
        """Send an event of the user and in the chat that aiogram found in an update; `data` is a middleware's."""
        user = data.get("event_from_user")
        all_properties = {**_chat_properties(data.get("event_chat")), **properties}
        self._tracker.track(
            name,
            actor=None if user is None else str(user.id),
            label=user.username if user is not None and self._labels else None,
            properties={key: value for key, value in all_properties.items() if value is not None},
            source=f"telegram:{data['bot'].id}",
        )


def _chat_properties(chat: Any) -> dict[str, Any]:
    """Return what every event in a chat says; the title of a private chat would be a person's name."""
    if chat is None:
        return {}
    title = None if chat.type == _PRIVATE else chat.title
    return {"chat_id": str(chat.id), "chat_type": chat.type, "chat_title": title}
