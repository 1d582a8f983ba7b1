"""Refuses writes by cookie that another site caused."""

from urllib.parse import urlsplit

from tallyroom.auth.cookies import Connection
from tallyroom.core.errors import Forbidden
from tallyroom.rest.methods import SAFE_METHODS

# "none": the person typed the address; "same-site" may be a neighbour's subdomain.
_TRUSTED_FETCH_SITES = {"same-origin", "none"}
_DEFAULT_PORTS = {"http": 80, "https": 443}

_Origin = tuple[str, str, int | None]


def refuse_foreign_write(connection: Connection, base_url: str) -> None:
    """Raise `Forbidden` for a write that a browser marks as coming from another origin, or that repeats a header."""
    if connection.scope.get("method") in SAFE_METHODS:
        return
    fetch_sites, origins = (connection.headers.getall(name, []) for name in ("sec-fetch-site", "origin"))
    if len(fetch_sites) > 1 or len(origins) > 1:  # no browser sends two, and either one could be the true one
        raise Forbidden("The headers Origin and Sec-Fetch-Site may each appear only once.")
    own_origins = _find_own_origins(connection, base_url)
    if any(_parse_origin(origin) not in own_origins for origin in origins) or not _TRUSTED_FETCH_SITES.issuperset(
        fetch_sites
    ):
        raise Forbidden(
            "Requests from other origins are not allowed. If the server is behind a proxy, set TALLYROOM_BASE_URL."
        )


def refuse_foreign_link(connection: Connection) -> None:
    """Raise `Forbidden` if another site's page opens a sign-in link: it could sign someone in as its author."""
    headers = connection.headers
    if headers.get("sec-fetch-site", "none") not in _TRUSTED_FETCH_SITES or "prefetch" in headers.get(
        "sec-purpose", ""
    ):
        raise Forbidden("To open this link, paste it into the address bar of your browser.")


def _find_own_origins(connection: Connection, base_url: str) -> set[_Origin | None]:
    request_url = f"{connection.scope['scheme']}://{connection.headers.get('host', '')}"
    return {_parse_origin(request_url), _parse_origin(base_url)} - {None}


def _parse_origin(url: str) -> _Origin | None:
    try:
        url_parts = urlsplit(url)
        port = url_parts.port
    except ValueError:
        return None
    if not url_parts.hostname:
        return None
    return url_parts.scheme, url_parts.hostname, port or _DEFAULT_PORTS.get(url_parts.scheme)
