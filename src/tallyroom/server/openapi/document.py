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
from tallyroom.ingest.otlp.signals import SIGNALS
from tallyroom.ingest.schemas import AcceptedOut, EventBatch, EventIn
from tallyroom.queries.config import Result
from tallyroom.queries.measures import NAME_BY_MEASURE
from tallyroom.rest.bodies import BODY_TYPE_OPTION
from tallyroom.server.openapi.examples import add_query_examples
from tallyroom.server.openapi.ingest import describe_ingest, describe_otlp
from tallyroom.server.openapi.schemas import (
    REF_TEMPLATE,
    describe_error,
    describe_filters,
    describe_json_body,
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
    document["paths"]["/v1/events"]["post"] = describe_ingest()
    document["paths"] |= {f"/v1/{signal.name}": {"post": describe_otlp(signal)} for signal in SIGNALS.values()}
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
        operation["requestBody"] = describe_json_body(schema_reference(handler.opt[BODY_TYPE_OPTION].__name__))
    operation["responses"]["default"] = describe_error("An error.")
    operation["responses"].pop("400", None)  # the framework's own error shape, which this service never sends
