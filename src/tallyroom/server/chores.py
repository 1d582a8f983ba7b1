"""The chores of a running server, and its orderly end."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from tallyroom.core.times import HOUR_MS, MINUTE_MS
from tallyroom.images.renderer import Renderer
from tallyroom.ingest.drain.retention import RetentionEraser
from tallyroom.server.dependencies import Dependencies
from tallyroom.server.periodic import every
from tallyroom.server.scheduler.cadence import Cadence
from tallyroom.server.scheduler.job import Job
from tallyroom.server.services import Services
from tallyroom.workspaces.environments.jobs import delete_old_events

Chore = Callable[[], Awaitable[object]]

FLUSH_SECONDS = 30.0
FIRST_USE_SECONDS = 0.5
FORGET_SECONDS = 3600.0
TELL_SECONDS = 1.0  # between two times at which workers learn what others have done, or want from them
LOOK_SECONDS = 0.25  # between two looks at the data directory, so that requests are refused within a second
COUNT_SECONDS = 3600.0
COUNT_FIRST_SECONDS = 2.0  # by then, a range that a crash left open is finished
EXPIRE = Cadence(HOUR_MS)
MAIL = Cadence(MINUTE_MS)


@asynccontextmanager
async def running(services: Services, dependencies: Dependencies) -> AsyncIterator[None]:
    """Run the chores from the start of the server to its stop, and then close everything it uses."""
    await services.database.join_workers()
    chores = [
        asyncio.create_task(services.outbox.run()),
        asyncio.create_task(every(LOOK_SECONDS, _look(services))),
        asyncio.create_task(every(FLUSH_SECONDS, _at_home(services, services.flush))),
        asyncio.create_task(every(FIRST_USE_SECONDS, _at_home(services, services.flush_first_uses))),
        asyncio.create_task(every(FORGET_SECONDS, _at_home(services, services.forget_old_replays))),
        *(
            asyncio.create_task(every(TELL_SECONDS, _at_home(services, chore), first=0.0))
            for chore in _of_workers(services, dependencies)
        ),
        asyncio.create_task(services.scheduler.run(_jobs(services, dependencies))),
        asyncio.create_task(dependencies.delivery_worker.run()),
        asyncio.create_task(dependencies.mails.run()),
        asyncio.create_task(every(COUNT_SECONDS, _at_home(services, _count(services)), first=COUNT_FIRST_SECONDS)),
        asyncio.create_task(_stop_drawing(services, dependencies.renderer)),
    ]
    try:
        yield
    finally:
        await dependencies.reset_requests.close()
        for chore in chores:
            chore.cancel()
        await asyncio.gather(*chores, return_exceptions=True)
        await dependencies.digest_mailer.close()
        await dependencies.back_tests.close()
        await dependencies.renderer.close()
        await services.close()


async def _stop_drawing(services: Services, renderer: Renderer) -> None:
    """Close the renderer as soon as a stop begins, so that requests for pictures are refused and do not delay it."""
    await services.closing.wait()
    await renderer.close()


def _look(services: Services) -> Chore:
    async def look() -> None:
        services.directory.check()

    return look


def _of_workers(services: Services, dependencies: Dependencies) -> list[Chore]:
    """List what each of several workers does for the others; a process alone has nobody to tell."""
    if not services.settings.db_dsn:
        return []
    return [_tell(services), services.removals.announce, dependencies.erasure.catch_up]


def _tell(services: Services) -> Chore:
    """Let other workers know what this one has counted and answered."""

    async def tell() -> None:
        await services.cap.report()
        await services.replays.settle()

    return tell


def _count(services: Services) -> Chore:
    async def count() -> None:
        await asyncio.to_thread(services.completeness_check.compare_counts)

    return count


def _at_home(services: Services, chore: Chore) -> Chore:
    """Wrap a chore so that it is skipped while the data directory is astray, and may fail if it goes astray."""

    async def do() -> None:
        if services.directory.check():
            return
        try:
            await chore()
        except Exception:
            if not services.directory.check():
                raise

    return do


def _jobs(services: Services, dependencies: Dependencies) -> list[Job]:
    """List what is done once for the installation, whichever server does it, and what each does for its own spool."""
    beats = Cadence(services.settings.alert_seconds * 1000)
    return [
        Job("alerts", beats, dependencies.alert_evaluator.run),
        Job("digests", MAIL, dependencies.digest_mailer.start_job),
        Job(f"retention{_of_own_spool(services)}", EXPIRE, _expiry(services)),
    ]


def _of_own_spool(services: Services) -> str:
    """Return what tells a job of this server from that of another, if there are others."""
    return f" of {services.spool.identity}" if services.settings.db_dsn else ""


def _expiry(services: Services) -> Callable[[int], Awaitable[None]]:
    retention = RetentionEraser(services.spool, services.drain, services.writer, services.database.peers)

    async def expire(_due_ms: int) -> None:
        await delete_old_events(services.database, retention, services.clock)

    return expire
