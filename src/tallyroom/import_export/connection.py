"""Opens the connection to a server, for imports and exports."""

from collections.abc import Mapping
from typing import Final

import httpx

from tallyroom.core.errors import TallyroomError

_LOOPBACK_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class AddressUnusable(TallyroomError):
    """The given address cannot be used to connect to a server."""


def open_client(url: str, headers: Mapping[str, str], timeout_seconds: float) -> httpx.Client:
    """Open a client for the server at `url`: scheme, host and port, without a path.

    The server may take `timeout_seconds` to send something. Raises `AddressUnusable` if the address is invalid, or this
    machine's certificates or proxies are not usable.
    """
    try:
        parsed_url = httpx.URL(url)
    except (httpx.InvalidURL, ValueError):
        raise _build_address_error(url) from None
    if parsed_url.scheme not in {"http", "https"} or not parsed_url.host:
        raise _build_address_error(url)
    try:
        # Reading the machine's certificates takes 20 ms, which is unnecessary without encryption.
        is_https = parsed_url.scheme == "https"
        return httpx.Client(base_url=url.rstrip("/"), headers=headers, timeout=timeout_seconds, verify=is_https)
    except (httpx.InvalidURL, ValueError, OSError) as error:
        raise AddressUnusable(f"The command cannot connect to {url}: {error}.") from error


def is_local(client: httpx.Client) -> bool:
    """Return whether the server is on this machine, where compression costs more than it saves."""
    return client.base_url.host in _LOOPBACK_HOSTS


def _build_address_error(url: str) -> AddressUnusable:
    return AddressUnusable(f"{url} is not the address of a server; it looks like http://127.0.0.1:8480.")
