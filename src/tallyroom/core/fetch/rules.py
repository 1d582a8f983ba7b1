"""Where requests to the outside may go (rules/safety#outbound-requests)."""

from collections.abc import Iterable

import msgspec

from tallyroom.core.fetch.addresses import Address, Network, is_public, unmap_ipv4
from tallyroom.core.fetch.url import OutboundUrl, UrlRefused


class OutboundRules(msgspec.Struct, frozen=True):
    """What the operator allows beyond https on port 443 of public addresses.

    Attributes:
        networks: addresses that may be reached although they are not public, on any port.
        allows_http: whether they may also be reached without TLS.
    """

    networks: tuple[Network, ...] = ()
    allows_http: bool = False

    def check(self, url: OutboundUrl) -> None:
        """Check what a URL shows without looking up its host.

        Raises:
            UrlRefused: it cannot be allowed, whatever address its host has.
        """
        if url.scheme == "http" and not (self.allows_http and self.networks):
            raise UrlRefused("must begin with https://")
        if not self.networks and not url.has_default_port:
            raise UrlRefused("must use port 443")
        if not self.networks and (url.host == "localhost" or url.host.endswith(".localhost")):
            raise UrlRefused("must not lead to the server itself")
        if url.ip_address is not None:
            self.check_addresses(url, [url.ip_address])

    def check_addresses(self, url: OutboundUrl, addresses: Iterable[Address]) -> None:
        """Check all addresses that the host of a URL has.

        Raises:
            UrlRefused: one of them may not be reached, or not in this way.
        """
        for address in addresses:
            if self._is_listed(address):
                continue
            if not is_public(address):
                raise UrlRefused("leads to an address that is not public")
            if url.scheme == "http":
                raise UrlRefused("must begin with https://")
            if not url.has_default_port:
                raise UrlRefused("must use port 443")

    def _is_listed(self, address: Address) -> bool:
        unmapped_address = unmap_ipv4(address)
        return any(unmapped_address in network for network in self.networks)
