"""`bot_added`, `bot_kicked`, `bot_blocked` and `bot_unblocked`: what a change of the bot's status in a chat means."""

from aiogram.types import ChatMemberUpdated

_ABSENT = ("left", "kicked")
_PRIVATE = "private"


def change_of(update: ChatMemberUpdated) -> str | None:
    """Return the name of an event; None if the bot was and is in the chat, as an admin that becomes a member."""
    was_absent, is_absent = _is_absent(update.old_chat_member), _is_absent(update.new_chat_member)
    if was_absent == is_absent:
        return None
    if update.chat.type == _PRIVATE:
        return "bot_blocked" if is_absent else "bot_unblocked"
    return "bot_kicked" if is_absent else "bot_added"


def _is_absent(member: object) -> bool:
    """Return True for a member who is not in the chat; a restricted one may be either."""
    status = getattr(member, "status", None)
    return status in _ABSENT or (status == "restricted" and not getattr(member, "is_member", True))
