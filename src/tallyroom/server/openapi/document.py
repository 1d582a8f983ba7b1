"""The OpenAPI document: the framework's own, completed with what the framework cannot know."""

from typing import Any

import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

from tallyroom.auth import guards
from tallyroom.auth.signatures import SIGNATURE_HEADER
from tallyroom.bots.statistics_api.feed.schemas import ImportRows
from tallyroom.core.errors import ErrorBody
from tallyroom.core.ranges import NAME_BY_RANGE
from tallyroom.dashboards.query import QueryActorsIn, QueryDifferencesIn, QueryIn
from tallyroom.dashboards.registry import KINDS
from tallyroom.dashboards.widgets.schemas import WidgetChange, WidgetIn, WidgetOut
from tallyroom.images.description import picture_responses
from tallyroom.images.routes import PICTURES_TAG
from tallyroom.images.schemas import GraphRequest
from tallyroom.ingest.otlp.signals import SIGNALS, Signal
from tallyroom.ingest.schemas import AcceptedOut, EventBatch, EventIn
from tallyroom.queries.config import Result
from tallyroom.queries.measures import NAME_BY_MEASURE
from tallyroom.rest.bodies import BODY_TYPE_OPTION
from tallyroom.server.openapi.examples import add_query_examples
from tallyroom.server.openapi.schemas import (
    REF_TEMPLATE,
    describe_filters,
    describe_question_fields,
    restore_list_items,
    schema_reference,
)

Json = dict[str, Any]

_BY_KEY: list[Json] = [{"bearer": []}]
_BY_SESSION: list[Json] = [{"bearer": []}, {"session": []}]
_BY_STATS_TOKEN: list[Json] = [{"statsToken": []}]
_SECURITY_BY_GUARD: dict[Any, list[Json]] = {
    guards.public: [],
    guards.require_scraper: [{}, {"metricsToken": []}],
    guards.require_key: _BY_KEY,
    guards.require_session: _BY_SESSION,
    guards.require_member: _BY_SESSION,
    guards.require_developer: _BY_SESSION,
    guards.require_admin: _BY_SESSION,
    guards.require_member_or_key: _BY_SESSION,
    guards.require_paid_member: _BY_SESSION,
    guards.require_paid_developer: _BY_SESSION,
    guards.require_stats_reader: _BY_STATS_TOKEN,
    guards.require_stats_feeder: _BY_STATS_TOKEN,
    guards.require_vote_sender: [*_BY_STATS_TOKEN, {"webhookSignature": []}],
}
_SECURITY_SCHEMES: Json = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "An API key (tr_…) or a session token (trs_…)."},
    "metricsToken": {"type": "http", "scheme": "bearer", "description": "The value of TALLYROOM_METRICS_TOKEN."},
    "personalToken": {
        "type": "http",
        "scheme": "bearer",
        "description": "A personal access token (tr_pat_…) with the named scope.",
    },
    "statsToken": {
        "type": "apiKey",
        "in": "header",
        "name": "authorization",
        "description": "A Statistics API token (tr_stats_…), with or without Bearer before it.",
    },
    "webhookSignature": {
        "type": "apiKey",
        "in": "header",
        "name": SIGNATURE_HEADER,
        "description": "t=<seconds since 1970>,v1=<hexadecimal HMAC-SHA-256 of `{t}.{body}` with the bot's secret>",
    },
}

_CONFIG_TYPES = (WidgetIn, WidgetChange, WidgetOut, QueryIn, QueryActorsIn, QueryDifferencesIn)  # any to Litestar

_REFUSAL_BY_STATUS = {
    "400": "the payload is not valid; `details` names each wrong field",
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
        "description": "1 to 255 visible ASCII characters. The same key and body count once within 24 hours.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255},
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


def build_openapi_document(app: Litestar, session_cookie: str) -> Json:
    """Return the description of the whole API, with the names of measures and time ranges in the order of menus."""
    document: Json = app.openapi_schema.to_schema()
    schemas: Json = document.setdefault("components", {}).setdefault("schemas", {})
    schemas |= _build_component_schemas([EventIn, EventBatch, AcceptedOut, ErrorBody, GraphRequest, ImportRows])
    _describe_kinds(schemas)
    describe_question_fields(schemas, [struct.__name__ for struct in _CONFIG_TYPES])
    describe_filters(schemas)
    restore_list_items(schemas)
    for component in schemas.values():
        if component.get("type") == "object" and "properties" in component:
            component.setdefault("additionalProperties", False)
    for route in app.routes:
        for method, (handler, _) in route.route_handler_map.items() if isinstance(route, HTTPRoute) else ():
            operation = document["paths"].get(route.path_format, {}).get(method.lower())
            if operation:
                _complete_operation(operation, handler, method)
                if operation["tags"] == [PICTURES_TAG]:
                    refusal = operation["responses"]["default"]
                    responses = picture_responses(route.path_format, method.lower(), refusal["content"])
                    operation["responses"] = responses | {"default": refusal}
    add_query_examples(document["paths"]["/v1/query"]["post"])
    document["paths"]["/v1/events"]["post"] = _describe_ingest()
    document["paths"] |= {f"/v1/{signal.name}": {"post": _describe_otlp(signal)} for signal in SIGNALS.values()}
    session = {"type": "apiKey", "in": "cookie", "name": session_cookie}
    document["components"]["securitySchemes"] = {**_SECURITY_SCHEMES, "session": session}
    document["x-names"] = {"measures": NAME_BY_MEASURE, "timeRanges": NAME_BY_RANGE}
    return document


def _describe_kinds(schemas: Json) -> None:
    """Describe what each type of widget accepts and returns, in each `config` and `Result`."""
    config_types = [kind.config for kind in KINDS.values()]
    result_types = list(dict.fromkeys(result for kind in KINDS.values() for result in kind.results))
    schemas |= _build_component_schemas([*config_types, *result_types])
    schemas["WidgetConfig"] = {
        "title": "WidgetConfig",
        "description": "The config of a widget of this `type`.",
        "oneOf": [schema_reference(config_type.__name__) for config_type in config_types],
    }
    schemas[Result.__name__] = {
        "title": Result.__name__,
        "description": "An answer; `kind` names its form.",
        "oneOf": [schema_reference(result.__name__) for result in result_types],
        "discriminator": {
            "propertyName": "kind",
            "mapping": {
                result.__struct_config__.tag: REF_TEMPLATE.format(name=result.__name__) for result in result_types
            },
        },
    }


def _build_component_schemas(types: list[Any]) -> Json:
    _, schemas = msgspec.json.schema_components(types, ref_template=REF_TEMPLATE)
    return schemas


def _complete_operation(operation: Json, handler: HTTPRouteHandler, method: str) -> None:
    """Add what the framework leaves out: a summary, the required credentials, and the common error shape."""
    operation["summary"] = operation.get("description", "").split("\n", maxsplit=1)[0].rstrip(".:")
    operation["security"] = [scheme for guard in handler.resolve_guards() for scheme in _SECURITY_BY_GUARD[guard]]
    operation["security"] += [
        {"personalToken": sorted(scopes)} for scopes in guards.find_accepted_scope_sets(handler, method)
    ]
    for response in operation["responses"].values():
        if [media.get("schema") for media in response.get("content", {}).values()] == [{"type": "null"}]:
            del response["content"]  # the answer has no body, which differs from the body `null`
    if (body := handler.parsed_data_field) and body.is_optional:
        operation["requestBody"]["required"] = False
    if BODY_TYPE_OPTION in handler.opt:
        operation["requestBody"] = _describe_json_body(schema_reference(handler.opt[BODY_TYPE_OPTION].__name__))
    operation["responses"]["default"] = _describe_error("An error.")
    operation["responses"].pop("400", None)  # the framework's own error shape, which this service never sends


def _describe_ingest() -> Json:
    body = {"oneOf": [schema_reference("EventIn"), schema_reference("EventBatch")]}
    return {
        "summary": "Send one event or a batch",
        "description": "202 means that every event is on disk and will be counted within a second.",
        "operationId": "IngestEvents",
        "tags": ["events"],
        "security": [{"bearer": []}],
        "parameters": _IDEMPOTENCY_PARAMETERS,
        "requestBody": _describe_json_body(body),
        "responses": {
            "202": {
                "description": "Every event is durable.",
                "content": {"application/json": {"schema": schema_reference("AcceptedOut")}},
            },
            **{status: _describe_error(text) for status, text in _REFUSAL_BY_STATUS.items()},
        },
    }


def _describe_otlp(signal: Signal) -> Json:
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
        "security": _BY_KEY,
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


def _describe_json_body(schema: Json) -> Json:
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def _describe_error(text: str) -> Json:
    return {"description": text, "content": {"application/json": {"schema": schema_reference("ErrorBody")}}}
