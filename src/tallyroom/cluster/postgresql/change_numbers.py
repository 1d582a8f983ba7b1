"""What one process knows of the change numbers in the database."""

import math
import time
from collections.abc import Callable, Mapping

from tallyroom.storage.metadata.connection import ChangeKind

CHANGE_CHANNEL = "change_numbers"  # on which the database announces each change, as in ``access 12``

READ_CHANGE_NUMBERS = "SELECT kind, number FROM change_numbers"

# Changes whose requests are answered only when all workers have seen them.
AWAITED_KINDS: tuple[ChangeKind, ...] = ("access", "removals")

INCREMENT_REMOVALS = """
WITH counted AS (UPDATE change_numbers SET number = number + 1 WHERE kind = 'removals' RETURNING number)
SELECT pg_notify('change_numbers', 'removals ' || number) FROM counted"""

_MAX_CHANGES = 1 << 48  # more changes than can ever happen


class ChangeNumbers:
    """One number for each kind of change; `monotonic` is in seconds.

    While this process is not informed of changes, each read returns a different number, so that nothing stays cached.
    Everything known before is discarded, because the connection may now lead to another database.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._trusted_until = math.inf
        self._number_by_kind: dict[str, int] = {}
        self._is_listening = False
        self._last_unique_version = 0
        self._begin_count = 0

    @property
    def is_informed(self) -> bool:
        """Whether this process is informed of every change and still within its trusted time."""
        return self._is_listening and self.is_trusted

    @property
    def is_trusted(self) -> bool:
        """Whether the time up to which this process may trust what it knows has not yet passed."""
        return self._monotonic() < self._trusted_until

    def change_version(self, change_kind: ChangeKind) -> int:
        """Return a number that differs whenever something of this kind may have changed."""
        if not self.is_informed:
            self._last_unique_version -= 1
            return self._last_unique_version
        return self._begin_count * _MAX_CHANGES + self._number_by_kind[change_kind]

    def last_number(self, change_kind: ChangeKind) -> int:
        """Return the number of the last change of this kind that this process has seen; 0 if none."""
        return self._number_by_kind.get(change_kind, 0)

    def begin_listening(self, number_by_kind: Mapping[str, int]) -> None:
        """Adopt the numbers in the database; now, this process is informed of every change."""
        self._number_by_kind, self._is_listening = dict(number_by_kind), True
        self._begin_count += 1

    def update(self, number_by_kind: Mapping[str, int]) -> None:
        """Adopt the current numbers in the database, even if this process may have missed changes before."""
        (self.advance if self.is_informed else self.begin_listening)(number_by_kind)

    def advance(self, number_by_kind: Mapping[str, int]) -> None:
        """Adopt committed numbers. Older ones that arrive late change nothing."""
        for kind, number in number_by_kind.items():
            self._number_by_kind[kind] = max(number, self._number_by_kind.get(kind, 0))

    def trust(self, *, until: float) -> None:
        """Trust what this process knows up to `until` on its monotonic clock, and no longer."""
        self._trusted_until = until

    def distrust(self) -> None:
        """Trust nothing until `begin_listening`, unless others know until when this process trusts, and wait for it."""
        if self._trusted_until == math.inf:
            self._is_listening = False
