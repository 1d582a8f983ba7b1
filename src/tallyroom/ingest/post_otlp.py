"""`POST /v1/traces`, `/v1/logs`, `/v1/metrics`: plain ASGI applications, like `POST /v1/events`.

Bad input is never a 500: an exporter would drop its data (rules/events#otlp-requests).
"""

import asyncio

from tallyroom.core.clock import Clock
from tallyroom.core.errors import TallyroomError, UnsupportedMediaType
from tallyroom.ingest.acceptance.accept import OtlpAcceptor
from tallyroom.ingest.admission import AdmissionControl
from tallyroom.ingest.body import find_compression, inflate, receive_body
from tallyroom.ingest.otlp.body import MAX_BODY_BYTES, CheckedPieces, read_json, read_protobuf
from tallyroom.ingest.otlp.signals import Signal
from tallyroom.ingest.otlp_answers import OtlpEncoding, build_otlp_refusal, build_otlp_success, find_encoding
from tallyroom.ingest.refusals import Refusals
from tallyroom.ingest.request import IngestRequest, scope_of
from tallyroom.ingest.route import IngestRoute
from tallyroom.ingest.validation.body_readers import BodyReaders
from tallyroom.rest.answer import HttpAnswer

_LARGE_BODY_BYTES = 250_000  # a body of this size takes a few milliseconds to check


class OtlpReadLocks:
    """Reads one large and one small body at a time, of all signals: each may expand to many times its size."""

    def __init__(self) -> None:
        self._large_lock = asyncio.Lock()
        self._small_lock = asyncio.Lock()

    def choose_lock(self, sent_bytes: int) -> asyncio.Lock:
        """Return the lock to hold while reading a body of this size."""
        return self._large_lock if sent_bytes > _LARGE_BODY_BYTES else self._small_lock


class IngestOtlp(IngestRoute):
    """Accepts the requests of one signal, and answers 200 when they are durable."""

    def __init__(
        self,
        signal: Signal,
        admission_control: AdmissionControl,
        acceptor: OtlpAcceptor,
        read_locks: OtlpReadLocks,
        body_readers: BodyReaders,
        refusals: Refusals,
        clock: Clock,
    ) -> None:
        super().__init__(refusals)
        self._signal = signal
        self._admission_control = admission_control
        self._acceptor = acceptor
        self._read_locks = read_locks
        self._body_readers = body_readers
        self._clock = clock

    async def _ingest(self, request: IngestRequest) -> HttpAnswer:
        await self._admission_control.limit_rate(request)  # 429
        await self._admission_control.authenticate(request)  # 401
        encoding = find_encoding(request.headers.get(b"content-type"))
        if encoding is None:
            raise UnsupportedMediaType("Send Content-Type: application/x-protobuf or application/json.")  # 415
        checked_pieces = await self._read_body(encoding, request)  # 415, 413, 400
        left_out = None
        while left_out is None:
            principal = await self._admission_control.authenticate(request)  # 401
            left_out = await self._acceptor.accept(  # 503
                scope_of(principal), principal.plan, self._signal, checked_pieces, self._clock.now_ms()
            )
        return build_otlp_success(self._signal, left_out, encoding, request.request_id)

    def _build_refusal(self, error: TallyroomError, request: IngestRequest) -> HttpAnswer:
        encoding = find_encoding(request.headers.get(b"content-type")) or OtlpEncoding.JSON
        return build_otlp_refusal(error, encoding, request.request_id)

    async def _read_body(self, encoding: OtlpEncoding, request: IngestRequest) -> CheckedPieces:
        compression = find_compression(request.headers)
        raw_body = await receive_body(request.headers, request.receive, max_bytes=MAX_BODY_BYTES)
        async with self._read_locks.choose_lock(len(raw_body)):
            body = raw_body
            if compression is not None:
                body = await asyncio.to_thread(inflate, raw_body, compression, MAX_BODY_BYTES)
            is_json = encoding is OtlpEncoding.JSON
            if len(body) > _LARGE_BODY_BYTES:
                return await self._body_readers.read_records(self._signal.name, body, json=is_json)
            read_records = read_json if is_json else read_protobuf
            return await asyncio.to_thread(read_records, self._signal, body)
