"""The transport of session tokens: a cookie for browsers, a header for scripts (rules/people#cookies).

Browsers send a host's cookies to all of its ports. Two servers on one host therefore need two names.
"""

import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

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


def bearer_of(connection: Connection) -> str | None:
    """Return the request's Bearer token; another scheme, such as a proxy's Basic, is ignored."""
    header = connection.headers.get("authorization")
    return None if header is None else bearer_token(header.encode("latin-1"))


def cookie_name(installation_id: str) -> str:
    """Return the cookie's name on a server with this installation id, which cannot be told from the name."""
    digest = sha256(b"session cookie\0" + installation_id.encode()).digest()
    return f"tallyroom_{urlsafe_b64encode(digest[:_DIGEST_BYTES]).decode()}"


class SessionCookies:
    """The session cookies that a server reads, and the one that it sets.

    It also reads cookies of earlier versions and of other installations: a restored backup has another name, but the
    original's sessions. A token of another server finds no session here.

    `name` has no prefix; `is_secure` says whether browsers reach the server over https.
    """

    def __init__(self, name: str, *, is_secure: bool) -> None:
        self._prefix = _HOST_PREFIX if is_secure else ""
        self._is_secure = is_secure
        self._earlier_cookie_name = self._prefix + EARLIER_COOKIE_NAME
        self.name = self._prefix + name

    def read_tokens_by_cookie(self, connection: Connection) -> dict[str, str]:
        """Return the session tokens that a browser sent, valid or not, by cookie name, with this server's first."""
        cookies = connection.cookies
        cookie_names = [
            self.name,
            self._earlier_cookie_name,
            *(name for name in cookies if self._is_installation_cookie(name)),
        ]
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
        """Return the cookies that make a browser delete its session.

        `ended_cookie_names` are the cookies whose sessions have ended. Any other cookie of another installation stays,
        because the browser may be signed in there.
        """
        cookie_names = [
            self.name,
            *(
                [self._earlier_cookie_name]
                if self._earlier_cookie_name in ended_cookie_names and self._earlier_cookie_name != self.name
                else []
            ),
        ]
        return [self._build_cookie(name, "", 0) for name in cookie_names]

    def _is_installation_cookie(self, name: str) -> bool:
        return name.startswith(self._prefix) and bool(
            _INSTALLATION_COOKIE_NAME.fullmatch(name.removeprefix(self._prefix))
        )

    def _build_cookie(self, name: str, value: str, max_age_s: int) -> Cookie:
        return Cookie(
            key=name, value=value, max_age=max_age_s, path="/", httponly=True, samesite="lax", secure=self._is_secure
        )
