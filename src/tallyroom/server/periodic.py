"""Small chores that the one event loop repeats while the server runs."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from tallyroom.core.errors import Unavailable

_log = logging.getLogger(__name__)


async def run_every(
    interval_seconds: float, chore: Callable[[], Awaitable[object]], first_seconds: float | None = None
) -> None:
    """Run `chore` every `interval_seconds` until cancelled, first after `first_seconds` if given; failures are logged.

    If the chore has to wait for the same reason several times in a row, it is logged once.
    """
    pause_seconds, wait_reason = interval_seconds if first_seconds is None else first_seconds, ""
    while True:
        await asyncio.sleep(pause_seconds)
        pause_seconds = interval_seconds
        try:
            await chore()
            wait_reason = ""
        except Unavailable as error:
            if str(error) != wait_reason:
                _log.warning("a chore failed and will be retried at its next turn", extra={"reason": str(error)})
            wait_reason = str(error)
        except Exception:  # noqa: BLE001 # one failure must not end the chore
            _log.exception("a chore failed")
