"""Sets this server's cookie if another cookie signed someone in (rules/people#cookies)."""

from litestar.datastructures import Cookie
from litestar.types import Message, Scope

from tallyroom.auth.cookies import Connection

_REPLACEMENT_KEY = "replacement_cookie"


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
