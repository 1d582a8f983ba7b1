"""How long a test waits for what comes at once on a machine that is not busy. Nothing is measured by it."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

PATIENCE = 120.0


def looked_again(check: Callable[[], object], looks: int = 3) -> None:
    """Check what moves with the time, again if it moved just now: an event may leave a span between two questions."""
    for _ in range(looks - 1):
        with suppress(AssertionError):
            check()
            return
    check()


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds that nobody tells of."""
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110 # nobody tells
            await asyncio.sleep(0.01)


def wait_until(holds: Callable[[], object], seconds: float = PATIENCE) -> None:
    """The same, of another process."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it never became so"
        time.sleep(0.01)
