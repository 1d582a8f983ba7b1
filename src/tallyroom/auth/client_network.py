"""The network that a request comes from, which the throttle counts by."""

from ipaddress import IPv6Address, ip_address, ip_network

from tallyroom.auth.cookies import Connection
from tallyroom.core.client_ip import client_ip
from tallyroom.core.settings import Settings

_IPV6_PREFIX = 64  # a customer gets at least a /64, so counting by address would give them endless fresh starts


def network_of(connection: Connection, settings: Settings) -> str:
    """Return the client's IPv4 address, or the /64 network of its IPv6 address."""
    peer = connection.scope["client"]
    forwarded = [value for name, value in connection.scope["headers"] if name == b"x-forwarded-for"]
    found = client_ip(peer[0] if peer else "", forwarded, settings.trusted_networks)
    try:
        address = ip_address(found)
    except ValueError:  # a UNIX socket has no address
        return found
    if isinstance(address, IPv6Address):
        return str(ip_network((address, _IPV6_PREFIX), strict=False))
    return found
