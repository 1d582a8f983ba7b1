"""The interface through which long operations report their progress."""

from typing import Protocol


class Progress(Protocol):
    """Shows progress, one bar at a time."""

    def begin_step(self, name: str, total: int) -> None:
        """Start a new step, with its name and its size (in bytes, parts or rows)."""
        ...

    def advance(self, amount: int) -> None:
        """Note that `amount` more is done."""
        ...


class NoProgress:
    """Shows nothing."""

    def begin_step(self, name: str, total: int) -> None:
        """Nothing to see."""

    def advance(self, amount: int) -> None:
        """Nothing to see."""
