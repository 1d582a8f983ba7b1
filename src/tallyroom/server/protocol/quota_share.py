"""The share of the allowance that one connection holds (rules/safety#memory)."""

from collections.abc import Callable
from typing import Final

from tallyroom.rest.body_families import OPEN_FAMILIES, BodyFamily
from tallyroom.server.protocol.memory_quota import Allowance
from tallyroom.server.protocol.pipelining import END_OF_HEAD

_MAX_START: Final = 4_096  # of a head, with its method and target


class Share:
    """The bytes that one connection holds; they are numbered as they arrive, and given back up to a number.

    All of them count toward one family: that of the request under way, or heads if there is none. What waits behind a
    request cannot be handled before it, so it costs the room of the same family until then.

    Args:
        allowance: what all connections share.
        give_way: refuses what is arriving, so that others have its room, and tells whether there is anything.

    Attributes:
        family: the family.
    """

    def __init__(self, allowance: Allowance, give_way: Callable[[], bool] = bool) -> None:
        self._allowance = allowance
        self._end = self._given_back = 0
        self.give_way = give_way
        self.family = BodyFamily.HEADS

    @property
    def held(self) -> int:
        """The bytes held now."""
        return self._end - self._given_back

    @property
    def is_of_strangers(self) -> bool:
        """Whether it may be a stranger who made the server read the request under way."""
        return self.family in OPEN_FAMILIES

    def take(self, size: int) -> bool:
        """Hold `size` more bytes; False, and they are not held, if there is no room for them."""
        if not self._allowance.has_room(size, self):
            return False
        self._end += size
        self._allowance.count(size, self)
        return True

    def take_piece(self, data: bytes) -> bool:
        """Hold the bytes of a piece; if a request begins with it, its target says whose room it can have."""
        if not self.held:
            self.family = (
                self._allowance.families.family_of(_target_of(data)) if END_OF_HEAD in data else BodyFamily.HEADS
            )
        return self.take(len(data))

    def begin(self, target: bytes) -> bool:
        """Count toward the family of the request with this target, which is under way; False if this has no room."""
        family, before, end = self._allowance.families.family_of(target), self.family, self._end
        if family is before:
            return True
        self.give_back_from(self._given_back)
        self.family = family
        if self.take(end - self._given_back):
            return True
        self.family, self._end = before, end
        self._allowance.count(self.held, self)
        return False

    def wait(self) -> None:
        """Count toward heads until a request is under way."""
        self._move(BodyFamily.HEADS)

    def leave(self) -> None:
        """Count no longer against others; the application is about to let go of what is held."""
        self._move(BodyFamily.REFUSED_BODIES)

    def rest(self, number: int) -> None:
        """Give back all bytes before the one with this number; the others belong to the next head."""
        self.give_back_to(number)
        self.wait()

    def give_back_to(self, number: int) -> None:
        """Give back all bytes before the one with this number."""
        size = min(number, self._end) - self._given_back
        if size > 0:
            self._given_back += size
            self._allowance.count(-size, self)
            self._allowance.look_for_relief()

    def give_back_from(self, number: int) -> None:
        """Give back the byte with this number and all after it."""
        size = self._end - max(number, self._given_back)
        if size > 0:
            self._end -= size
            self._allowance.count(-size, self)

    def give_back_all(self) -> None:
        """Give back everything."""
        self.give_back_to(self._end)

    def _move(self, family: BodyFamily) -> None:
        if family is not self.family:
            self._allowance.move(self, family)


def _target_of(data: bytes) -> bytes:
    words = data[:_MAX_START].split(b" ", 2)
    return words[1] if len(words) > 1 else b""
