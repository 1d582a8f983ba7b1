"""Describes the answers of the picture routes for the API reference."""

from typing import Any

from tallyroom.images.cache import PICTURE_HEADERS
from tallyroom.images.messages import PictureFormat
from tallyroom.rest.public_headers import build_public_headers

Json = dict[str, Any]

_SCHEMA_BY_FORMAT: dict[PictureFormat, Json] = {
    PictureFormat.SVG: {"type": "string", "description": "An SVG document."},
    PictureFormat.PNG: {"type": "string", "contentMediaType": PictureFormat.PNG, "description": "The bytes of a PNG."},
}
_REFUSAL_TEXT_BY_STATUS = {
    "400": "the request is not valid; `details` names each wrong field",
    "404": "the listing or the dashboard is not public, or it has no such bot, widget or picture",
    "413": "the query or the body is too large",
    "415": "the body is not JSON, or has a content-encoding",
}


def picture_responses(path: str, method: str, refusal_content: Json) -> Json:
    """Return the responses of a route below `/custom`, by status; `refusal_content` is that of every refusal."""
    formats = [*PictureFormat] if path.endswith("}") else [PictureFormat.from_path(path)]
    headers = _describe_headers(path, method)
    responses: Json = {
        "200": {
            "description": "The picture.",
            "headers": headers,
            "content": {format_.value: {"schema": _SCHEMA_BY_FORMAT[format_]} for format_ in formats},
        }
    }
    if method == "get":
        responses["304"] = {"description": "The picture still matches `If-None-Match`.", "headers": headers}
    responses |= {
        status: {"description": text, "content": refusal_content}
        for status, text in _REFUSAL_TEXT_BY_STATUS.items()
        if status in _list_refusal_statuses(path, method)
    }
    retry_header = {"retry-after": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}
    busy_description = "too many pictures are being drawn, or the event store does not respond"
    return responses | {"503": {"description": busy_description, "headers": retry_header, "content": refusal_content}}


def _describe_headers(path: str, method: str) -> Json:
    headers: Json = {"etag": {"description": "The tag of the picture.", "schema": {"type": "string"}}}
    public_values = {name.decode(): value.decode() for name, value in build_public_headers(path, method.upper())}
    for name, value in (PICTURE_HEADERS | public_values).items():
        headers[name] = {"schema": {"type": "string", "const": value}}
    return headers


def _list_refusal_statuses(path: str, method: str) -> set[str]:
    if method == "post":
        return {"400", "413", "415"}
    return {"400", "404"} if "{" in path else {"400", "413"}
