"""How far a long piece of work is, told to whoever shows it."""

from typing import Protocol


class Progress(Protocol):
    """One bar at a time."""

    def begin(self, what: str, total: int) -> None:
        """A new step starts: what is done, and how much of it there is (bytes, or parts)."""
        ...

    def advance(self, done: int) -> None:
        """So much more is done."""
        ...


class Unseen:
    """Shows nothing."""

    def begin(self, what: str, total: int) -> None:
        """Nothing to see."""

    def advance(self, done: int) -> None:
        """Nothing to see."""
