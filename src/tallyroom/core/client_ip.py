"""Whose request is it: the peer, or the client that a trusted proxy names (rules/safety#client-address)."""

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

from tallyroom.core.settings import Network

Address = IPv4Address | IPv6Address

_LONGEST_HOP = 80  # IPv6 in full with zone and port; longer text would only fill the cache


def client_ip(peer: str, forwarded: Sequence[bytes], trusted: Sequence[Network]) -> str:
    """The address that the limits count.

    The hops are read from the right, as each proxy appends the one it saw; the first that is no trusted proxy is the
    client. What stands left of it anybody can have written. A hop that is no address ends the search at the proxy
    which reported it.

    Args:
        peer: the address at the other end of the connection.
        forwarded: the values of all ``X-Forwarded-For`` headers, in order.
        trusted: the networks of proxies that are believed.
    """
    if not trusted and not peer.startswith("::ffff:"):
        return peer
    found = _address(peer)
    if found is None:
        return peer
    if forwarded and _is_trusted(found, trusted):
        for hop in reversed(b",".join(forwarded).split(b",")):
            address = _address(hop.decode("latin-1").strip()) if len(hop) <= _LONGEST_HOP else None
            if address is None:
                break
            found = address
            if not _is_trusted(found, trusted):
                break
    return str(found)


def _is_trusted(address: Address, trusted: Sequence[Network]) -> bool:
    return any(address in network for network in trusted)


@lru_cache(maxsize=4096)
def _address(text: str) -> Address | None:
    """`text` without port, brackets and zone as an address; IPv4 in IPv6 clothes comes out as IPv4."""
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
