"""Which destinations outbound requests may have (rules/safety#outbound-requests)."""

from collections.abc import Iterable

import msgspec

from tallyroom.core.fetch.addresses import Address, Network, is_public, unmap_ipv4
from tallyroom.core.fetch.url import OutboundUrl, UrlRefused


class OutboundRules(msgspec.Struct, frozen=True):
    """Beyond https on port 443 of public addresses: `networks` on any port, and with `allows_http` also without TLS."""

    networks: tuple[Network, ...] = ()
    allows_http: bool = False

    def check(self, url: OutboundUrl) -> None:
        """Check a URL without looking up its host; raises `UrlRefused` if no address of its host could be allowed."""
        if url.scheme == "http" and not (self.allows_http and self.networks):
            raise UrlRefused("must begin with https://")
        if not self.networks and not url.has_default_port:
            raise UrlRefused("must use port 443")
        if not self.networks and (url.host == "localhost" or url.host.endswith(".localhost")):
            raise UrlRefused("must not point to the server itself")
        if url.ip_address is not None:
            self.check_addresses(url, [url.ip_address])

    def check_addresses(self, url: OutboundUrl, addresses: Iterable[Address]) -> None:
        """Check all addresses of a URL's host; raises `UrlRefused` if one is not allowed, or not in this way."""
        for address in addresses:
            if self._is_listed(address):
                continue
            if not is_public(address):
                raise UrlRefused("resolves to an address that is not public")
            if url.scheme == "http":
                raise UrlRefused("must begin with https://")
            if not url.has_default_port:
                raise UrlRefused("must use port 443")

    def _is_listed(self, address: Address) -> bool:
        unmapped_address = unmap_ipv4(address)
        return any(unmapped_address in network for network in self.networks)
