"""Finds out who sent a request: the peer, or the client that a trusted proxy names (rules/safety#client-address)."""

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

from tallyroom.core.settings import Network

Address = IPv4Address | IPv6Address

_MAX_HOP_LENGTH = 80  # a full IPv6 address with zone and port; longer text would only fill the cache


def client_ip(peer_address: str, forwarded_headers: Sequence[bytes], proxy_networks: Sequence[Network]) -> str:
    """Return the address to which rate limits apply: the last hop that is not a trusted proxy.

    Anyone could have written the hops before it. `forwarded_headers` are all ``X-Forwarded-For`` headers, in order.
    """
    if not proxy_networks and not peer_address.startswith("::ffff:"):
        return peer_address
    client_address = _parse_address(peer_address)
    if client_address is None:
        return peer_address
    if forwarded_headers and _is_trusted(client_address, proxy_networks):
        for hop in reversed(b",".join(forwarded_headers).split(b",")):
            hop_address = _parse_address(hop.decode("latin-1").strip()) if len(hop) <= _MAX_HOP_LENGTH else None
            if hop_address is None:
                break
            client_address = hop_address
            if not _is_trusted(client_address, proxy_networks):
                break
    return str(client_address)


def _is_trusted(address: Address, proxy_networks: Sequence[Network]) -> bool:
    return any(address in network for network in proxy_networks)


@lru_cache(maxsize=4096)
def _parse_address(text: str) -> Address | None:
    """Parse `text` as an address, ignoring port, brackets and zone; an IPv4-mapped IPv6 address becomes IPv4."""
    if text.startswith("["):
        text, _, port = text[1:].partition("]")
        if port and not port.startswith(":"):
            return None
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
