"""All that the reading routes need, as one dependency: the framework takes its time for each."""

from dataclasses import dataclass, field
from typing import Any

from cachetools import LRUCache
from litestar import Request

from tallyroom.auth.recheck import remembered
from tallyroom.bots.directory import Directories
from tallyroom.bots.history import Histories
from tallyroom.db.connection import Database
from tallyroom.statistics.records import Records
from tallyroom.store.scope import Listing

AnswerCache = LRUCache[object, bytes]
"""Answers as they are written, by their question and all that they depend on."""

MOST_CACHED = 256


@dataclass
class StatisticsServices:
    """What answers, whoever asks; the app keeps it at `app.state.statistics`."""

    database: Database
    directories: Directories
    records: Records
    histories: Histories
    answers: AnswerCache = field(default_factory=lambda: LRUCache(MOST_CACHED))


@dataclass(kw_only=True)
class StatisticsContext(StatisticsServices):
    """Whose listing a request is about, and what answers."""

    listing: Listing


async def provide_context(request: Request[Any, Any, Any]) -> StatisticsContext:
    """The dependency `context`: the listing is that of the workspace which the guard found, by a token or a session.

    Raises:
        TypeError: the route's guard lets anybody in; a fault of the program, so a 500.
    """
    principal = remembered(request)
    if principal is None:
        raise TypeError(f"{request.url.path} is about a listing but no guard tells whose")
    services: StatisticsServices = request.app.state.statistics
    return StatisticsContext(**vars(services), listing=Listing(principal.workspace_id))
