"""Decides who may read `/metrics`, on a server and at its parent's port alike (rules/safety#metrics)."""

import hmac
import logging
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from tallyroom.auth.client_ip import client_ip
from tallyroom.core.errors import Forbidden, TallyroomError, Unauthorized
from tallyroom.core.settings import Settings

_PROXY_HEADERS = {b"x-forwarded-for", b"forwarded", b"x-real-ip"}
"""The headers in which a proxy names its client."""

_ADVICE = (
    "set TALLYROOM_METRICS_TOKEN and let the scraper send it as a bearer token; where strangers cannot reach this "
    "address, TALLYROOM_METRICS_OPEN=true admits everybody"
)

_log = logging.getLogger(__name__)


class MetricsGuard:
    """Admits the token, clients on the server's own machine, or everyone, as the settings say.

    It reads `metrics_token`, `metrics_open`, `base_url` and `trusted_proxies`.
    """

    def __init__(self, settings: Settings) -> None:
        self._is_open = settings.metrics_open
        self._token = settings.metrics_token.encode()
        self._trusted_networks = settings.trusted_networks
        self._has_local_address = not settings.base_url or is_loopback(urlsplit(settings.base_url).hostname or "")
        self._has_logged_refusal = False

    def find_refusal(self, peer_address: str, headers: Iterable[tuple[bytes, bytes]]) -> TallyroomError | None:
        """Return the error that refuses a scrape; None admits it. The first refusal is logged with what to set.

        `peer_address` is "" for a UNIX socket. Header names are in lower case.
        """
        header_list = list(headers)
        if self._is_open or self._has_valid_token(header_list) or self._is_from_this_machine(peer_address, header_list):
            return None
        if not self._has_logged_refusal:
            self._has_logged_refusal = True
            _log.warning("a scrape of /metrics was refused: %s", _ADVICE, extra={"client": peer_address})
        if self._token:
            return Unauthorized("Send the metrics token: `Authorization: Bearer <TALLYROOM_METRICS_TOKEN>`.")
        return Forbidden("This server tells its numbers to its own machine alone; its log says what to set.")

    def _has_valid_token(self, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        authorization_values = [value for name, value in headers if name == b"authorization"]
        scheme, _, token = (
            authorization_values[0].partition(b" ") if len(authorization_values) == 1 else (b"", b"", b"")
        )
        if scheme.lower() != b"bearer" or not self._token:
            return False
        return hmac.compare_digest(token.strip(b" "), self._token)

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
