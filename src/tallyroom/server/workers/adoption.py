"""Delivers what is left in the spool of a worker that is gone, and transfers its responsibilities."""

import asyncio
from collections.abc import Callable

import msgspec

from tallyroom.cluster import erasure_repository as repository
from tallyroom.core.errors import TallyroomError, Unavailable
from tallyroom.server.dependencies import build_erasure
from tallyroom.server.services import Services

_POLL_SECONDS = 0.5
_MAX_TRIES = 3


class NotAdopted(TallyroomError):
    """The spool could not be emptied; it stays unchanged, and another attempt continues with what is left."""


class Adoption(msgspec.Struct, frozen=True):
    """The result of adopting a spool; `dead_letters` stay there, and `keeper_spool_id` now answers for its events."""

    spool: int
    events: int
    dead_letters: int
    keeper_spool_id: int | None


async def adopt_spool(
    services: Services, report_waiting_count: Callable[[int], object], patience_seconds: float
) -> Adoption:
    """Empty the spool of `services`, which no one else uses, and close them; afterwards, no start uses it again.

    `report_waiting_count` gets the number of events left, repeatedly. Raises `NotAdopted`, also after
    `patience_seconds` without progress.
    """
    try:
        if obstacle := services.admission.obstacle:
            raise NotAdopted(f"{obstacle} Nothing is lost: the other events are still in the spool. Try again.")
        await services.database.join_workers()
        await _wait_drained(services, report_waiting_count, patience_seconds)
        keeper_spool_id = await _pass_on_duties(services)
        spool_counts = services.completeness_check.count_events(is_settled=False).spool_counts
        return Adoption(spool_counts.spool, services.drain.drained_count, spool_counts.dead_letters, keeper_spool_id)
    except Unavailable as error:
        raise NotAdopted(
            f"{error.message} Nothing is lost: the other events are still in the spool. Try again."
        ) from error
    finally:
        await services.close()


async def _wait_drained(
    services: Services, report_waiting_count: Callable[[int], object], patience_seconds: float
) -> None:
    loop = asyncio.get_running_loop()
    drained_count, deadline = services.drain.drained_count, loop.time() + patience_seconds
    while not await services.drain.wait_settled(_POLL_SECONDS):
        if services.drain.drained_count > drained_count:
            drained_count, deadline = services.drain.drained_count, loop.time() + patience_seconds
        if loop.time() > deadline:
            raise NotAdopted(f"The event store accepts no events: {services.drain.failure_reason or 'it is too slow'}.")
        report_waiting_count(services.completeness_check.count_events(is_settled=False).spool_counts.queued)


async def _pass_on_duties(services: Services) -> int | None:
    """Settle what others expect from this spool, and then make another worker responsible for it."""
    erasure = build_erasure(services)
    for _ in range(_MAX_TRIES):
        await erasure.erase_for_others()
        await services.idempotency_registry.settle_keys()
        await services.cap.report_counts()
        async with services.database.session(write=True) as db:
            if await repository.give_up_spool(db, services.spool.identity):
                return await repository.find_keeper(db, services.spool.identity)
    raise NotAdopted("Erasures arrive faster than this spool can process them. Try again.")
