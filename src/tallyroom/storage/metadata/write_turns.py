"""Decides whose write is next: workspaces take turns, so floods delay only themselves (rules/safety#write-turns)."""

from contextvars import ContextVar
from typing import Final

from tallyroom.storage.slots import SlotLimits, Slots

BUSY_MS: Final = 5000  # how long a write waits for its turn in this process, and for other processes' writes to end
STRANGERS: Final = "strangers"  # the shared turn owner of all requests with an unknown sender
_SERVER: Final = "server"

_turn_owner: ContextVar[str] = ContextVar("writer", default=_SERVER)


def set_write_turn_owner(turn_owner: str) -> None:
    """Let writes of this task take turns as a workspace, user or digest, by ID, or `STRANGERS`; else as the server."""
    _turn_owner.set(turn_owner)


def current_turn_owner() -> str:
    """Return the turn owner of the current task."""
    return _turn_owner.get()


def create_write_slots() -> Slots:
    """Return the turns of one process, which writes one transaction at a time."""
    return Slots(SlotLimits(1, BUSY_MS / 1000, "The metadata database is busy.", retry_after=5))
