"""Refuses new events before the disk is full, leaving room to move acknowledged ones (rules/safety#full-disk)."""

import shutil
from pathlib import Path

from tallyroom.core.clock import Clock
from tallyroom.core.errors import Unavailable

_CHECK_INTERVAL_SECONDS = 1.0
_RETRY_AFTER_SECONDS = 30


class DiskWatch:
    """Checks the free space of the data directory at most once a second."""

    def __init__(self, data_dir: Path, reserve_bytes: int, clock: Clock) -> None:
        self._data_dir = data_dir
        self._reserve_bytes = reserve_bytes
        self._clock = clock
        self._next_check_s = float("-inf")
        self.free_bytes = 0

    def refuse_when_low(self) -> None:
        """Check the free space at most once a second; raises `Unavailable` if it is low, or cannot be read."""
        now = self._clock.monotonic()
        if now >= self._next_check_s:
            self.free_bytes = self._read_free_bytes()
            self._next_check_s = now + _CHECK_INTERVAL_SECONDS
        if self.free_bytes < self._reserve_bytes:
            raise Unavailable("The server's disk is nearly full, so it accepts no new events.", _RETRY_AFTER_SECONDS)

    def _read_free_bytes(self) -> int:
        try:
            return shutil.disk_usage(self._data_dir).free
        except OSError as error:
            message = "The server's disk does not respond, so it accepts no new events."
            raise Unavailable(message, _RETRY_AFTER_SECONDS) from error
