"""One allowance for the bytes of all requests without an answer, of all connections together (rules/safety#memory).

Each connection may send what a request may have, and there may be thousands of connections. The less one holds, the
longer there is room for it: one that is large finds room as long as a part of what it holds stays free for others, and
one that is small as long as there is any.
"""

from collections.abc import Callable
from typing import Final

SMALL_BYTES: Final = 32_000
"""What a connection may hold and still count as small: a small body, its head, and another head behind it."""

_KEPT_FOR_SMALL = 10  # one part in so many
_STRAINED, _RELIEVED = 4, 32  # parts: more than one part in four is much, and less than one in 32 little
_OWN_TO_FREE = 4  # what a large one may hold, as a multiple of what is free: of 100 MB, one connection finds 72


class Allowance:
    """What all connections together may hold; used on the event loop only.

    Args:
        most: bytes; a tenth of them is kept for connections that are small.
        relieved: called when much was held and little is left.

    Attributes:
        held: bytes that are held now.
        is_strained: whether much was held, and nobody was relieved since.
    """

    def __init__(self, most: int, relieved: Callable[[], object] = bool) -> None:
        self._most = most
        self._most_for_large = most - most // _KEPT_FOR_SMALL
        self._relieved = relieved
        self.is_strained = False
        self.held = 0

    def share(self) -> "Share":
        """The share of another connection, which holds nothing yet."""
        return Share(self)

    def has_room(self, size: int, own: int) -> bool:
        """Whether there is room for `size` bytes of a connection that then holds `own`."""
        held = self.held + size
        if own <= SMALL_BYTES:
            return held <= self._most
        self.is_strained |= held * _STRAINED > self._most
        return own <= _OWN_TO_FREE * (self._most_for_large - held)

    def look_for_relief(self) -> None:
        """Tell when little is left of much."""
        if self.held * _RELIEVED < self._most:
            self.is_strained = False
            self._relieved()


class Share:
    """What one connection holds. Its bytes are numbered as they come, and given back up to a number."""

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance
        self._taken = self._given_back = 0

    @property
    def held(self) -> int:
        """Bytes that are held now."""
        return self._taken - self._given_back

    def take(self, size: int) -> bool:
        """Hold so many bytes more; False when there is no room for them, and they are not held."""
        taken, allowance = self._taken + size, self._allowance
        if not allowance.has_room(size, taken - self._given_back):
            return False
        self._taken = taken
        allowance.held += size
        return True

    def give_back_to(self, number: int) -> None:
        """Give back what came before the byte of this number."""
        if number > self._given_back:
            self._allowance.held -= number - self._given_back
            self._given_back = number
            if self._allowance.is_strained:
                self._allowance.look_for_relief()

    def give_back_all(self) -> None:
        """Give back everything."""
        self.give_back_to(self._taken)
