"""How many bytes of bodies may be on their way in at once: each may be large, and there may be many."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tallyroom.core.errors import Unavailable

_RETRY_AFTER = 1


class Allowance:
    """Counts the bytes of all bodies that are being received; used on the event loop only.

    Args:
        most: bytes that may be held at once.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0

    @contextmanager
    def share(self) -> Iterator[Callable[[int], None]]:
        """What one body adds its bytes to; they are given back at the end of the block.

        Raises:
            Unavailable: adding to it, when there is no room left.
        """
        own = 0

        def add(size: int) -> None:
            nonlocal own
            if self._held + size > self._most:
                raise Unavailable("Too much is being sent at once; send it again in a moment.", _RETRY_AFTER)
            own += size
            self._held += size

        try:
            yield add
        finally:
            self._held -= own
