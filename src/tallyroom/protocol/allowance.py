"""One allowance for the bytes of all unanswered requests, shared by all connections (rules/safety#memory).

Each connection may send as much as a request may have, and there may be thousands of connections. The less a connection
holds, the longer it finds room: a large one only while a fraction of what it holds stays free for others, a small one
as long as there is any room at all.

A family of routes may use what others leave idle. A family with a part of its own gets this part back when it needs it:
requests that are still arriving give way, strangers' first, then those of families that use more than their part.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from tallyroom.rest.body_families import OPEN, BodyFamilies, BodyFamily

SMALL_BYTES: Final = 32_000
"""The most a connection may hold and still count as small: a small body, its head, and another head after it."""

PARTS: Final = {
    BodyFamily.EVENTS: 0.40,
    BodyFamily.TELEMETRY: 0.25,
    BodyFamily.STATISTICS: 0.20,
    BodyFamily.APP: 0.15,
}
"""The part of the room for large connections that a family gets back when it needs it."""

OPEN_PART: Final = 0.25
"""The part of this room that all requests of an open family may use together."""

_KEPT_FOR_SMALL = 10  # one tenth is reserved for small connections
_STRAINED, _RELIEVED = 4, 32  # over one part in four held is much, under one part in 32 is little
_OWN_TO_FREE = 4  # a large one may hold up to this multiple of what is free: of 100 MB, one connection can get 72
_LONGEST_START = 4_096  # of a head, with its method and target
_FIRST_TO_YIELD = OPEN | {BodyFamily.HEADS}


class Allowance:
    """The bytes that all connections together may hold; used only on the event loop.

    Args:
        most: the number of bytes, a tenth of which is reserved for small connections.
        families: tells the family of a request.
        relieved: called when little is held after much was.

    Attributes:
        held: the bytes held now.
        held_by: those of each family.
        yielding: those of requests that were refused to make room, and which the application still has.
        is_strained: whether much has been held since `relieved` was last called.
    """

    def __init__(self, most: int, families: BodyFamilies, relieved: Callable[[], object] = bool) -> None:
        self._most = most
        self._most_for_large = most - most // _KEPT_FOR_SMALL
        self._relieved = relieved
        self.families = families
        self.shares: set[Share] = set()
        self.held_by: Counter[BodyFamily] = Counter()
        self.is_strained = False
        self.held = self.yielding = 0

    def share(self, give_way: Callable[[], bool] = bool) -> "Share":
        """Return the share of a new connection, which holds nothing yet.

        Args:
            give_way: refuses the request that is arriving, and tells whether there is one.
        """
        return Share(self, give_way)

    def has_room(self, size: int, share: "Share") -> bool:
        """Return whether there is room for `size` more bytes of a connection, perhaps because others give way."""
        if share.family in OPEN and not self._has_open_place(size, share):
            return False
        if self._fits(size, share):
            return True
        if not self._may_claim(size, share):
            return False
        return any(self._fits(size, share) for other in self._yielding_to(share) if other.give_way())

    def look_for_relief(self) -> None:
        """Call `relieved` if little is held now."""
        if self.held * _RELIEVED < self._most:
            self.is_strained = False
            self._relieved()

    def _fits(self, size: int, share: "Share") -> bool:
        held, own = self.held - self.yielding + size, share.held + size
        if own <= SMALL_BYTES:
            return held <= self._most
        self.is_strained |= held * _STRAINED > self._most
        return _has_place(own, self._most_for_large - held)

    def _has_open_place(self, size: int, share: "Share") -> bool:
        most = int(OPEN_PART * self._most_for_large)
        return _has_place(share.held + size, most - self.held_by[share.family] - size)

    def _may_claim(self, size: int, share: "Share") -> bool:
        if share.family in PARTS:
            part = int(PARTS[share.family] * self._most_for_large)
            return _has_place(share.held + size, part - self.held_by[share.family] - size)
        return share.held + size <= SMALL_BYTES

    def _yielding_to(self, share: "Share") -> Iterator["Share"]:
        """Yield those that give way, the largest first; to a small request of a stranger, only larger ones of these."""
        others = sorted(self.shares - {share}, key=lambda other: other.held, reverse=True)
        has_part = share.family in PARTS
        for other in others:
            if other.family in _FIRST_TO_YIELD and (has_part or other.held > SMALL_BYTES // 2):
                yield other
        for other in others:
            if has_part and self._has_more_than_its_part(other.family):
                yield other

    def _has_more_than_its_part(self, family: BodyFamily) -> bool:
        return family in PARTS and self.held_by[family] > PARTS[family] * self._most_for_large


def _target_of(data: bytes) -> bytes:
    words = data[:_LONGEST_START].split(b" ", 2)
    return words[1] if len(words) > 1 else b""


def _has_place(own: int, free: int) -> bool:
    return free >= 0 if own <= SMALL_BYTES else own <= _OWN_TO_FREE * free


class Share:
    """The bytes that one connection holds; they are numbered as they arrive, and given back up to a number.

    Attributes:
        family: the family of the newest request whose head is complete.
    """

    def __init__(self, allowance: Allowance, give_way: Callable[[], bool]) -> None:
        self._allowance = allowance
        self._give_way = give_way
        self._taken = self._given_back = 0
        self._is_yielding = False
        self.family = BodyFamily.HEADS

    @property
    def held(self) -> int:
        """The bytes held now."""
        return self._taken - self._given_back

    def take(self, size: int) -> bool:
        """Hold `size` more bytes; False, and they are not held, if there is no room for them."""
        allowance = self._allowance
        if not allowance.has_room(size, self):
            return False
        if not self.held:
            allowance.shares.add(self)
        self._taken += size
        allowance.held += size
        allowance.held_by[self.family] += size
        return True

    def take_piece(self, data: bytes) -> bool:
        """Hold the bytes of a piece; if a request begins with it, its target says whose room it can have."""
        if not self.held:
            self.begin(_target_of(data))
        return self.take(len(data))

    def begin(self, target: bytes) -> None:
        """Count toward the family of the request with this target, whose head is complete."""
        self._move(self._allowance.families.of(target))

    def wait_for_head(self) -> None:
        """Count toward heads until it is known that there is a request."""
        self._move(BodyFamily.HEADS)

    def rest(self, number: int) -> None:
        """Give back all bytes before the one with this number; the others belong to the next head."""
        self.give_back_to(number)
        self._move(BodyFamily.HEADS)

    def give_way(self) -> bool:
        """Refuse the request that is arriving, so that others have its room; False if there is none."""
        if self._is_yielding:
            return False
        self._is_yielding = True
        self._allowance.yielding += self.held
        if self._give_way():
            return True
        self._is_yielding = False
        self._allowance.yielding -= self.held
        return False

    def give_back_to(self, number: int) -> None:
        """Give back all bytes before the one with this number."""
        size = number - self._given_back
        if size <= 0:
            return
        allowance = self._allowance
        allowance.held -= size
        allowance.held_by[self.family] -= size
        if self._is_yielding:
            allowance.yielding -= size
        self._given_back = number
        if not self.held:
            allowance.shares.discard(self)
        if allowance.is_strained:
            allowance.look_for_relief()

    def give_back_all(self) -> None:
        """Give back everything."""
        self.give_back_to(self._taken)

    def _move(self, family: BodyFamily) -> None:
        if family is not self.family:
            self._allowance.held_by[self.family] -= self.held
            self._allowance.held_by[family] += self.held
            self.family = family
