"""The OpenAPI document without a server: from the routes alone, which need none of the parts behind them to be described.

`make web-types` runs this as a script, which prints the document.
"""

import sys
from dataclasses import fields
from types import SimpleNamespace
from typing import Any

import msgspec

from tallyroom.auth.cookies import EARLIER_COOKIE_NAME, SessionCookies
from tallyroom.core.settings import Settings
from tallyroom.server.app import build_framework
from tallyroom.server.dependencies import Dependencies
from tallyroom.server.openapi.document import build_openapi_document
from tallyroom.server.services import Services

_COOKIES = SessionCookies(EARLIER_COOKIE_NAME, is_secure=False)


def described() -> bytes:
    """The document of a server with the default settings, as JSON."""
    services = _names_of(Services) | {"settings": Settings()}
    dependencies = _names_of(Dependencies) | {"session_cookies": _COOKIES}
    app = build_framework(SimpleNamespace(**services), SimpleNamespace(**dependencies))  # type: ignore[arg-type] # nothing is asked of them
    return msgspec.json.encode(build_openapi_document(app, _COOKIES.name))


def _names_of(parts: type[Any]) -> dict[str, Any]:
    return dict.fromkeys(field.name for field in fields(parts))


if __name__ == "__main__":
    sys.stdout.buffer.write(described())
