"""Session tokens in requests: a cookie, named per installation, or a header for scripts (rules/people#cookies)."""

import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.types import Message, Scope

from tallyroom.auth.credential_cache import bearer_token
from tallyroom.auth.secrets import is_plausible_session_token
from tallyroom.auth.sessions import MAX_AGE_MS

Connection = ASGIConnection[Any, Any, Any, Any]

EARLIER_COOKIE_NAME = "tallyroom_session"
"""The cookie's name in earlier versions, on every server. The API reference still uses it."""

_HOST_PREFIX = "__Host-"  # browsers refuse such a cookie from another host and over plain http
_DIGEST_BYTES = 6  # 8 characters
_INSTALLATION_COOKIE_NAME = re.compile(r"tallyroom_[A-Za-z0-9_-]{8}")
_MAX_COOKIES = 8  # whose sessions are looked up for one request
_REPLACEMENT_KEY = "replacement_cookie"


def bearer_of(connection: Connection) -> str | None:
    """Return the request's Bearer token; another scheme, such as a proxy's Basic, is ignored."""
    header = connection.headers.get("authorization")
    return None if header is None else bearer_token(header.encode("latin-1"))


def cookie_name(installation_id: str) -> str:
    """Return the cookie's name on a server with this installation id, which the name does not reveal."""
    digest = sha256(b"session cookie\0" + installation_id.encode()).digest()
    return f"tallyroom_{urlsafe_b64encode(digest[:_DIGEST_BYTES]).decode()}"


class SessionCookies:
    """The session cookies that a server reads, and the one that it sets; `name` has no prefix.

    It also reads cookies of other installations: a restored backup has another name, but the original's sessions.
    """

    def __init__(self, name: str, *, is_secure: bool) -> None:
        self._prefix = _HOST_PREFIX if is_secure else ""
        self._is_secure = is_secure
        self._earlier_cookie_name = self._prefix + EARLIER_COOKIE_NAME
        self.name = self._prefix + name

    def read_tokens_by_cookie(self, connection: Connection) -> dict[str, str]:
        """Return the session tokens that a browser sent, valid or not, by cookie name, with this server's first."""
        cookies = connection.cookies
        cookie_names = [self.name, self._earlier_cookie_name, *filter(self._is_installation_cookie, cookies)]
        plausible_names = [
            name for name in dict.fromkeys(cookie_names) if is_plausible_session_token(cookies.get(name) or "")
        ]
        return {name: cookies[name] for name in plausible_names[:_MAX_COOKIES]}

    def may_sign_in(self, cookie_header: str) -> bool:
        """Return whether a `Cookie` header may sign someone in here."""
        return f"{self.name}=" in cookie_header or f"{self._earlier_cookie_name}=" in cookie_header

    def build_sign_in_cookie(self, token: str) -> Cookie:
        """Return the cookie that signs a browser in."""
        return self._build_cookie(self.name, token, MAX_AGE_MS // 1000)

    def build_sign_out_cookies(self, ended_cookie_names: Iterable[str] = ()) -> list[Cookie]:
        """Return the cookies that make a browser delete its session; other installations' cookies stay."""
        earlier_name = self._earlier_cookie_name
        has_earlier = earlier_name in ended_cookie_names and earlier_name != self.name
        return [self._build_cookie(name, "", 0) for name in ([self.name, earlier_name] if has_earlier else [self.name])]

    def _is_installation_cookie(self, name: str) -> bool:
        return name.startswith(self._prefix) and bool(
            _INSTALLATION_COOKIE_NAME.fullmatch(name.removeprefix(self._prefix))
        )

    def _build_cookie(self, name: str, value: str, max_age_s: int) -> Cookie:
        return Cookie(
            key=name, value=value, max_age=max_age_s, path="/", httponly=True, samesite="lax", secure=self._is_secure
        )


def replace_cookie(connection: Connection, cookie: Cookie) -> None:
    """Set `cookie` in the response to this request, unless the response sets one of that name itself."""
    connection.scope["state"][_REPLACEMENT_KEY] = cookie


async def set_replacement_cookie(message: Message, scope: Scope) -> None:
    """Add the cookie of `replace_cookie` to a response; the app calls this before it sends anything."""
    if message["type"] != "http.response.start":
        return
    cookie: Cookie | None = scope["state"].pop(_REPLACEMENT_KEY, None)
    if cookie is None:
        return
    headers = list(message["headers"])
    cookie_start = f"{cookie.key}=".encode()
    if not any(name.lower() == b"set-cookie" and value.startswith(cookie_start) for name, value in headers):
        message["headers"] = [*headers, (b"set-cookie", cookie.to_header(header="").encode("latin-1"))]
