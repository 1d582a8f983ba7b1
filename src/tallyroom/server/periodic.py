"""Small chores that the one event loop repeats while the server runs."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from tallyroom.core.errors import Unavailable

_log = logging.getLogger(__name__)


async def every(seconds: float, chore: Callable[[], Awaitable[object]], first: float | None = None) -> None:
    """Run `chore` every `seconds` until cancelled; a failure is logged, and the chore runs again at its next turn.

    If the chore has to wait for the same reason several times in a row, that is logged once.

    The first run comes after `first` seconds, if given.
    """
    wait, waits_for = seconds if first is None else first, ""
    while True:
        await asyncio.sleep(wait)
        wait = seconds
        try:
            await chore()
            waits_for = ""
        except Unavailable as error:
            if str(error) != waits_for:
                _log.warning("a chore waits for its next turn", extra={"reason": str(error)})
            waits_for = str(error)
        except Exception:  # noqa: BLE001 # one failure must not end the chore
            _log.exception("a chore failed")
