"""The connection to a server, for imports and exports, and the pauses before retries."""

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from random import Random
from typing import Any, Final

import httpx
import msgspec

from tallyroom.core.errors import TallyroomError
from tallyroom.core.log import redact

_LOOPBACK_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_FIRST_PAUSE_SECONDS: Final = 0.2
_MAX_PAUSE_SECONDS: Final = 10.0
_MAX_RETRY_AFTER_SECONDS: Final = 86_400.0  # by then, a Tallyroom server has forgotten the idempotency keys


class AddressUnusable(TallyroomError):
    """The given address cannot be used to connect to a server."""


def open_client(url: str, headers: Mapping[str, str], timeout_seconds: float) -> httpx.Client:
    """Open a client for the server at `url`, without a path; raises `AddressUnusable`."""
    try:
        parsed_url = httpx.URL(url)
    except (httpx.InvalidURL, ValueError):
        parsed_url = httpx.URL()
    if parsed_url.scheme not in {"http", "https"} or not parsed_url.host:
        raise AddressUnusable(f"{url} is not the address of a server, such as http://127.0.0.1:8480.")
    try:
        is_https = parsed_url.scheme == "https"  # reading the machine's certificates takes 20 ms
        return httpx.Client(base_url=url.rstrip("/"), headers=headers, timeout=timeout_seconds, verify=is_https)
    except (httpx.InvalidURL, ValueError, OSError) as error:
        raise AddressUnusable(f"Cannot connect to {url}: {error}.") from error


def is_local(client: httpx.Client) -> bool:
    """Return whether the server is on this machine, where compression costs more than it saves."""
    return client.base_url.host in _LOOPBACK_HOSTS


def parse_body(answer: httpx.Response) -> dict[str, Any]:
    """Return the JSON object in an answer; empty if there is none."""
    try:
        return msgspec.json.decode(answer.content, type=dict[str, Any])
    except msgspec.MsgspecError:
        return {}


def describe_answer(url: str, answer: httpx.Response) -> str:
    """Describe the answer of the server at `url` that is not the expected one, in a sentence."""
    status, message = answer.status_code, parse_body(answer).get("message")
    if answer.is_redirect:
        return f"{url} responded with {status} and redirects to {answer.headers.get('location')}; pass that as --url."
    if not isinstance(message, str):
        return f"{url} responded with {status}, but does not seem to be a Tallyroom server."
    return f"{url} responded with {status}: {redact(message).rstrip('.')}."


def read_retry_after(answer: httpx.Response, now_ms: int) -> float | None:
    """Return the seconds in `Retry-After`, which has either seconds or an HTTP date (RFC 9110, 10.2.3)."""
    header: str = answer.headers.get("retry-after", "")
    if header.isascii() and header.isdecimal():
        return min(float(header), _MAX_RETRY_AFTER_SECONDS)
    try:
        retry_at: float = parsedate_to_datetime(header).timestamp()
    except (ValueError, OverflowError):
        return None
    return min(max(retry_at - now_ms / 1000, 0.0), _MAX_RETRY_AFTER_SECONDS)


def backoff_seconds(attempt_count: int, random: Random) -> float:
    """Return the seconds to wait after this many attempts, if the server does not say; 0 for the first."""
    return min(_MAX_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2.0 ** min(attempt_count, 10)) * random.uniform(0.5, 1)
