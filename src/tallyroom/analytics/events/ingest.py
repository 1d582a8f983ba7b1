"""`POST /v1/events`: a plain ASGI application, because the framework would cost four times the work itself.

The order of refusal is the order of the steps: 429, 401, 415, 413, 400, 402, 503 (contract 4).
"""

import asyncio
import logging

from litestar.types import HTTPScope, Receive, Send

from tallyroom.analytics.answer import Header, send_error, send_json
from tallyroom.analytics.events.gate import IngestGate
from tallyroom.auth.api_keys import KeyRefused
from tallyroom.auth.tenant import KeyPrincipal
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Internal, TallyroomError, Unavailable
from tallyroom.core.log import request_id_var
from tallyroom.ingest.accept import Accept
from tallyroom.ingest.body import ClientGone, check_media_type, read_body
from tallyroom.ingest.fast import parse
from tallyroom.ingest.refusals import Refusals
from tallyroom.ingest.replays import Replays
from tallyroom.spool.group import Replay
from tallyroom.store.scope import Scope

_REPLAYED: Header = (b"idempotent-replayed", b"true")

# A batch of 500 usual events has 150 kB and takes 1 ms. The worst body of 2 MiB takes 270 ms, during which the loop has
# other requests to serve.
_PARSED_AT_ONCE_BYTES = 262_144

_log = logging.getLogger(__name__)


class IngestEvents:
    """Takes one event or a batch and answers 202 when it is durable.

    Args:
        gate: rate limit and key.
        accept: the way into the spool.
        replays: idempotency keys.
        refusals: remembers why a request was refused.
        clock: the time of receipt.
    """

    def __init__(self, gate: IngestGate, accept: Accept, replays: Replays, refusals: Refusals, clock: Clock) -> None:
        self._gate = gate
        self._accept = accept
        self._replays = replays
        self._refusals = refusals
        self._clock = clock

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> int:
        """Answer one request and return the status."""
        headers = dict(scope["headers"])
        workspace_id: str | None = None
        try:
            principal = await self._gate.admit(scope, headers)
            workspace_id = principal.workspace_id
            check_media_type(headers.get(b"content-type"))
            body = await read_body(headers, receive)
            accepted, replayed = await self._take(principal, headers.get(b"idempotency-key"), body)
        except ClientGone:
            return 0
        except asyncio.CancelledError:  # the server stops and has waited long enough
            await self._refuse(send, Unavailable("The server stops; send the request again."), workspace_id)
            raise
        except TallyroomError as error:
            if isinstance(error, KeyRefused):
                workspace_id = error.workspace_id
            return await self._refuse(send, error, workspace_id)
        except Exception:  # noqa: BLE001 # the last resort: whatever it is, the client gets the one error shape
            _log.exception("ingest failed")
            return await self._refuse(send, Internal("The server failed; its log has the reason."), workspace_id)
        request_id = (b"x-request-id", request_id_var.get().encode())
        return await send_json(
            send, 202, b'{"accepted":%d}' % accepted, [request_id, _REPLAYED] if replayed else [request_id]
        )

    async def _take(self, principal: KeyPrincipal, key: bytes | None, body: bytes) -> tuple[int, bool]:
        event_scope = Scope(principal.workspace_id, principal.environment)
        if key is None:
            return await self._keep(event_scope, principal.plan, body, None), False
        with self._replays.first_or_again(event_scope, key, body) as (replay, before):
            if before is not None:
                return before, True
            return await self._keep(event_scope, principal.plan, body, replay), False

    async def _keep(self, scope: Scope, plan: str, body: bytes, replay: Replay | None) -> int:
        now_ms = self._clock.now_ms()
        if len(body) <= _PARSED_AT_ONCE_BYTES:
            events = parse(body, now_ms)
        else:
            events = await asyncio.to_thread(parse, body, now_ms)
        return await self._accept.accept(scope, plan, events, now_ms, replay)

    async def _refuse(self, send: Send, error: TallyroomError, workspace_id: str | None) -> int:
        request_id = request_id_var.get()
        if workspace_id is not None:
            self._refusals.note(workspace_id, error, request_id)
        return await send_error(send, error, request_id)
