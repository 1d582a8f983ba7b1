"""Describes the answers of the picture routes for the API reference."""

from typing import Any

from tallyroom.images.cache import HEADERS
from tallyroom.images.messages import Format
from tallyroom.rest.public_headers import public_headers

Json = dict[str, Any]

_SCHEMAS: dict[Format, Json] = {
    Format.SVG: {"type": "string", "description": "An SVG document."},
    Format.PNG: {"type": "string", "contentMediaType": Format.PNG, "description": "The bytes of a PNG."},
}
_REFUSALS = {
    "400": "the request is not valid; `details` names each wrong field",
    "404": "the listing or the dashboard is not public, or it has no such bot, widget or picture",
    "413": "the query or the body is too large",
    "415": "the body is not JSON, or it is encoded",
}


def picture_responses(path: str, method: str, refusal: Json) -> Json:
    """Return the responses of a route below `/custom`, by status.

    Args:
        path: the path of the route, with its parameters in braces.
        method: the method in lower case.
        refusal: the content of every refusal.
    """
    formats = [*Format] if path.endswith("}") else [Format.of(path)]
    headers = _describe_headers(path, method)
    responses: Json = {
        "200": {
            "description": "The picture.",
            "headers": headers,
            "content": {format_.value: {"schema": _SCHEMAS[format_]} for format_ in formats},
        }
    }
    if method == "get":
        responses["304"] = {"description": "The picture is the one that `If-None-Match` names.", "headers": headers}
    responses |= {
        status: {"description": text, "content": refusal}
        for status, text in _REFUSALS.items()
        if status in _refusal_statuses(path, method)
    }
    retry_header = {"retry-after": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}
    busy_description = "too many pictures are being drawn, or the event store does not answer"
    return responses | {"503": {"description": busy_description, "headers": retry_header, "content": refusal}}


def _describe_headers(path: str, method: str) -> Json:
    headers: Json = {"etag": {"description": "Names these bytes.", "schema": {"type": "string"}}}
    public_values = {name.decode(): value.decode() for name, value in public_headers(path, method.upper())}
    for name, value in (HEADERS | public_values).items():
        headers[name] = {"schema": {"type": "string", "const": value}}
    return headers


def _refusal_statuses(path: str, method: str) -> set[str]:
    """Return the refusals of a route, except for the 503 that every route has."""
    if method == "post":
        return {"400", "413", "415"}
    return {"400", "404"} if path.endswith("}") else {"400", "413"}
