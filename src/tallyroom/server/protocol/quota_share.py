"""The share of the allowance that one connection holds (rules/safety#memory)."""

from collections.abc import Callable
from typing import Final

from tallyroom.rest.body_families import OPEN_FAMILIES, BodyFamily
from tallyroom.server.protocol.memory_quota import Allowance
from tallyroom.server.protocol.pipelining import END_OF_HEAD

_MAX_TARGET_BYTES: Final = 4_096  # the most of a head with its method and target


class QuotaShare:
    """The bytes that one connection holds; they are numbered as they arrive, and released up to a number.

    All count toward the `family` of the active request, or of heads without one. `give_way` refuses an incoming request
    to make room for others, and returns whether there was one.
    """

    def __init__(self, allowance: Allowance, give_way: Callable[[], bool] = bool) -> None:
        self._allowance = allowance
        self._released_end = 0  # the position before which nothing is held
        self.held_bytes = 0  # those from this position on
        self.give_way = give_way
        self.family = BodyFamily.HEADS

    @property
    def is_of_strangers(self) -> bool:
        """Whether a stranger may have made the server read the active request."""
        return self.family in OPEN_FAMILIES

    def hold_bytes(self, byte_count: int) -> bool:
        """Hold `byte_count` more bytes; if there is no room, hold none of them and return False."""
        if not self._allowance.has_room(byte_count, self):
            return False
        self.held_bytes += byte_count
        self._allowance.add_bytes(byte_count, self)
        return True

    def hold_piece(self, data: bytes) -> bool:
        """Hold the bytes of a piece; if a request begins with it, its target determines the family."""
        if not self.held_bytes:
            self.family = (
                self._allowance.body_families.family_of(_find_target(data)) if END_OF_HEAD in data else BodyFamily.HEADS
            )
        return self.hold_bytes(len(data))

    def join_family(self, target: bytes) -> bool:
        """Count toward the family of the active request with this target; return False if it has no room."""
        family, previous_family, held_bytes = (
            self._allowance.body_families.family_of(target),
            self.family,
            self.held_bytes,
        )
        if family is previous_family:
            return True
        self.release_from(self._released_end)
        self.family = family
        if self.hold_bytes(held_bytes):
            return True
        self.family, self.held_bytes = previous_family, held_bytes
        self._allowance.add_bytes(self.held_bytes, self)
        return False

    def count_as_head(self) -> None:
        """Count toward heads until a request is active."""
        self._move_to_family(BodyFamily.HEADS)

    def count_as_refused(self) -> None:
        """Stop counting against others; the application is about to release what is held."""
        self._move_to_family(BodyFamily.REFUSED_BODIES)

    def release_to_next_head(self, position: int) -> None:
        """Release all bytes before the one at this position; the others belong to the next head."""
        self.release_before(position)
        self.count_as_head()

    def release_before(self, position: int) -> None:
        """Release all bytes before the one at this position."""
        byte_count = min(position - self._released_end, self.held_bytes)
        if byte_count > 0:
            self._released_end += byte_count
            self.held_bytes -= byte_count
            self._allowance.add_bytes(-byte_count, self)
            if self._allowance.is_strained:
                self._allowance.check_relief()

    def release_from(self, position: int) -> None:
        """Release the byte at this position and all after it."""
        byte_count = self.held_bytes - max(position - self._released_end, 0)
        if byte_count > 0:
            self.held_bytes -= byte_count
            self._allowance.add_bytes(-byte_count, self)

    def release_all(self) -> None:
        """Release everything."""
        self.release_before(self._released_end + self.held_bytes)

    def _move_to_family(self, family: BodyFamily) -> None:
        if family is self.family:
            return
        if self.held_bytes:
            self._allowance.move_share(self, family)
        else:
            self.family = family


def _find_target(data: bytes) -> bytes:
    method_end = data.find(b" ", 0, _MAX_TARGET_BYTES)
    if method_end < 0:
        return b""
    target_end = data.find(b" ", method_end + 1, _MAX_TARGET_BYTES)
    return data[method_end + 1 : target_end if target_end >= 0 else _MAX_TARGET_BYTES]
