"""Requests of a hostile client, and what it has got hold of."""

from collections.abc import Callable
from typing import NamedTuple

VARIANTS = 40
"""Of a request whose cost a cache could hide."""

URL_BYTES = 60_000


class Site(NamedTuple):
    """Whose server it is: what a hostile client has got hold of.

    Attributes:
        key: for events.
        session: of a member.
        feeder: a token that feeds and reads the listing.
        dashboard_id, widget_id: of a dashboard whose widget has the most costly filters that were taken.
        slug: under which it is published.
    """

    key: str
    session: str
    feeder: str
    dashboard_id: str
    widget_id: str
    slug: str


class Attack(NamedTuple):
    """Requests to one family of endpoints.

    Attributes:
        build_requests: the requests, sent in turn.
        streams: how many event streams are open meanwhile.
        connections: how many connections send them.
    """

    family: str
    name: str
    build_requests: Callable[[Site], list[bytes]]
    streams: int = 0
    connections: int = 2


def post(path: str, body: bytes, token: str = "", **headers: str) -> bytes:
    """A POST, of JSON unless the headers say something else."""
    all_headers = {"content-type": "application/json", "content-length": str(len(body))} | _headers(token, headers)
    return head("POST", path, all_headers) + body


def get(path: str, token: str = "", method: str = "GET") -> bytes:
    """A GET."""
    return head(method, path, _headers(token, {}))


def _headers(token: str, headers: dict[str, str]) -> dict[str, str]:
    return ({"authorization": f"Bearer {token}"} if token else {}) | headers


def head(method: str, path: str, headers: dict[str, str]) -> bytes:
    """The head of a request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: bench", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode()
