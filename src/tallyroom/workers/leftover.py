"""Empties the spool of a directory that no worker serves from any more, as after a start with fewer workers."""

import asyncio
import gc
import logging
import signal

from tallyroom.core.errors import Unavailable
from tallyroom.services import Services
from tallyroom.workers.lifeline import Lifeline

_PATIENCE_SECONDS = 1.0  # until the next look at whether to stop

_log = logging.getLogger(__name__)


def empty_spool(services: Services, lifeline: Lifeline) -> None:
    """Deliver everything in the spool, and close; or stop early when asked to, and leave the rest where it is."""
    gc.enable()
    asyncio.run(_empty(services, lifeline))


async def _empty(services: Services, lifeline: Lifeline) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, services.stopping.set)
    lifeline.opened(services.database.peers.name(), services.spool.identity, services.stopping.set)
    try:
        await services.database.join()
        lifeline.started()
        while not services.stopping.is_set():
            if await _is_done(services):
                break
    finally:
        await services.close()


async def _is_done(services: Services) -> bool:
    """Return whether all events are in the store, and what they count for is told to the other workers."""
    if not await services.drain.settled(_PATIENCE_SECONDS):
        return False
    try:
        await services.cap.report()
        await services.replays.settle()
    except Unavailable as error:
        _log.warning("what this spool has counted cannot be told yet", extra={"reason": str(error)})
        await asyncio.sleep(_PATIENCE_SECONDS)
        return False
    return True
