"""Fetches the values of External widgets, each at most once a minute (rules/boards#external-value)."""

import asyncio
import math
import re
from collections.abc import Hashable
from http import HTTPStatus
from typing import Final
from weakref import WeakValueDictionary

import msgspec
from cachetools import Cache, LRUCache, TTLCache

from tallyroom.core.clock import Clock
from tallyroom.core.cluster_answers import AnswerCache, ClusterAnswers
from tallyroom.core.errors import Unavailable
from tallyroom.core.fetch.fetcher import GuardedFetcher
from tallyroom.core.fetch.messages import FetchFailed, OutboundAnswer, OutboundRequest
from tallyroom.core.fetch.url import read_url
from tallyroom.core.offload import SideThread
from tallyroom.core.shared_answers import FailureCache, SharedAnswers
from tallyroom.core.vault import SecretUnreadable, Vault
from tallyroom.queries.query_plan import FetchOutcome, FetchRequest
from tallyroom.queries.repository import StoredSource, find_source
from tallyroom.queries.value_path import PathWrong, find_value
from tallyroom.queries.values import Value, to_answer_value
from tallyroom.storage.metadata.connection import Database

VALUE_TTL_SECONDS: Final = 60
FAILURE_TTL_SECONDS: Final = 10
MAX_TEXT_LENGTH: Final = 1000

_LAST_VALUE_TTL_SECONDS: Final = 7 * 24 * 3600.0
_SHARED_FETCH_TTL_SECONDS: Final = 1.0  # workers that ask for the same URL within this time share one request
_MAX_OUTCOMES: Final = 5_000
_MAX_CONCURRENT_FETCHES: Final = 8  # per workspace
_MAX_WAIT_SECONDS: Final = 10
_MAX_WAITING_TASKS: Final = 64

_NUMBER_PATTERN: Final = re.compile(
    r"\s*[+-]?(?:[0-9]{1,400}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][+-]?[0-9]{1,4})?\s*"
)


class ExternalReader:
    """Fetches values and caches them for a minute; `cache` shares them between workers, None if there is only one."""

    def __init__(
        self, database: Database, vault: Vault, fetcher: GuardedFetcher, clock: Clock, cache: AnswerCache | None = None
    ) -> None:
        self._database = database
        self._vault = vault
        self._fetcher = fetcher
        self._clock = clock
        self._decoder_thread = SideThread("external", _MAX_WAITING_TASKS)
        outcome_cache = TTLCache[Hashable, FetchOutcome](_MAX_OUTCOMES, VALUE_TTL_SECONDS, clock.monotonic)
        failure_cache = TTLCache[Hashable, Exception](_MAX_OUTCOMES, FAILURE_TTL_SECONDS, clock.monotonic)
        self._cluster_outcomes: ClusterAnswers[FetchOutcome] | None = None
        cluster_answers: ClusterAnswers[OutboundAnswer] | None = None
        if cache is not None:
            self._cluster_outcomes = ClusterAnswers(
                cache, "value", FetchOutcome, VALUE_TTL_SECONDS, FetchFailed, FAILURE_TTL_SECONDS
            )
            cluster_answers = ClusterAnswers(cache, "fetch", OutboundAnswer, _SHARED_FETCH_TTL_SECONDS)
        self._shared_outcomes = SharedAnswers(
            outcome_cache,
            failure_cache=FailureCache((FetchFailed,), failure_cache),
            cluster_answers=self._cluster_outcomes,
        )
        # Shares only requests that are in flight.
        self._shared_answers = SharedAnswers(Cache[Hashable, OutboundAnswer](0), cluster_answers=cluster_answers)
        self._last_outcome_by_fetch = LRUCache[Hashable, FetchOutcome](_MAX_OUTCOMES)
        self._semaphore_by_workspace_id: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def fetch(self, fetch_request: FetchRequest, workspace_id: str) -> FetchOutcome:
        """Return a widget's value; if it cannot be fetched now, the reason and the last known value."""
        source = await find_source(self._database, workspace_id, fetch_request.source_id)
        if source is None:
            return FetchOutcome(error="The external source was deleted.")
        cache_key = (workspace_id, source.updated_at_ms, fetch_request)
        try:
            if read_url(fetch_request.url).authority != source.host:
                return FetchOutcome(error="The URL is not on the host of the external source.")
            outcome = await self._shared_outcomes.get(
                cache_key, lambda: self._fetch_outcome(fetch_request, workspace_id, source)
            )
        except FetchFailed as error:
            return msgspec.structs.replace(await self._find_last_outcome(workspace_id, fetch_request), error=str(error))
        self._last_outcome_by_fetch[workspace_id, fetch_request] = outcome
        return outcome

    async def _find_last_outcome(self, workspace_id: str, fetch_request: FetchRequest) -> FetchOutcome:
        """Return the newest value that any worker has fetched; an outcome without a value if there is none."""
        own_outcome = self._last_outcome_by_fetch.get((workspace_id, fetch_request), FetchOutcome())
        cluster_outcome = (
            await self._cluster_outcomes.get_last((workspace_id, fetch_request)) if self._cluster_outcomes else None
        )
        return max(own_outcome, cluster_outcome or own_outcome, key=lambda outcome: outcome.fetched_at_ms or 0)

    async def _fetch_outcome(
        self, fetch_request: FetchRequest, workspace_id: str, source: StoredSource
    ) -> FetchOutcome:
        cache_key = (workspace_id, fetch_request.source_id, source.updated_at_ms, fetch_request.url)
        answer = await self._shared_answers.get(
            cache_key, lambda: self._send_request(fetch_request.url, workspace_id, source)
        )
        fetched_at_ms = self._clock.now_ms()
        try:
            value = await self._decoder_thread.run(read_value, answer, fetch_request)
        except Unavailable:
            raise FetchFailed("Too many responses are queued. Try again shortly.") from None
        outcome = FetchOutcome(value=value, fetched_at_ms=fetched_at_ms)
        if self._cluster_outcomes is not None:
            await self._cluster_outcomes.remember((workspace_id, fetch_request), outcome, _LAST_VALUE_TTL_SECONDS)
        return outcome

    async def _send_request(self, url: str, workspace_id: str, source: StoredSource) -> OutboundAnswer:
        semaphore = self._semaphore_by_workspace_id.setdefault(workspace_id, asyncio.Semaphore(_MAX_CONCURRENT_FETCHES))
        request = OutboundRequest(
            url=url, headers={"Accept": "application/json", **self._build_credential_header(source)}
        )
        try:
            async with asyncio.timeout(_MAX_WAIT_SECONDS):
                await semaphore.acquire()
        except TimeoutError:
            raise FetchFailed("Too many fetches of this workspace are queued. Try again shortly.") from None
        try:
            return await self._fetcher.send(request)
        finally:
            semaphore.release()

    def _build_credential_header(self, source: StoredSource) -> dict[str, str]:
        if source.token is None:
            return {}
        try:
            token = self._vault.decrypt(source.token)
        except SecretUnreadable:
            raise FetchFailed("The stored token cannot be read; set it again.") from None
        return {"Authorization": f"Bearer {token}"} if source.header_name is None else {source.header_name: token}


def read_value(answer: OutboundAnswer, fetch_request: FetchRequest) -> Value | str:
    """Return a widget's value from an answer, or raise `FetchFailed` if it has none. It may take long."""
    _refuse_unusable_answer(answer)
    try:
        document = msgspec.json.decode(answer.body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise FetchFailed("The response is not valid JSON.") from None
    try:
        value = find_value(document, fetch_request.value_path)
    except PathWrong as error:
        raise FetchFailed(f"valuePath {error}.") from None
    if value is None:
        raise FetchFailed("The response has no value at valuePath.")
    return _to_number(value) if fetch_request.value_type == "number" else _to_text(value)


def _refuse_unusable_answer(answer: OutboundAnswer) -> None:
    if HTTPStatus.MULTIPLE_CHOICES <= answer.status < HTTPStatus.BAD_REQUEST:
        raise FetchFailed(f"The source responded with HTTP {answer.status}; redirects are not followed.")
    if not HTTPStatus.OK <= answer.status < HTTPStatus.MULTIPLE_CHOICES:
        raise FetchFailed(f"The source responded with HTTP {answer.status}.")
    if answer.content_type != "application/json" and not answer.content_type.endswith("+json"):
        raise FetchFailed("The response is not JSON: its Content-Type is not application/json.")


def _to_number(value: object) -> Value:
    if isinstance(value, str) and _NUMBER_PATTERN.fullmatch(value):
        value = float(value)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise FetchFailed("The value at valuePath is not a number.")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise FetchFailed("The number at valuePath is too large.")
    return to_answer_value(number)


def _to_text(value: object) -> str:
    """Return a text, or a JSON number or boolean as text; integers have no decimal point."""
    if isinstance(value, dict | list):
        raise FetchFailed("The value at valuePath is a list or an object.")
    value = to_answer_value(value) if isinstance(value, float) else value
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    if len(text) > MAX_TEXT_LENGTH:
        raise FetchFailed(f"The text at valuePath has more than {MAX_TEXT_LENGTH} characters.")
    return text
