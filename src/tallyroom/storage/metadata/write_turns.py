"""Whose write is next: workspaces take turns, so that a flood of writes delays its own (rules/safety#write-turns)."""

from contextvars import ContextVar
from typing import Final

from tallyroom.storage.slots import SlotLimits, Slots

BUSY_MS: Final = 5000
"""How long a write waits for its turn in this process, and for others to end theirs."""

STRANGERS: Final = "strangers"
"""The one writer of all requests whose sender the server does not know."""

_SERVER: Final = "server"

_turn_owner: ContextVar[str] = ContextVar("writer", default=_SERVER)


def set_write_turn_owner(turn_owner: str) -> None:
    """Let what the current task writes from now on take turns as `turn_owner`.

    That is the id of a workspace, user or digest, or `STRANGERS`. What belongs to no request takes turns as the server
    itself.
    """
    _turn_owner.set(turn_owner)


def current_turn_owner() -> str:
    """Return as whom the current task writes."""
    return _turn_owner.get()


def create_write_slots() -> Slots:
    """Return the turns of one process, which writes one transaction at a time."""
    busy_message = "The metadata database is busy."
    return Slots(SlotLimits(1, BUSY_MS / 1000, busy_message, retry_after=5))
