"""The description of the ingest routes, which bypass the framework."""

from typing import Any

from tallyroom.ingest.otlp.signals import Signal
from tallyroom.server.openapi.schemas import describe_error, describe_json_body, schema_reference

Json = dict[str, Any]

_REFUSAL_BY_STATUS = {
    "400": "the payload is not valid; `details` names up to 20 wrong fields, and a field of each other wrong event",
    "401": "the key is missing, malformed, unknown or revoked",
    "402": "the free plan's monthly cap has been reached",
    "409": "a request with this Idempotency-Key is running, or the one in Idempotency-After was refused or is missing",
    "413": "more than 500 events, an event over 64 KiB or a body over 2 MiB",
    "415": "not JSON, or an unsupported encoding",
    "422": "the Idempotency-Key was used with another body",
    "429": "more than 6000 requests in 60 seconds from this IP",
    "503": "the event cannot be made durable at the moment",
}

_IDEMPOTENCY_PARAMETERS: list[Json] = [
    {
        "name": "Idempotency-Key",
        "in": "header",
        "description": (
            "1 to 255 visible ASCII characters. The same key and body count once within 24 hours, or, for the newest 16"
            " keys of an Idempotency-Queue, within 60 days."
        ),
        "schema": {"type": "string", "minLength": 1, "maxLength": 255},
    },
    {
        "name": "Idempotency-Queue",
        "in": "header",
        "description": (
            "A random name for the sender, with an Idempotency-Key: the server remembers the newest 16 keys of each"
            " queue for 60 days, and at most 10,000 queues of an API key."
        ),
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{22}$"},
    },
    {
        "name": "Idempotency-After",
        "in": "header",
        "description": (
            "The Idempotency-Key of another request: these events are stored after its events, even if both are in"
            " progress. If that request is refused or does not arrive, the response is 409 and nothing is stored."
        ),
        "schema": {"type": "string", "minLength": 1, "maxLength": 255},
    },
]

_OTLP_MEDIA_TYPES = ("application/x-protobuf", "application/json")
_OTLP_REFUSAL_BY_STATUS = {
    "400": "the body cannot be decoded",
    "401": _REFUSAL_BY_STATUS["401"],
    "413": "a body over 64 MiB decompressed",
    "415": "neither protobuf nor JSON, or an unsupported encoding",
    "429": _REFUSAL_BY_STATUS["429"],
    "503": "the records cannot be made durable at the moment",
}


def describe_ingest() -> Json:
    """Describe `POST /v1/events`."""
    body = {"oneOf": [schema_reference("EventIn"), schema_reference("EventBatch")]}
    return {
        "summary": "Send one event or a batch",
        "description": "202 means that every event is on disk and will be counted within a second.",
        "operationId": "IngestEvents",
        "tags": ["events"],
        "security": [{"bearer": []}],
        "parameters": _IDEMPOTENCY_PARAMETERS,
        "requestBody": describe_json_body(body),
        "responses": {
            "202": {
                "description": "Every event is durable.",
                "headers": {
                    "Idempotent-Replayed": {
                        "description": "The request repeats an earlier one, and its events already count.",
                        "schema": {"type": "string", "enum": ["true"]},
                    },
                    "Idempotency-Window": {
                        "description": "How many seconds the Idempotency-Key is remembered; absent without a key.",
                        "schema": {"type": "integer"},
                    },
                },
                "content": {"application/json": {"schema": schema_reference("AcceptedOut")}},
            },
            **{status: describe_error(text) for status, text in _REFUSAL_BY_STATUS.items()},
        },
    }


def describe_otlp(signal: Signal) -> Json:
    """Describe an OTLP route; OpenTelemetry has published no JSON schema for its messages."""

    def describe_content(message_name: str) -> Json:
        return {media_type: {"schema": {"description": message_name}} for media_type in _OTLP_MEDIA_TYPES}

    request_name, response_name = (
        message_type.DESCRIPTOR.full_name for message_type in (signal.request_class, signal.response_class)
    )
    return {
        "summary": f"Export {signal.name} over OTLP/HTTP",
        "description": "200 means that every record is on disk, except those that `partial_success` counts.",
        "operationId": f"Export{signal.name.capitalize()}",
        "tags": ["otlp"],
        "security": [{"bearer": []}],
        "requestBody": {"required": True, "content": describe_content(request_name)},
        "responses": {
            "200": {
                "description": "Accepted, except the records that `partial_success` counts.",
                "content": describe_content(response_name),
            },
            **{
                status: {"description": text, "content": describe_content("google.rpc.Status")}
                for status, text in _OTLP_REFUSAL_BY_STATUS.items()
            },
        },
    }
