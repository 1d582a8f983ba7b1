"""Decides who may read `/metrics`, on a server and at its parent's port alike (rules/safety#metrics)."""

import hmac
import logging
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from tallyroom.auth.client_ip import client_ip
from tallyroom.core.errors import Forbidden, TallyroomError, Unauthorized
from tallyroom.core.settings import Settings

_PROXY_HEADERS = {b"x-forwarded-for", b"forwarded", b"x-real-ip"}  # the headers in which a proxy names its client
_ADVICE = (
    "set TALLYROOM_METRICS_TOKEN and have the scraper send it as a bearer token, or set TALLYROOM_METRICS_OPEN=true if "
    "strangers cannot reach this address"
)

_log = logging.getLogger(__name__)


class MetricsGuard:
    """Admits the token, clients on the server's own machine, or everyone, as the settings say."""

    def __init__(self, settings: Settings) -> None:
        self._is_open = settings.metrics_open
        self._token = settings.metrics_token.encode()
        self._trusted_networks = settings.trusted_networks
        self._has_local_address = not settings.base_url or is_loopback(urlsplit(settings.base_url).hostname or "")
        self._has_logged_refusal = False

    def find_refusal(self, peer_address: str, headers: Iterable[tuple[bytes, bytes]]) -> TallyroomError | None:
        """Return the error that refuses a scrape, or None; `peer_address` is "" for a UNIX socket."""
        header_list = list(headers)
        if self._is_open or self._has_valid_token(header_list) or self._is_from_this_machine(peer_address, header_list):
            return None
        if not self._has_logged_refusal:
            self._has_logged_refusal = True
            _log.warning("a scrape of /metrics was refused: %s", _ADVICE, extra={"client": peer_address})
        if self._token:
            return Unauthorized("Send the metrics token: `Authorization: Bearer <TALLYROOM_METRICS_TOKEN>`.")
        return Forbidden("Only this machine can read the metrics. The server's log explains how to allow others.")

    def _has_valid_token(self, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        values = [value for name, value in headers if name == b"authorization"]
        scheme, _, token = (values[0] if len(values) == 1 else b"").partition(b" ")
        return bool(self._token) and scheme.lower() == b"bearer" and hmac.compare_digest(token.strip(b" "), self._token)

    def _is_from_this_machine(self, peer_address: str, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        """Return whether the client is on this machine, as far as a server without a public address can tell."""
        if not self._has_local_address or any(name in _PROXY_HEADERS for name, _ in headers):
            return False
        return is_loopback(client_ip(peer_address, (), self._trusted_networks))


def is_loopback(host: str) -> bool:
    """Return whether a host, an address or a name, is this machine."""
    try:
        address = ip_address(host)
    except ValueError:
        name = host.lower().removesuffix(".")
        return name == "localhost" or name.endswith(".localhost")
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback
