"""The OpenAPI document: the framework's, with what it cannot know added."""

from typing import Any

import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

from tallyroom.analytics.events.schemas import AcceptedOut, EventBatch, EventIn
from tallyroom.auth import guards
from tallyroom.core.errors import ErrorBody

Json = dict[str, Any]

_REF = "#/components/schemas/{name}"
_BY_KEY: list[Json] = [{"bearer": []}]
_BY_SESSION: list[Json] = [{"bearer": []}, {"session": []}]
_SECURITY: dict[Any, list[Json]] = {
    guards.public: [],
    guards.require_key: _BY_KEY,
    guards.require_session: _BY_SESSION,
    guards.require_member: _BY_SESSION,
    guards.require_developer: _BY_SESSION,
    guards.require_admin: _BY_SESSION,
    guards.require_member_or_key: _BY_SESSION,
    guards.require_paid_member: _BY_SESSION,
    guards.require_paid_developer: _BY_SESSION,
}
_REFUSALS = {
    "400": "the payload is not valid; `details` names each field",
    "401": "the key is missing, malformed, unknown or revoked",
    "402": "the free plan's monthly cap is reached",
    "413": "more than 500 events, an event over 64 KiB or a body over 2 MiB",
    "415": "not JSON, or an encoding that is not taken",
    "422": "the Idempotency-Key was used with another body",
    "429": "more than 6000 requests in 60 seconds from this IP",
    "503": "the event cannot be made durable now",
}


def openapi_document(app: Litestar) -> Json:
    """The whole interface: the framework's routes, ingest, and the one error shape."""
    document: Json = app.openapi_schema.to_schema()
    schemas: Json = document.setdefault("components", {}).setdefault("schemas", {})
    types = [EventIn, EventBatch, AcceptedOut, ErrorBody]
    _, found = msgspec.json.schema_components(types, ref_template=_REF)
    schemas |= found
    for schema in schemas.values():
        if schema.get("type") == "object" and "properties" in schema:
            schema.setdefault("additionalProperties", False)
    for route in app.routes:
        for method, (handler, _) in route.route_handler_map.items() if isinstance(route, HTTPRoute) else ():
            operation = document["paths"].get(route.path_format, {}).get(method.lower())
            if operation:
                _complete(operation, handler)
    document["paths"]["/v1/events"] = {"post": _ingest()}
    document["components"]["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer", "description": "An API key (tr_…) or a session token (trs_…)."},
        "session": {"type": "apiKey", "in": "cookie", "name": "tallyroom_session"},
    }
    return document


def _complete(operation: Json, handler: HTTPRouteHandler) -> None:
    """Add what the framework leaves out: a summary in words, who may call it, and the one error shape."""
    operation["summary"] = operation.get("description", "").split("\n", maxsplit=1)[0].rstrip(".:")
    operation["security"] = [scheme for guard in handler.resolve_guards() for scheme in _SECURITY[guard]]
    for response in operation["responses"].values():
        if [each.get("schema") for each in response.get("content", {}).values()] == [{"type": "null"}]:
            del response["content"]  # the answer has no body, which is not the body `null`
    operation["responses"]["default"] = _error("Any refusal.")
    operation["responses"].pop("400", None)  # the framework's own error shape, which never leaves this service


def _ingest() -> Json:
    body = {"oneOf": [_schema("EventIn"), _schema("EventBatch")]}
    return {
        "summary": "Send one event or a batch",
        "description": "202 means that every event is on disk and will be counted within a second.",
        "operationId": "IngestEvents",
        "tags": ["events"],
        "security": [{"bearer": []}],
        "parameters": [
            {
                "name": "Idempotency-Key",
                "in": "header",
                "description": "1 to 255 visible ASCII characters; the same key and body count once in 24 hours.",
                "schema": {"type": "string", "minLength": 1, "maxLength": 255},
            }
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {
            "202": {
                "description": "Every event is durable.",
                "content": {"application/json": {"schema": _schema("AcceptedOut")}},
            },
            **{status: _error(text) for status, text in _REFUSALS.items()},
        },
    }


def _schema(name: str) -> Json:
    return {"$ref": _REF.format(name=name)}


def _error(text: str) -> Json:
    return {"description": text, "content": {"application/json": {"schema": _schema("ErrorBody")}}}
