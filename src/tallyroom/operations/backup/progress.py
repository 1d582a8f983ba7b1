"""The interface through which long operations report their progress."""

from typing import Protocol


class Progress(Protocol):
    """Shows progress, one bar at a time."""

    def begin_step(self, name: str, total: int) -> None:
        """Start a new step, whose size is in bytes, parts or rows."""

    def advance(self, amount: int) -> None:
        """Add `amount` to the completed part of the step."""


class NoProgress:
    """Shows nothing."""

    def begin_step(self, name: str, total: int) -> None:
        """Do nothing."""

    def advance(self, amount: int) -> None:
        """Do nothing."""
