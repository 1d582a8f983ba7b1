"""`POST /v1/events`: a plain ASGI application, because the framework would cost four times as much as its work."""

import asyncio
from collections.abc import Coroutine
from functools import partial
from typing import Any

from tallyroom.auth.principals import KeyPrincipal
from tallyroom.core.clock import Clock
from tallyroom.core.offload import SideThread
from tallyroom.ingest.acceptance.accept import EventAcceptor
from tallyroom.ingest.acceptance.idempotency import IdempotencyRegistry, parse_queue, require_key_header
from tallyroom.ingest.admission import AdmissionControl
from tallyroom.ingest.body import check_media_type, read_body
from tallyroom.ingest.refusals import Refusals
from tallyroom.ingest.request import IngestRequest, scope_of
from tallyroom.ingest.route import IngestRoute
from tallyroom.ingest.validation.body_readers import BodyReaders
from tallyroom.ingest.validation.event import Event
from tallyroom.ingest.validation.fast import parse, parse_plainly
from tallyroom.rest.answer import Exchange, Header, HttpAnswer
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.queue import OutcomeCallback
from tallyroom.storage.spool.replays import get_keep_ms

_REPLAY_HEADER: Header = (b"idempotent-replayed", b"true")

# A batch of 500 typical events has 150 kB and takes 1 ms. The worst body of 2 MiB takes 270 ms, and a body that needs
# the exact parser takes up to 90 ms for 240 kB. Other processes read those, because they would block all other threads.
_PLAINLY_AT_ONCE_BYTES = 262_144
_EXACTLY_AT_ONCE_BYTES = 16_384
_MAX_INFLATING_BODIES = 64  # bodies of up to 2 MiB

_UNUSUAL_HEADERS = frozenset({b"content-encoding", b"idempotency-key", b"idempotency-after", b"idempotency-queue"})


class IngestEvents(IngestRoute):
    """Accepts one event or a batch, and answers 202 when it is durable."""

    def __init__(
        self,
        admission_control: AdmissionControl,
        acceptor: EventAcceptor,
        idempotency_registry: IdempotencyRegistry,
        body_readers: BodyReaders,
        refusals: Refusals,
        clock: Clock,
    ) -> None:
        super().__init__(refusals)
        self._admission_control = admission_control
        self._acceptor = acceptor
        self._idempotency_registry = idempotency_registry
        self._body_readers = body_readers
        self._clock = clock
        self._inflate_thread = SideThread("inflate", _MAX_INFLATING_BODIES)
        self._tasks: set[asyncio.Task[None]] = set()

    def try_handle_directly(self, exchange: Exchange) -> bool:
        """Handle a complete request with a known key without a task, which would double its cost; False for others."""
        headers = dict(exchange.headers)
        if len(headers) != len(exchange.headers) or not _UNUSUAL_HEADERS.isdisjoint(headers):
            return False
        request = IngestRequest(exchange.client, exchange.headers, headers, exchange.request_id, body=exchange.body)
        try:
            if self._admission_control.recognize_key(request) is None:
                return False
            waiting_step = self._run_steps(request, partial(self._answer, exchange, request))
        except Exception as error:  # noqa: BLE001 # as in `__call__`
            self._answer(exchange, request, error)
            return True
        if waiting_step is not None:
            waiting_step.close()  # it has not begun
            if not request.is_rate_checked:
                return False
            task = asyncio.get_running_loop().create_task(self._answer_later(exchange, request))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return True

    def _run_steps(  # noqa: PLR0911 # one for each step
        self, request: IngestRequest, on_outcome: OutcomeCallback | None = None
    ) -> Coroutine[Any, Any, object] | None:
        """Run the remaining steps, in the order of rules/events#order-of-refusal, and return the first that waits.

        Return None if `on_outcome` is about to be called; without it, the last step waits for the commit.
        """
        if not request.is_rate_checked and not self._admission_control.limit_rate_at_once(request):
            return self._admission_control.limit_rate(request)  # 429
        if (principal := request.principal or self._admission_control.recognize_key(request)) is None:
            return self._admission_control.authenticate(request)  # 401
        check_media_type(request.headers.get(b"content-type"))  # 415
        if (body := request.body) is None:
            return self._read_body(request)  # 415, 413, 400
        if b"idempotency-key" in request.headers and request.idempotent_request is None:
            return self._ingest_keyed(request, principal, body)  # 400, 409, 422
        if (events := request.events) is None:
            request.now_ms = self._clock.now_ms()
            events = _parse_at_once(body, request.now_ms)  # 400, 413
            if events is None:
                return self._parse_in_worker(request, body)  # 400, 413
        if request.is_key_stale:
            request.events = events
            if (principal := self._admission_control.recognize_key(request)) is None:
                return self._admission_control.authenticate(request)  # 401
        scope, plan, now_ms = scope_of(principal), principal.plan, request.now_ms
        if on_outcome is None or not self._acceptor.accept_at_once(scope, plan, events, now_ms, on_outcome):
            return self._store(request, scope, plan, events)  # 402, 503
        request.accepted_count = len(events)
        return None

    async def _ingest(self, request: IngestRequest) -> HttpAnswer:
        await self._run_all_steps(request)
        return _build_accepted(request)

    async def _run_all_steps(self, request: IngestRequest) -> None:
        while not request.accepted_count and (waiting_step := self._run_steps(request)) is not None:
            request.is_key_stale = True
            await waiting_step

    async def _read_body(self, request: IngestRequest) -> None:
        request.body = await read_body(request.headers, request.receive, inflate_thread=self._inflate_thread)
        require_key_header(request.headers)

    async def _ingest_keyed(self, request: IngestRequest, principal: KeyPrincipal, body: bytes) -> None:
        """Run the remaining steps while the idempotency key is in flight; a repeated request runs none."""
        scope = scope_of(principal)
        key_header, after_header = request.headers[b"idempotency-key"], request.headers.get(b"idempotency-after")
        queue = parse_queue(principal.key_id, request.headers.get(b"idempotency-queue"))
        async with self._idempotency_registry.claim_key(scope, key_header, body, queue) as claim:
            idempotent_request, repeated_request = claim
            if repeated_request is not None:
                request.accepted_count, request.is_replayed = repeated_request.event_count, True
                request.key_keep_ms = get_keep_ms(is_queued=repeated_request.is_queued)
                return
            request.key_keep_ms = get_keep_ms(is_queued=queue is not None)
            if after_header is not None and idempotent_request is not None:
                # Wait before the events get the time of receipt.
                await self._idempotency_registry.wait_for_predecessor(scope, after_header, idempotent_request)
            request.idempotent_request = idempotent_request
            await self._run_all_steps(request)

    async def _parse_in_worker(self, request: IngestRequest, body: bytes) -> None:
        if len(body) > _PLAINLY_AT_ONCE_BYTES:
            request.events = await self._body_readers.read_plain_events(body, request.now_ms)
        if request.events is None:
            request.events = await self._body_readers.read_exact_events(body, request.now_ms)

    async def _store(self, request: IngestRequest, scope: Scope, plan: str, events: list[Event]) -> None:
        """Wait until the events are durable, or until there is room for them; then the steps continue."""
        request.accepted_count = await self._acceptor.accept(
            scope, plan, events, request.now_ms, request.idempotent_request
        )

    async def _answer_later(self, exchange: Exchange, request: IngestRequest) -> None:
        """Continue with a direct request that needs the exact parser, or room."""
        request.is_key_stale = True
        try:
            answer = await self._ingest(request)
        except Exception as error:  # noqa: BLE001 # as in `__call__`
            answer = self._refuse(error, request)
        exchange.answer(answer)

    def _answer(self, exchange: Exchange, request: IngestRequest, error: Exception | None) -> None:
        exchange.answer(_build_accepted(request) if error is None else self._refuse(error, request))


def _parse_at_once(body: bytes, now_ms: int) -> list[Event] | None:
    """Return the events of a body that is quick to parse; None for any other body. Raises the errors of `parse`."""
    if len(body) <= _EXACTLY_AT_ONCE_BYTES:
        return parse(body, now_ms)
    return parse_plainly(body, now_ms) if len(body) <= _PLAINLY_AT_ONCE_BYTES else None


def _build_accepted(request: IngestRequest) -> HttpAnswer:
    headers: list[Header] = [(b"x-request-id", request.request_id.encode())]
    if request.is_replayed:
        headers.append(_REPLAY_HEADER)
    if request.key_keep_ms:
        headers.append((b"idempotency-window", b"%d" % (request.key_keep_ms // 1000)))
    return HttpAnswer(202, b'{"accepted":%d}' % request.accepted_count, headers)
