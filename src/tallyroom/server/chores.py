"""The periodic chores of a running server, and its orderly shutdown."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

from tallyroom.core.errors import Unavailable
from tallyroom.core.times import HOUR_MS, MINUTE_MS
from tallyroom.images.renderer import Renderer
from tallyroom.ingest.drain.retention import RetentionEraser
from tallyroom.server.dependencies import Dependencies
from tallyroom.server.periodic import run_every
from tallyroom.server.scheduler.handler import REFRESH_SECONDS
from tallyroom.server.scheduler.job import Cadence, Job
from tallyroom.server.services import Services
from tallyroom.storage.event_store.backend.embedded.resident import give_back_code
from tallyroom.storage.event_store.column_fill import fill_months
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.number_texts import NUMBER_TEXTS, NUMBER_TEXTS_INDEX
from tallyroom.storage.queue.item import Handler
from tallyroom.workspaces.environments.jobs import delete_old_events

Chore = Callable[[], Awaitable[object]]

FLUSH_SECONDS = 30.0
NEWLY_USED_FLUSH_SECONDS = 0.5
IDEMPOTENCY_CLEANUP_SECONDS = 3600.0
WORKER_EXCHANGE_SECONDS = 1.0  # how often workers exchange what they have done and what they need
DIRECTORY_CHECK_SECONDS = 0.25  # how often the data directory is checked, so that requests are refused within a second
COUNT_CHECK_SECONDS = 3600.0
COLUMN_REFRESH_SECONDS = 30.0  # a column is dropped long after workers have stopped reading it
FIRST_COUNT_CHECK_SECONDS = 2.0  # by then, a range that a crash left open is finished
FILL_CHECK_SECONDS = 5.0  # how often each worker looks which months are filled, until all are
FILL_CADENCE = Cadence(MINUTE_MS)
RETENTION_CADENCE = Cadence(HOUR_MS)
DIGEST_CADENCE = Cadence(MINUTE_MS)
COLUMN_CADENCE = Cadence(MINUTE_MS)


@asynccontextmanager
async def run_chores(services: Services, dependencies: Dependencies) -> AsyncIterator[None]:
    """Run the chores while the server runs, then close everything that it uses."""
    await services.database.join_workers()
    dependencies.job_handler.set_jobs(_build_jobs(services, dependencies))
    tasks = [
        asyncio.create_task(services.listing_outbox.run()),
        asyncio.create_task(run_every(DIRECTORY_CHECK_SECONDS, _build_directory_check(services))),
        *(
            asyncio.create_task(run_every(seconds, _unless_astray(services, chore), first_seconds))
            for seconds, chore, first_seconds in _list_own_chores(services)
        ),
        *(
            asyncio.create_task(run_every(WORKER_EXCHANGE_SECONDS, _unless_astray(services, chore), first_seconds=0.0))
            for chore in _list_worker_chores(services, dependencies)
        ),
        asyncio.create_task(run_every(REFRESH_SECONDS, dependencies.job_handler.refresh, first_seconds=0.0)),
        asyncio.create_task(services.queue.run(_list_queue_handlers(dependencies))),
        asyncio.create_task(run_every(COUNT_CHECK_SECONDS, _build_count_check(services), FIRST_COUNT_CHECK_SECONDS)),
        asyncio.create_task(run_every(FILL_CHECK_SECONDS, _build_fill_check(services))),
        asyncio.create_task(_close_renderer_at_stop(services, dependencies.renderer)),
    ]
    try:
        yield
    finally:
        await dependencies.reset_requests.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await dependencies.back_tests.close()
        await dependencies.renderer.close()
        await services.close()


async def _close_renderer_at_stop(services: Services, renderer: Renderer) -> None:
    """Close the renderer as soon as a stop begins, so that requests for pictures are refused and do not delay it."""
    await services.closing.wait()
    await renderer.close()


def _build_directory_check(services: Services) -> Chore:
    async def check_directory() -> None:
        services.directory.check()

    return check_directory


def _list_own_chores(services: Services) -> list[tuple[float, Chore, float | None]]:
    """List what a server does for itself, how often, and, if sooner, when first, in seconds."""
    return [
        (FLUSH_SECONDS, services.flush_last_used, None),
        (NEWLY_USED_FLUSH_SECONDS, services.flush_newly_used, None),
        (IDEMPOTENCY_CLEANUP_SECONDS, services.forget_old_requests, None),
        (COLUMN_REFRESH_SECONDS, services.property_columns.refresh, 0.0),
    ]


def _list_worker_chores(services: Services, dependencies: Dependencies) -> list[Chore]:
    """List what each of several workers does for the others; empty for a single process."""
    if not services.settings.db_dsn:
        return []
    return [_build_worker_report(services), services.removals.announce, dependencies.erasure.erase_for_others]


def _build_worker_report(services: Services) -> Chore:
    """Report to other workers what this one has counted and answered."""

    async def report_to_workers() -> None:
        await services.cap.report_counts()
        await services.idempotency_registry.settle_keys()

    return report_to_workers


def _build_count_check(services: Services) -> Chore:
    async def compare_counts() -> None:
        await asyncio.to_thread(services.completeness_check.compare_counts)
        await asyncio.to_thread(give_back_code)  # counting has loaded 80 MB of it, and there may be no query for hours

    return _unless_astray(services, compare_counts)


def _build_fill_check(services: Services) -> Chore:
    async def read_progress() -> None:
        if services.number_texts.is_complete or services.admission.obstacle:
            return
        try:
            await asyncio.to_thread(services.number_texts.refresh, services.writer.command)
        except StoreError as error:
            raise Unavailable(f"It is unknown which months are filled: {str(error)[:500]}") from error

    return _unless_astray(services, read_progress)


def _unless_astray(services: Services, chore: Chore) -> Chore:
    """Wrap a chore so that it is skipped while the data directory is astray, and may fail if it goes astray."""

    async def run_unless_astray() -> None:
        if services.directory.check():
            return
        try:
            await chore()
        except Exception:
            if not services.directory.check():
                raise

    return run_unless_astray


def _list_queue_handlers(dependencies: Dependencies) -> list[Handler]:
    return [
        dependencies.job_handler,
        *dependencies.delivery_handlers,
        dependencies.mails,
        dependencies.digest_mailer,
    ]


def _build_jobs(services: Services, dependencies: Dependencies) -> list[Job]:
    """List the jobs of the installation, which any server may run, and the jobs for this server's own spool."""
    alert_cadence = Cadence(services.settings.alert_seconds * 1000)
    return [
        Job("alerts", alert_cadence, dependencies.alert_evaluator.run),
        Job("digests", DIGEST_CADENCE, dependencies.digest_mailer.claim_due_digests),
        Job("property columns", COLUMN_CADENCE, partial(services.property_columns.run, wait=services.stopping.wait)),
        Job("number texts", FILL_CADENCE, _build_number_texts_fill(services)),
        Job(f"retention{_own_spool_suffix(services)}", RETENTION_CADENCE, _build_retention_run(services)),
    ]


def _build_number_texts_fill(services: Services) -> Callable[[int], Awaitable[None]]:
    async def fill_number_texts(_due_ms: int) -> None:
        if services.number_texts.is_complete:
            return
        try:
            fill = partial(fill_months, services.writer.command, NUMBER_TEXTS, index=NUMBER_TEXTS_INDEX)
            await asyncio.to_thread(fill, services.stopping.wait)
        except StoreError as error:
            raise Unavailable(f"Earlier months cannot be rewritten now: {str(error)[:500]}") from error

    return fill_number_texts


def _own_spool_suffix(services: Services) -> str:
    """Return a suffix that distinguishes this server's jobs from other servers' jobs, if there are any."""
    return f" of {services.spool.identity}" if services.settings.db_dsn else ""


def _build_retention_run(services: Services) -> Callable[[int], Awaitable[None]]:
    eraser = RetentionEraser(services.spool, services.drain, services.writer, services.database.peers)

    async def delete_expired(_due_ms: int) -> None:
        await delete_old_events(services.database, eraser, services.clock)

    return delete_expired
