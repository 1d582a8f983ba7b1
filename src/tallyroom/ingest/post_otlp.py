"""`POST /v1/traces`, `/v1/logs`, `/v1/metrics`: plain ASGI applications, as ingest is.

Refusals follow the order of the steps: 429, 401, 415, 413, 400, 503 (rules/events#otlp-requests). Bad input is never a
500: an exporter would drop its data.
"""

import asyncio
from collections.abc import Mapping

from litestar.types import HTTPScope, Receive, Send

from tallyroom.core.clock import Clock
from tallyroom.core.errors import Unavailable, UnsupportedMediaType
from tallyroom.core.log import request_id_var
from tallyroom.ingest import body as ingest_body
from tallyroom.ingest.acceptance.accept_otlp import AcceptOtlp
from tallyroom.ingest.admission import IngestAdmission, noted
from tallyroom.ingest.body import ClientGone, inflate, receive_body
from tallyroom.ingest.otlp.body import MAX_BODY_BYTES, TakenPieces, take_json, take_protobuf
from tallyroom.ingest.otlp.pack import LeftRecords
from tallyroom.ingest.otlp.signals import Signal
from tallyroom.ingest.otlp_answers import Encoding, encoding_of, refusal, success
from tallyroom.ingest.refusals import Refusals
from tallyroom.ingest.validation.body_readers import BodyReaders
from tallyroom.rest.answer import send_answer
from tallyroom.storage.event_store.scope import Scope

_LARGE_BYTES = 250_000  # a body of this size takes some milliseconds to check


class OtlpLimits:
    """Reads one large body at a time, of all signals, and beside it one that is not large, by the bytes sent.

    Each may expand to many times as much, so two bound the memory. What has expanded to a large body is read by another
    process, because no other thread could go on while it is read here.
    """

    def __init__(self) -> None:
        self._large = asyncio.Lock()
        self._others = asyncio.Lock()

    def turn(self, sent_bytes: int) -> asyncio.Lock:
        """Return what a body of this size must hold while it is read."""
        return self._large if sent_bytes > _LARGE_BYTES else self._others


class ReceiveOtlp:
    """Accepts the requests of one signal, and answers 200 when they are durable.

    Args:
        signal: the signal.
        admission: checks rate limit and key.
        accept: the way into the spool.
        bounds: shared by all signals.
        readers: read large bodies.
        refusals: remembers why a request was refused.
        clock: the time of receipt.
    """

    def __init__(
        self,
        signal: Signal,
        admission: IngestAdmission,
        accept: AcceptOtlp,
        bounds: OtlpLimits,
        readers: BodyReaders,
        refusals: Refusals,
        clock: Clock,
    ) -> None:
        self._signal = signal
        self._admission = admission
        self._accept = accept
        self._bounds = bounds
        self._readers = readers
        self._refusals = refusals
        self._clock = clock

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> int:
        """Answer one request and return the status."""
        headers = dict(scope["headers"])
        request_id = request_id_var.get()
        encoding = encoding_of(headers.get(b"content-type"))
        answer_encoding = encoding or Encoding.JSON
        workspace_id: str | None = None
        try:
            principal = await self._admission.admit(scope, headers)
            workspace_id = principal.workspace_id
            records = await self._read(_required(encoding), headers, receive)
            left = await self._keep(headers, records)
        except ClientGone:
            return 0
        except asyncio.CancelledError:  # the server stops and has waited long enough
            stops = Unavailable("The server is stopping. Send the request again.")
            await send_answer(send, refusal(stops, answer_encoding, request_id))
            raise
        except Exception as error:  # noqa: BLE001 # the last resort: whatever it is, the client gets the one error shape
            reason = noted(error, self._refusals, request_id, workspace_id)
            return await send_answer(send, refusal(reason, answer_encoding, request_id))
        return await send_answer(send, success(self._signal, left, answer_encoding, request_id))

    async def _keep(self, headers: Mapping[bytes, bytes], records: TakenPieces) -> LeftRecords:
        left = None
        while left is None:
            principal = await self._admission.confirm(headers)
            own = Scope(principal.workspace_id, principal.environment)
            left = await self._accept.accept(own, principal.plan, self._signal, records, self._clock.now_ms())
        return left

    async def _read(self, encoding: Encoding, headers: Mapping[bytes, bytes], receive: Receive) -> TakenPieces:
        compression = ingest_body.encoding_of(headers)
        raw_body = await receive_body(headers, receive, limit=MAX_BODY_BYTES)
        async with self._bounds.turn(len(raw_body)):
            body = raw_body
            if compression is not None:
                body = await asyncio.to_thread(inflate, raw_body, compression, MAX_BODY_BYTES)
            if len(body) > _LARGE_BYTES:
                return await self._readers.records(self._signal.name, body, json=encoding is Encoding.JSON)
            take = take_json if encoding is Encoding.JSON else take_protobuf
            return await asyncio.to_thread(take, self._signal, body)


def _required(encoding: Encoding | None) -> Encoding:
    if encoding is None:
        raise UnsupportedMediaType("send Content-Type: application/x-protobuf, or application/json")
    return encoding
