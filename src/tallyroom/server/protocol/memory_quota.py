"""One allowance for the bytes of all unanswered requests, shared by all connections (rules/safety#memory).

Each connection may send as much as a request may have, and there may be thousands of connections. The less a connection
holds, the longer it finds room: a large one only while a fraction of what it holds stays free for others, a small one
as long as there is any room at all.

A family of routes may use what others leave idle. A family with a part of its own gets this part back when it needs it,
and a small request always gets its room: others that are still arriving give way, strangers' first, and of each family
those from which nothing has come for longest.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Protocol

from tallyroom.rest.body_families import OPEN_FAMILIES, BodyFamilies, BodyFamily

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

STRANGERS: Final = OPEN_FAMILIES | {BodyFamily.HEADS}
"""The families that give way first; together, they may use all the room for large connections."""

_KEPT_FOR_SMALL = 10  # one tenth is reserved for small connections
_STRAIN_DIVISOR, _RELIEF_DIVISOR = 4, 32  # over one part in four held is much, under one part in 32 is little
_OWN_TO_FREE = 4  # a large one may hold up to this multiple of what is free: of 100 MB, one connection can get 72


class Shareholder(Protocol):
    """What one connection holds.

    Attributes:
        family: the one that its bytes count toward.
    """

    family: BodyFamily

    @property
    def held(self) -> int:
        """The bytes held now."""
        ...

    def give_way(self) -> bool:
        """Let go of what is arriving, so that others have its room; False if there is nothing of this kind."""
        ...


class Allowance:
    """The bytes that all connections together may hold; used only on the event loop.

    Args:
        most: the number of bytes, a tenth of which is reserved for small connections.
        families: tells the family of a request.
        on_relief: called when little is held after much was.

    Attributes:
        held: the bytes held now.
        held_by: those of each family.
        shares: those that hold something, by family; the one that has grown last comes last.
        is_strained: whether much has been held since `on_relief` was last called.
    """

    def __init__(self, most: int, families: BodyFamilies, on_relief: Callable[[], object] = bool) -> None:
        self._most = most
        self._most_for_large = most - most // _KEPT_FOR_SMALL
        self._on_relief = on_relief
        self.families = families
        self.shares: dict[BodyFamily, OrderedDict[Shareholder, None]] = {family: OrderedDict() for family in BodyFamily}
        self.held_by: Counter[BodyFamily] = Counter()
        self.held = 0
        self.is_strained = False

    def has_room(self, size: int, share: Shareholder) -> bool:
        """Return whether there is room for `size` more bytes of a connection, perhaps because others give way."""
        return self._fits(size, share) or any(self._fits(size, share) for _ in self._make_room(size, share))

    def count(self, size: int, share: Shareholder) -> None:
        """Count `size` more bytes, or fewer if negative, after the share has changed."""
        self.held += size
        self.held_by[share.family] += size
        shares = self.shares[share.family]
        if not share.held:
            shares.pop(share, None)
        elif size > 0:
            shares[share] = None
            shares.move_to_end(share)

    def move(self, share: Shareholder, family: BodyFamily) -> None:
        """Count all bytes of a share toward another family, whether or not there is room."""
        size = share.held
        self.shares[share.family].pop(share, None)
        self.held_by[share.family] -= size
        share.family = family
        self.held_by[family] += size
        if size:
            self.shares[family][share] = None

    def look_for_relief(self) -> None:
        """Call `on_relief` if little is held now, after much was."""
        if self.is_strained and self.held * _RELIEF_DIVISOR < self._most:
            self.is_strained = False
            self._on_relief()

    def _fits(self, size: int, share: Shareholder) -> bool:
        own = share.held + size
        if share.family in STRANGERS and not _has_place(own, self._left_to_strangers(share.family) - size):
            return False
        total = self.held - self.held_by[BodyFamily.REFUSED_BODIES] + size
        if own <= SMALL_BYTES:
            return total <= self._most
        self.is_strained |= total * _STRAIN_DIVISOR > self._most
        return _has_place(own, self._most_for_large - total)

    def _left_to_strangers(self, family: BodyFamily) -> int:
        left = self._most_for_large - sum(self.held_by[stranger] for stranger in STRANGERS)
        return min(left, self._left_of(OPEN_PART, family)) if family in OPEN_FAMILIES else left

    def _left_of(self, part: float, family: BodyFamily) -> int:
        return int(part * self._most_for_large) - self.held_by[family]

    def _make_room(self, size: int, share: Shareholder) -> Iterator[None]:
        """Let others give way, and stop after each of them."""
        for family in self._giving_way_to(size, share):
            shares = self.shares[family]
            for _ in range(len(shares)):
                if not shares or not self._has_to_give(family):
                    break
                other = next(iter(shares))
                shares.move_to_end(other)
                if other is not share and other.give_way():
                    yield

    def _giving_way_to(self, size: int, share: Shareholder) -> list[BodyFamily]:
        own, family = share.held + size, share.family
        is_small = own <= SMALL_BYTES
        if family in OPEN_FAMILIES and self._left_of(OPEN_PART, family) < size:
            return [family] if is_small else []
        if family in PARTS and _has_place(own, self._left_of(PARTS[family], family) - size):
            return [*self._by_size(STRANGERS), *self._by_size(PARTS)]
        return self._by_size(STRANGERS) if is_small else []

    def _by_size(self, families: Iterable[BodyFamily]) -> list[BodyFamily]:
        return sorted(families, key=lambda family: self.held_by[family], reverse=True)

    def _has_to_give(self, family: BodyFamily) -> bool:
        return family in STRANGERS or self._left_of(PARTS[family], family) < 0


def _has_place(own: int, free: int) -> bool:
    return free >= 0 if own <= SMALL_BYTES else own <= _OWN_TO_FREE * free
