"""`POST /v1/events`: a plain ASGI application, because the framework would cost four times as much as the work itself.

Refusals follow the order of the steps: 429, 401, 415, 413, 400, 402, 503 (rules/events#order-of-refusal).
"""

import asyncio
from collections.abc import Mapping
from functools import partial

from litestar.types import HTTPScope, Receive, Send

from tallyroom.auth.principals import KeyPrincipal
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Unavailable
from tallyroom.core.log import request_id_var
from tallyroom.core.offload import SideThread
from tallyroom.ingest.acceptance.accept import Accept
from tallyroom.ingest.acceptance.idempotency import Replays, check_alone
from tallyroom.ingest.admission import IngestAdmission, noted
from tallyroom.ingest.body import ClientGone, check_media_type, read_body
from tallyroom.ingest.refusals import Refusals
from tallyroom.ingest.validation.body_readers import BodyReaders
from tallyroom.ingest.validation.event import Event
from tallyroom.ingest.validation.fast import parse, parse_plainly
from tallyroom.rest.answer import Exchange, Header, HttpAnswer, refusal, send_answer
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.commit_group import Replay

_REPLAY_HEADERS: tuple[Header, ...] = ((b"idempotent-replayed", b"true"),)
_NO_HEADERS: tuple[Header, ...] = ()

# A batch of 500 typical events has 150 kB and takes 1 ms. The worst body of 2 MiB takes 270 ms, and a body that needs a
# closer look takes up to 90 ms for 240 kB. Those are read by other processes, because no other thread could go on.
_PLAINLY_AT_ONCE_BYTES = 262_144
_EXACTLY_AT_ONCE_BYTES = 16_384
_MOST_INFLATING = 64  # bodies of up to 2 MiB

_UNUSUAL = frozenset({b"content-encoding", b"idempotency-key", b"idempotency-after"})


class IngestEvents:
    """Accepts one event or a batch, and answers 202 when it is durable.

    Args:
        admission: checks rate limit and key.
        accept: the way into the spool.
        replays: idempotency keys.
        readers: read large bodies.
        refusals: remembers why a request was refused.
        clock: the time of receipt.
    """

    def __init__(
        self,
        admission: IngestAdmission,
        accept: Accept,
        replays: Replays,
        readers: BodyReaders,
        refusals: Refusals,
        clock: Clock,
    ) -> None:
        self._admission = admission
        self._accept = accept
        self._replays = replays
        self._readers = readers
        self._refusals = refusals
        self._clock = clock
        self._side = SideThread("inflate", _MOST_INFLATING)
        self._later: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> int:
        """Answer one request and return the status."""
        headers = dict(scope["headers"])
        request_id = request_id_var.get()
        workspace_id: str | None = None
        try:
            principal = await self._admission.admit(scope, headers)
            workspace_id = principal.workspace_id
            check_media_type(headers.get(b"content-type"))
            body = await read_body(headers, receive, side=self._side)
            accepted, is_replay = await self._take(_scope(principal), headers, body)
        except ClientGone:
            return 0
        except asyncio.CancelledError:  # the server stops and has waited long enough
            stops = Unavailable("The server is stopping. Send the request again.")
            await send_answer(send, self._refuse(stops, request_id, workspace_id))
            raise
        except Exception as error:  # noqa: BLE001 # the last resort: whatever it is, the client gets the one error shape
            return await send_answer(send, self._refuse(error, request_id, workspace_id))
        return await send_answer(send, _accepted(accepted, request_id, _REPLAY_HEADERS if is_replay else _NO_HEADERS))

    def direct(self, exchange: Exchange, request_id: str) -> bool:
        """Take a typical request, complete and with a known key, without its own task, which would double its cost.

        The steps are those of `__call__`, in the same order. Return False, with nothing done or counted, if this is
        not a typical request.
        """
        headers = dict(exchange.headers)
        if not _UNUSUAL.isdisjoint(headers):
            return False
        workspace_id: str | None = None
        try:
            principal = self._admission.admit_known(exchange, headers)
            if principal is None:
                return False
            workspace_id = principal.workspace_id
            check_media_type(headers.get(b"content-type"))
            now_ms = self._clock.now_ms()
            events = _parsed_at_once(exchange.body, now_ms)
            if events is not None:
                on_outcome = partial(self._tell, exchange, request_id, workspace_id, len(events))
                if self._accept.begin(_scope(principal), principal.plan, events, now_ms, on_outcome):
                    return True
            later = asyncio.get_running_loop().create_task(self._take_later(exchange, request_id, workspace_id))
            self._later.add(later)
            later.add_done_callback(self._later.discard)
        except Exception as error:  # noqa: BLE001 # as above
            exchange.answer(self._refuse(error, request_id, workspace_id))
        return True

    async def _take_later(self, exchange: Exchange, request_id: str, workspace_id: str) -> None:
        """Continue with a direct request that needs a closer look, or room."""
        try:
            accepted = await self._keep(dict(exchange.headers), exchange.body, None)
        except Exception as error:  # noqa: BLE001 # as above
            exchange.answer(self._refuse(error, request_id, workspace_id))
        else:
            exchange.answer(_accepted(accepted, request_id, _NO_HEADERS))

    def _tell(
        self, exchange: Exchange, request_id: str, workspace_id: str, events: int, error: Exception | None
    ) -> None:
        """Answer a direct request once its result is known."""
        if error is None:
            exchange.answer(_accepted(events, request_id, _NO_HEADERS))
        else:
            exchange.answer(self._refuse(error, request_id, workspace_id))

    async def _take(self, scope: Scope, headers: Mapping[bytes, bytes], body: bytes) -> tuple[int, bool]:
        key, after = headers.get(b"idempotency-key"), headers.get(b"idempotency-after")
        if key is None:
            check_alone(after)
            return await self._keep(headers, body, None), False
        async with self._replays.first_or_again(scope, key, body) as (replay, before):
            if before is not None:
                return before, True
            if after is not None and replay is not None:
                await self._replays.stand_behind(scope, after, replay)  # before the events get the time of receipt
            return await self._keep(headers, body, replay), False

    async def _keep(self, headers: Mapping[bytes, bytes], body: bytes, replay: Replay | None) -> int:
        now_ms = self._clock.now_ms()
        events = _parsed_at_once(body, now_ms)
        if events is None and len(body) > _PLAINLY_AT_ONCE_BYTES:
            events = await self._readers.plain_events(body, now_ms)
        if events is None:
            events = await self._readers.exact_events(body, now_ms)
        accepted = 0
        while not accepted:
            principal = await self._admission.confirm(headers)
            accepted = await self._accept.accept(_scope(principal), principal.plan, events, now_ms, replay)
        return accepted

    def _refuse(self, error: Exception, request_id: str, workspace_id: str | None) -> HttpAnswer:
        """Return the answer to a refused request, and note it in the refusals of the key's workspace."""
        return refusal(noted(error, self._refusals, request_id, workspace_id), request_id)


def _parsed_at_once(body: bytes, now_ms: int) -> list[Event] | None:
    """Return the events of a body that is quick to parse; None for any other body.

    Raises:
        ValidationFailed, PayloadTooLarge: as `parse` does.
    """
    if len(body) <= _EXACTLY_AT_ONCE_BYTES:
        return parse(body, now_ms)
    return parse_plainly(body, now_ms) if len(body) <= _PLAINLY_AT_ONCE_BYTES else None


def _scope(principal: KeyPrincipal) -> Scope:
    return Scope(principal.workspace_id, principal.environment)


def _accepted(events: int, request_id: str, headers: tuple[Header, ...]) -> HttpAnswer:
    return HttpAnswer(202, b'{"accepted":%d}' % events, ((b"x-request-id", request_id.encode()), *headers))
