"""The parts of one running server: opened at the start and closed, in order, at the stop."""

import asyncio
import logging
import threading
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from tallyroom.auth.api_keys import KeyCache
from tallyroom.auth.stats_tokens import StatsTokenCache
from tallyroom.auth.tokens.cache import PersonalTokenCache
from tallyroom.bots.outbox import ListingOutbox
from tallyroom.bots.queries import ListingQueries
from tallyroom.bots.statistics_api.feed.import_worker import ImportReader
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Unavailable
from tallyroom.core.ids import IdGenerator
from tallyroom.core.settings import Settings
from tallyroom.core.shared_clock import SharedClock
from tallyroom.core.vault import Vault
from tallyroom.ingest.acceptance.accept import EventAcceptor
from tallyroom.ingest.acceptance.arrivals import ArrivalNotifier
from tallyroom.ingest.acceptance.cap import MonthlyCap
from tallyroom.ingest.acceptance.disk import DiskWatch
from tallyroom.ingest.acceptance.idempotency import IdempotencyRegistry
from tallyroom.ingest.drain.completeness import CompletenessCheck
from tallyroom.ingest.drain.drain import Drain
from tallyroom.ingest.drain.nightly_check import NightlyCheck
from tallyroom.ingest.refusals import Refusals
from tallyroom.ingest.validation.body_readers import BodyReaders
from tallyroom.mail.email import Mailer
from tallyroom.operations.installation.store_admission import StoreAdmission
from tallyroom.operations.property_columns.keeper import PropertyColumnKeeper
from tallyroom.queries.kept_answers.kept_answers import KeptAnswers
from tallyroom.storage.directory_watch import DirectoryWatch
from tallyroom.storage.event_store.column_fill import FillProgress
from tallyroom.storage.event_store.hidden_events import HiddenEvents
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.removals import Removals
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.limits.limits import Limits, RateLimit
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.queue.worker import QueueWorker
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.spool.replays import forget_old_requests

_FORGET_PAUSE_SECONDS = 0.01

_log = logging.getLogger(__name__)


@dataclass(kw_only=True)
class Services:
    """Everything that handlers use, opened on one data directory that only this process holds.

    At the end, `has_successor` says that another process waits for the directory, and delivers what is in the spool.
    """

    settings: Settings
    clock: Clock
    shared_clock: SharedClock
    ids: IdGenerator
    installation: str
    database: Database
    vault: Vault
    key_cache: KeyCache
    stats_tokens: StatsTokenCache
    personal_tokens: PersonalTokenCache
    spool: Spool
    writer: Writer
    reader: EventReader
    property_columns: PropertyColumnKeeper
    hidden_events: HiddenEvents
    number_texts: FillProgress
    removals: Removals
    kept_answers: KeptAnswers
    drain: Drain
    admission: StoreAdmission
    completeness_check: CompletenessCheck
    nightly: NightlyCheck
    listing_outbox: ListingOutbox
    listing_queries: ListingQueries
    disk: DiskWatch
    directory: DirectoryWatch
    cap: MonthlyCap
    arrivals: ArrivalNotifier
    acceptor: EventAcceptor
    idempotency_registry: IdempotencyRegistry
    limits: Limits
    window: RateLimit
    refusals: Refusals
    mailer: Mailer
    queue: QueueWorker
    has_successor: bool = False
    stopping: threading.Event = field(default_factory=threading.Event)
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    body_readers: BodyReaders = field(default_factory=BodyReaders)
    imports: ImportReader = field(default_factory=ImportReader)

    async def flush_last_used(self) -> None:
        """Write when each key and token was last used, which is kept in memory for a while.

        Raises:
            Unavailable: the metadata cannot be written now; everything stays in memory.
        """
        for cache in (self.key_cache, self.stats_tokens, self.personal_tokens):
            await cache.flush_last_used()

    async def flush_newly_used(self) -> None:
        """Like `flush_last_used`, only for idle keys and tokens: people who try one check whether it was used."""
        for cache in (self.key_cache, self.stats_tokens, self.personal_tokens):
            await cache.flush_newly_used()

    async def forget_old_requests(self) -> None:
        """Delete expired idempotency keys, in portions that do not delay the requests between them."""
        now_ms = self.clock.now_ms()
        may_have_more = True
        while may_have_more:
            change = self.spool.change(lambda connection: forget_old_requests(connection, now_ms))
            may_have_more = await asyncio.wrap_future(change)
            await asyncio.sleep(_FORGET_PAUSE_SECONDS)
        await self.idempotency_registry.forget_old_keys()

    async def _flush_before_close(self) -> None:
        try:
            await self.flush_last_used()
        except Unavailable as error:
            _log.warning("the times when keys were last used could not be saved", extra={"reason": error.message})

    async def close(self) -> None:
        """Commit, drain for as long as the settings allow, and close; events that are not drained stay on disk."""
        drain_seconds = 0.0 if self.has_successor else self.settings.stop_seconds
        async with AsyncExitStack() as exit_stack:  # run in reverse order, each even if others fail
            exit_stack.push_async_callback(self.database.close)
            exit_stack.push_async_callback(self.limits.close)
            exit_stack.callback(self.writer.close)
            exit_stack.push_async_callback(asyncio.to_thread, self.reader.close)
            exit_stack.push_async_callback(asyncio.to_thread, self.completeness_check.close)
            exit_stack.push_async_callback(asyncio.to_thread, self.nightly.stop)
            exit_stack.push_async_callback(self.idempotency_registry.close)
            exit_stack.push_async_callback(self.cap.close)
            exit_stack.push_async_callback(asyncio.to_thread, self.spool.close)
            exit_stack.push_async_callback(asyncio.to_thread, self.drain.stop, drain_seconds)
            exit_stack.push_async_callback(asyncio.to_thread, self.admission.close)
            exit_stack.push_async_callback(self._flush_before_close)
            exit_stack.push_async_callback(self.body_readers.close)
            exit_stack.push_async_callback(self.arrivals.close)
            exit_stack.push_async_callback(self.imports.close)
