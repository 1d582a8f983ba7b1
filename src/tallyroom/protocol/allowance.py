"""One allowance for the bytes of all unanswered requests, shared by all connections (rules/safety#memory).

Each connection may send as much as a request may have, and there may be thousands of connections. The less a connection
holds, the longer it finds room: a large one only while a fraction of what it holds stays free for others, a small one
as long as there is any room at all.
"""

from collections.abc import Callable
from typing import Final

SMALL_BYTES: Final = 32_000
"""The most a connection may hold and still count as small: a small body, its head, and another head after it."""

_KEPT_FOR_SMALL = 10  # one tenth is reserved for small connections
_STRAINED, _RELIEVED = 4, 32  # over one part in four held is much, under one part in 32 is little
_OWN_TO_FREE = 4  # a large one may hold up to this multiple of what is free: of 100 MB, one connection can get 72


class Allowance:
    """The bytes that all connections together may hold; used only on the event loop.

    Args:
        most: the number of bytes, a tenth of which is reserved for small connections.
        relieved: called when little is held after much was.

    Attributes:
        held: the bytes held now.
        is_strained: whether much has been held since `relieved` was last called.
    """

    def __init__(self, most: int, relieved: Callable[[], object] = bool) -> None:
        self._most = most
        self._most_for_large = most - most // _KEPT_FOR_SMALL
        self._relieved = relieved
        self.is_strained = False
        self.held = 0

    def share(self) -> "Share":
        """Return the share of a new connection, which holds nothing yet."""
        return Share(self)

    def has_room(self, size: int, own: int) -> bool:
        """Return whether there is room for `size` more bytes of a connection that then holds `own`."""
        held = self.held + size
        if own <= SMALL_BYTES:
            return held <= self._most
        self.is_strained |= held * _STRAINED > self._most
        return own <= _OWN_TO_FREE * (self._most_for_large - held)

    def look_for_relief(self) -> None:
        """Call `relieved` if little is held now."""
        if self.held * _RELIEVED < self._most:
            self.is_strained = False
            self._relieved()


class Share:
    """The bytes that one connection holds; they are numbered as they arrive, and given back up to a number."""

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance
        self._taken = self._given_back = 0

    @property
    def held(self) -> int:
        """The bytes held now."""
        return self._taken - self._given_back

    def take(self, size: int) -> bool:
        """Hold `size` more bytes; False, and they are not held, if there is no room for them."""
        taken, allowance = self._taken + size, self._allowance
        if not allowance.has_room(size, taken - self._given_back):
            return False
        self._taken = taken
        allowance.held += size
        return True

    def give_back_to(self, number: int) -> None:
        """Give back all bytes before the one with this number."""
        if number > self._given_back:
            self._allowance.held -= number - self._given_back
            self._given_back = number
            if self._allowance.is_strained:
                self._allowance.look_for_relief()

    def give_back_all(self) -> None:
        """Give back everything."""
        self.give_back_to(self._taken)
