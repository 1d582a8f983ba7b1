"""Paths that end with an ID of any characters: `AS_SENT` routers get them undecoded (server/request_entry.py)."""

from collections.abc import Iterator
from urllib.parse import unquote

from litestar import Litestar
from litestar.routes import HTTPRoute

from tallyroom.core.errors import ValidationFailed

_OPTION = "path_as_sent"
AS_SENT = {_OPTION: True}


def find_prefixes_as_sent(app: Litestar) -> Iterator[str]:
    """Yield the part before the ID of each path that its router wants as it was sent."""
    for route in app.routes:
        if isinstance(route, HTTPRoute) and any(handler.opt.get(_OPTION) for handler in route.route_handlers):
            prefix, brace, _ = route.path.partition("{")
            if brace:
                yield prefix


def decode_id(parameter_name: str, raw_id: str) -> str:
    """Decode an ID in a path, once; raises `ValidationFailed` if it is not percent-encoded UTF-8."""
    try:
        return unquote(raw_id, errors="strict")
    except UnicodeDecodeError as error:
        raise ValidationFailed.at([parameter_name], "is not percent-encoded UTF-8") from error
