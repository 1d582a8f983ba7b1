"""The transport of session tokens: a cookie for browsers, a header for scripts (rules/people#cookies)."""

from typing import Any

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

from tallyroom.auth.credential_cache import bearer_token
from tallyroom.auth.sessions import ABSOLUTE_MS
from tallyroom.core.settings import Settings

Connection = ASGIConnection[Any, Any, Any, Any]


def bearer_of(connection: Connection) -> str | None:
    """Return the request's Bearer token; another scheme, such as a proxy's Basic, is ignored."""
    header = connection.headers.get("authorization")
    return None if header is None else bearer_token(header.encode("latin-1"))


def cookie_of(connection: Connection, settings: Settings) -> str | None:
    """Return the session token that a browser sent; None if there is none."""
    return connection.cookies.get(cookie_name(settings))


def cookie_name(settings: Settings) -> str:
    """Return the cookie's name; with https, its prefix makes browsers refuse it from another host or plain http."""
    return "__Host-tallyroom_session" if settings.secure_cookies else "tallyroom_session"


def session_cookie(token: str, settings: Settings) -> Cookie:
    """Return the cookie that signs a browser in."""
    return _cookie(token, ABSOLUTE_MS // 1000, settings)


def no_cookie(settings: Settings) -> Cookie:
    """Return the cookie that makes a browser forget its session."""
    return _cookie("", 0, settings)


def _cookie(value: str, max_age: int, settings: Settings) -> Cookie:
    return Cookie(
        key=cookie_name(settings),
        value=value,
        max_age=max_age,
        path="/",
        httponly=True,
        samesite="lax",
        secure=settings.secure_cookies,
    )
