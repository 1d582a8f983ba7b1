"""The answers to exporters, in the content type of their request (rules/events#otlp-requests)."""

from enum import Enum
from http import HTTPStatus
from typing import Any

from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message
from google.rpc.code_pb2 import Code
from google.rpc.status_pb2 import Status

from tallyroom.core.errors import TallyroomError
from tallyroom.core.event_limits import MAX_EVENT_BYTES
from tallyroom.ingest.otlp.pack import LeftOutCounts
from tallyroom.ingest.otlp.signals import Signal
from tallyroom.rest.answer import JSON, Header, HttpAnswer

PROTOBUF = b"application/x-protobuf"

_CODE_BY_STATUS = {
    HTTPStatus.BAD_REQUEST: Code.INVALID_ARGUMENT,
    HTTPStatus.UNAUTHORIZED: Code.UNAUTHENTICATED,
    HTTPStatus.REQUEST_TIMEOUT: Code.DEADLINE_EXCEEDED,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: Code.INVALID_ARGUMENT,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: Code.INVALID_ARGUMENT,
    HTTPStatus.TOO_MANY_REQUESTS: Code.RESOURCE_EXHAUSTED,
    HTTPStatus.SERVICE_UNAVAILABLE: Code.UNAVAILABLE,
}


class OtlpEncoding(Enum):
    """The content type of requests and answers."""

    PROTOBUF = PROTOBUF
    JSON = JSON

    def encode(self, message: Message) -> bytes:
        """Encode a message."""
        if self is OtlpEncoding.PROTOBUF:
            return message.SerializeToString()
        return MessageToJson(message, indent=None).encode()


def find_encoding(content_type: bytes | None) -> OtlpEncoding | None:
    """Return the encoding in a header; None if it is not supported."""
    media_type = (content_type or b"").split(b";", maxsplit=1)[0].strip().lower()
    return next((encoding for encoding in OtlpEncoding if encoding.value == media_type), None)


def build_otlp_success(signal: Signal, left_out: LeftOutCounts, encoding: OtlpEncoding, request_id: str) -> HttpAnswer:
    """Return the answer that everything is durable, except the records left out, with their number and the reasons."""
    response: Any = signal.response_class()
    if left_out.record_count or left_out.events:
        setattr(response.partial_success, signal.rejected_count_field, left_out.record_count)
        response.partial_success.error_message = _describe_left_out(signal, left_out)
    return HttpAnswer(HTTPStatus.OK, encoding.encode(response), [_build_request_id_header(request_id)], encoding.value)


def build_otlp_refusal(error: TallyroomError, encoding: OtlpEncoding, request_id: str) -> HttpAnswer:
    """Return an error as a `google.rpc.Status`."""
    status = Status(code=_CODE_BY_STATUS.get(HTTPStatus(error.status), Code.INTERNAL), message=error.message)
    headers = [(name.encode(), value.encode()) for name, value in error.headers.items()]
    headers.append(_build_request_id_header(request_id))
    return HttpAnswer(error.status, encoding.encode(status), headers, encoding.value)


def _describe_left_out(signal: Signal, left_out: LeftOutCounts) -> str:
    reasons = []
    if left_out.too_large:
        reasons.append(f"{left_out.too_large} {signal.record_noun} are larger than {MAX_EVENT_BYTES} bytes")
    if left_out.past_cap:
        reasons.append(f"{left_out.past_cap} {signal.record_noun} exceed the free plan's monthly cap")
    if left_out.events:
        reasons.append(f"{left_out.events} span events are larger than {MAX_EVENT_BYTES} bytes")
    return "Left out: " + "; ".join(reasons) + "."


def _build_request_id_header(request_id: str) -> Header:
    return b"x-request-id", request_id.encode()
