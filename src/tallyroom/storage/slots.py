"""Decides whose work runs next where only some of it may run at once: keys, such as workspaces, take turns."""

import asyncio
from collections import Counter
from sys import maxsize
from typing import NamedTuple

from tallyroom.core.errors import RateLimited, Unavailable
from tallyroom.storage.fair_queue import FairLine, Place

_AHEAD_IN_A_ROW = 3  # of those who go first, before one of the others gets a turn


class SlotLimits(NamedTuple):
    """How many may run and wait.

    Attributes:
        total: the number of slots.
        patience: the seconds after which work that waits is refused.
        busy: what the refusal says then, and when too many wait in all.
        retry_after: the seconds after which whoever was refused should come back.
        slots_per_key: the number of slots that one key may hold.
        waiting: the number of those who may wait under one key.
        crowd_refusal: what the refusal says when more do.
        most: the number of those who may wait in all, counted apart for those who go first; then the newest of the key
            with the most waiting is refused.
    """

    total: int
    patience: float
    busy: str
    retry_after: int = 1
    slots_per_key: int = maxsize
    waiting: int = maxsize
    crowd_refusal: str = ""
    most: int = maxsize


class Slots:
    """Slots for running work; used on one event loop."""

    def __init__(self, limits: SlotLimits) -> None:
        self._limits = limits
        self._free = limits.total
        self._held: Counter[str] = Counter()
        self._ahead, self._others = FairLine(), FairLine()
        self._in_a_row = 0

    @property
    def running(self) -> int:
        """The number of slots that are taken."""
        return self._held.total()

    @property
    def waiting(self) -> int:
        """The number of those who wait."""
        return len(self._ahead) + len(self._others)

    async def take(self, key: str, *, first: bool = False) -> None:
        """Take a slot for work of a key, as soon as it is its turn; `give_back` returns it.

        Work that goes `first` comes before other work, which has only every fourth turn while both wait.

        Raises:
            RateLimited: too many already wait under the key.
            Unavailable: too many wait in all, or the turn did not come in time.
        """
        line = self._ahead if first else self._others
        self._refuse_crowd(line, key)
        place = line.join(key)
        self._hand_out()
        try:
            async with asyncio.timeout(self._limits.patience):
                await asyncio.shield(place)
        except BaseException as error:
            self._withdraw(line, key, place)
            if isinstance(error, TimeoutError):
                raise self._refusal() from None
            raise

    def give_back(self, key: str) -> None:
        """Give back a slot taken with `take`."""
        self._held[key] -= 1
        self._held += Counter()  # drops keys that hold none
        self._free += 1
        self._hand_out()

    def _refuse_crowd(self, line: FairLine, key: str) -> None:
        if line.waiting(key) >= self._limits.waiting:
            raise RateLimited(self._limits.crowd_refusal, self._limits.retry_after)
        if len(line) >= self._limits.most and not line.make_room(key, self._refusal()):
            raise self._refusal()

    def _hand_out(self) -> None:
        """Hand free slots to those who wait: one to each key, then another to each."""
        while self._free and (key := self._call_next()) is not None:
            self._free -= 1
            self._held[key] += 1

    def _call_next(self) -> str | None:
        lines = (self._ahead, self._others) if self._in_a_row < _AHEAD_IN_A_ROW else (self._others, self._ahead)
        for line in lines:
            key = line.call(lambda key: self._held[key] < self._limits.slots_per_key)
            if key is not None:
                self._in_a_row = self._in_a_row + 1 if line is self._ahead and len(self._others) else 0
                return key
        return None

    def _withdraw(self, line: FairLine, key: str, place: Place) -> None:
        if not place.done():
            line.leave(key, place)
            place.cancel()
        elif place.exception() is None:  # the turn came just as the work was given up
            self.give_back(key)

    def _refusal(self) -> Unavailable:
        return Unavailable(self._limits.busy, self._limits.retry_after)
