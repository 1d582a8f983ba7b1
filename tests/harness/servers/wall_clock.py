"""A wall clock of server processes that a test sets; `at_time` runs a server by it."""

import struct
from pathlib import Path

_TIME = struct.Struct("<q")


class WallClock:
    """The time of all processes that were started with its file; only `set` moves it.

    Args:
        file: has the time, in milliseconds since 1970-01-01 UTC.
    """

    def __init__(self, file: Path) -> None:
        self.file = file

    def set(self, now_ms: int) -> "WallClock":
        """Set the clock, on or back."""
        with self.file.open("r+b" if self.file.exists() else "wb") as file:
            file.write(_TIME.pack(now_ms))
        return self

    def now_ms(self) -> int:
        """Wall clock in milliseconds since 1970-01-01 UTC."""
        (now_ms,) = _TIME.unpack(self.file.read_bytes())
        return int(now_ms)

    def advance(self, seconds: float) -> None:
        """Set the clock on."""
        self.set(self.now_ms() + round(seconds * 1000))
