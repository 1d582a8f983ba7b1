"""Everything that the reading routes need, as one dependency, because each dependency costs the framework time."""

from dataclasses import dataclass, field
from typing import Any

from cachetools import LRUCache
from litestar import Request

from tallyroom.auth.recheck import remembered_principal
from tallyroom.bots.directory import DirectoryCache
from tallyroom.bots.history import HistoryReader
from tallyroom.bots.statistics_api.records import BotRecordBuilder
from tallyroom.storage.event_store.scope import ListingScope
from tallyroom.storage.metadata.connection import Database

EncodedAnswerCache = LRUCache[object, bytes]
"""Encoded answers, keyed by their question and everything they depend on."""

MAX_CACHED_ANSWERS = 256


@dataclass
class StatisticsServices:
    """The services that answer any workspace's requests; the app keeps them at `app.state.statistics`."""

    database: Database
    directory_cache: DirectoryCache
    record_builder: BotRecordBuilder
    history_reader: HistoryReader
    answer_cache: EncodedAnswerCache = field(default_factory=lambda: LRUCache(MAX_CACHED_ANSWERS))


@dataclass(kw_only=True)
class StatisticsContext(StatisticsServices):
    """The listing of a request, and the services that answer it."""

    listing: ListingScope


async def provide_context(request: Request[Any, Any, Any]) -> StatisticsContext:
    """Provide the dependency `context`, with the listing of the principal's workspace.

    A TypeError, a bug, means that the route's guard admits anyone.
    """
    principal = remembered_principal(request)
    if principal is None:
        raise TypeError(f"{request.url.path} is about a listing but no guard tells whose")
    services: StatisticsServices = request.app.state.statistics
    return StatisticsContext(**vars(services), listing=ListingScope(principal.workspace_id))
