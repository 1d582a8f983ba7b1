"""Decides which IP addresses are public, even if one is wrapped in another (rules/safety#outbound-requests).

The networks are from IANA's special-purpose registries and cloud providers; Python's own table differs between
versions.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_NOT_PUBLIC_V4: Final = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # shared by the customers of a provider; has the metadata server of Alibaba Cloud
        "127.0.0.0/8",
        "168.63.129.16/32",  # Azure's own services, from inside of Azure
        "169.254.0.0/16",  # link-local; has the metadata servers of most clouds
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_UNICAST_V6: Final = IPv6Network("2000::/3")
_NOT_PUBLIC_V6: Final = tuple(
    IPv6Network(text)
    for text in (
        "2001::/23",  # protocol assignments, Teredo among them
        "2001:db8::/32",
        "3fff::/20",
    )
)
_NAT64: Final = IPv6Network("64:ff9b::/96")
_SIX_TO_FOUR: Final = IPv6Network("2002::/16")
_LAST_32_BITS: Final = 0xFFFF_FFFF


def unmap_ipv4(address: Address) -> Address:
    """Return the IPv4 address in an address such as ``::ffff:192.0.2.1``, and any other address unchanged."""
    ipv4_address = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return ipv4_address or address


def is_public(address: Address) -> bool:
    """Return whether the address, and the IPv4 address that it may contain, belong to the public internet."""
    address = unmap_ipv4(address)
    if isinstance(address, IPv4Address):
        return address.is_global and not any(address in network for network in _NOT_PUBLIC_V4)
    if address in _NAT64:
        return is_public(IPv4Address(int(address) & _LAST_32_BITS))
    if address in _SIX_TO_FOUR:
        return is_public(IPv4Address(int(address) >> 80 & _LAST_32_BITS))
    is_reserved = any(address in network for network in _NOT_PUBLIC_V6)
    return address in _UNICAST_V6 and address.is_global and not is_reserved
