"""One allowance for the bytes of all unanswered requests, shared by all connections (rules/safety#memory).

The less a connection holds, the longer it finds room. A family of routes may use room that others leave idle, and gets
back its reserved part when it needs it. A small request always finds room: other incoming requests give way, strangers'
first, and in each family those that have been silent for longest.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Protocol

from tallyroom.rest.body_families import OPEN_FAMILIES, BodyFamilies, BodyFamily

SMALL_BYTES: Final = 32_000
"""The most that a small connection may hold: a small body, its head, and another head after it."""

FAMILY_FRACTIONS: Final = {
    BodyFamily.EVENTS: 0.40,
    BodyFamily.TELEMETRY: 0.25,
    BodyFamily.STATISTICS: 0.20,
    BodyFamily.APP: 0.15,
}
"""The part of the room for large connections that is reserved for a family."""

OPEN_FAMILY_FRACTION: Final = 0.25  # the part of this room that all requests of an open family may use together
STRANGER_FAMILIES: Final = OPEN_FAMILIES | {BodyFamily.HEADS}
"""The families that give way first; together, they may use all the room for large connections."""

_SMALL_RESERVE_DIVISOR = 10  # one tenth is reserved for small connections
_STRAIN_DIVISOR, _RELIEF_DIVISOR = 4, 32  # more than a quarter held is much, less than 1/32 is little
_MAX_SHARE_PER_FREE_BYTE = 4  # bytes of a large connection for each free one: of 100 MB, one can get 72


class Shareholder(Protocol):
    """What one connection holds: its `held_bytes` count toward `family`."""

    family: BodyFamily
    held_bytes: int

    def give_way(self) -> bool:
        """Release an incoming request to make room for others; return False if there is none."""


class Allowance:
    """The bytes that all connections together may hold; a tenth of `max_bytes` is reserved for small ones.

    `shares_by_family` has the shares that hold something; the one that has grown last comes last. `on_relief` is called
    when little is held after much was.
    """

    def __init__(self, max_bytes: int, body_families: BodyFamilies, on_relief: Callable[[], object] = bool) -> None:
        self._max_bytes = max_bytes
        self._max_bytes_for_large = max_bytes - max_bytes // _SMALL_RESERVE_DIVISOR
        self._on_relief = on_relief
        self.body_families = body_families
        self.shares_by_family: dict[BodyFamily, OrderedDict[Shareholder, None]] = {
            family: OrderedDict() for family in BodyFamily
        }
        self.held_bytes_by_family = dict.fromkeys(BodyFamily, 0)
        self.held_bytes = 0
        self.is_strained = False

    def has_room(self, byte_count: int, share: Shareholder) -> bool:
        """Return whether there is room for `byte_count` more bytes of a connection; others may give way."""
        return self._fits(byte_count, share) or any(
            self._fits(byte_count, share) for _ in self._make_room(byte_count, share)
        )

    def add_bytes(self, byte_count: int, share: Shareholder) -> None:
        """Count `byte_count` more bytes, or fewer if negative, after the share has changed."""
        family = share.family
        self.held_bytes += byte_count
        self.held_bytes_by_family[family] += byte_count
        shares = self.shares_by_family[family]
        if not share.held_bytes:
            shares.pop(share, None)
        elif byte_count > 0:
            shares[share] = None
            shares.move_to_end(share)

    def move_share(self, share: Shareholder, family: BodyFamily) -> None:
        """Count all bytes of a share toward another family, even if it has no room."""
        byte_count = share.held_bytes
        self.shares_by_family[share.family].pop(share, None)
        self.held_bytes_by_family[share.family] -= byte_count
        share.family = family
        self.held_bytes_by_family[family] += byte_count
        if byte_count:
            self.shares_by_family[family][share] = None

    def check_relief(self) -> None:
        """Call `on_relief` if little is held now, after much was."""
        if self.is_strained and self.held_bytes * _RELIEF_DIVISOR < self._max_bytes:
            self.is_strained = False
            self._on_relief()

    def _fits(self, byte_count: int, share: Shareholder) -> bool:
        share_bytes = share.held_bytes + byte_count
        if share.family in STRANGER_FAMILIES and not _has_room_beside(
            share_bytes, self._count_free_bytes_for_strangers(share.family) - byte_count
        ):
            return False
        total_bytes = self.held_bytes - self.held_bytes_by_family[BodyFamily.REFUSED_BODIES] + byte_count
        if share_bytes <= SMALL_BYTES:
            return total_bytes <= self._max_bytes
        self.is_strained |= total_bytes * _STRAIN_DIVISOR > self._max_bytes
        return _has_room_beside(share_bytes, self._max_bytes_for_large - total_bytes)

    def _count_free_bytes_for_strangers(self, family: BodyFamily) -> int:
        free_bytes = self._max_bytes_for_large - sum(
            self.held_bytes_by_family[stranger] for stranger in STRANGER_FAMILIES
        )
        return (
            min(free_bytes, self._count_free_bytes_of(OPEN_FAMILY_FRACTION, family))
            if family in OPEN_FAMILIES
            else free_bytes
        )

    def _count_free_bytes_of(self, fraction: float, family: BodyFamily) -> int:
        return int(fraction * self._max_bytes_for_large) - self.held_bytes_by_family[family]

    def _make_room(self, byte_count: int, share: Shareholder) -> Iterator[None]:
        """Let others give way, and yield after each of them."""
        for family in self._list_yielding_families(byte_count, share):
            shares = self.shares_by_family[family]
            for _ in range(len(shares)):
                if not shares or not self._must_yield(family):
                    break
                other_share = next(iter(shares))
                shares.move_to_end(other_share)
                if other_share is not share and other_share.give_way():
                    yield

    def _list_yielding_families(self, byte_count: int, share: Shareholder) -> list[BodyFamily]:
        share_bytes, family = share.held_bytes + byte_count, share.family
        is_small = share_bytes <= SMALL_BYTES
        if family in OPEN_FAMILIES and self._count_free_bytes_of(OPEN_FAMILY_FRACTION, family) < byte_count:
            return [family] if is_small else []
        if family in FAMILY_FRACTIONS and _has_room_beside(
            share_bytes, self._count_free_bytes_of(FAMILY_FRACTIONS[family], family) - byte_count
        ):
            return [*self._sort_by_held_bytes(STRANGER_FAMILIES), *self._sort_by_held_bytes(FAMILY_FRACTIONS)]
        return self._sort_by_held_bytes(STRANGER_FAMILIES) if is_small else []

    def _sort_by_held_bytes(self, families: Iterable[BodyFamily]) -> list[BodyFamily]:
        return sorted(families, key=lambda family: self.held_bytes_by_family[family], reverse=True)

    def _must_yield(self, family: BodyFamily) -> bool:
        return family in STRANGER_FAMILIES or self._count_free_bytes_of(FAMILY_FRACTIONS[family], family) < 0


def _has_room_beside(share_bytes: int, free_bytes: int) -> bool:
    return free_bytes >= 0 if share_bytes <= SMALL_BYTES else share_bytes <= _MAX_SHARE_PER_FREE_BYTE * free_bytes
