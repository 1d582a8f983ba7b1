"""Where a request comes from: the place that the throttle counts by, and the network that takes turns with others."""

from ipaddress import IPv6Address, ip_address, ip_network

from tallyroom.auth.client_ip import client_ip
from tallyroom.auth.cookies import Connection
from tallyroom.core.settings import Settings

_IPV6_PLACE_PREFIX = 64  # a customer gets at least a /64, so counting by address would give them endless fresh starts

# A turn costs those in it no more than a wait, so their network may be large: what one site usually gets.
_IPV4_TURN_PREFIX, _IPV6_TURN_PREFIX = 24, 48


def place_of(connection: Connection, settings: Settings) -> str:
    """Return the client's IPv4 address, or the /64 network of its IPv6 address."""
    peer_address = connection.scope["client"]
    forwarded_headers = [value for name, value in connection.scope["headers"] if name == b"x-forwarded-for"]
    client_address = client_ip(peer_address[0] if peer_address else "", forwarded_headers, settings.trusted_networks)
    try:
        address = ip_address(client_address)
    except ValueError:  # a UNIX socket has no address
        return client_address
    if isinstance(address, IPv6Address):
        return str(ip_network((address, _IPV6_PLACE_PREFIX), strict=False))
    return client_address


def network_around(place: str) -> str:
    """Return the /24 network of an IPv4 place, or the /48 network of an IPv6 one."""
    try:
        network = ip_network(place)
    except ValueError:
        return place
    prefix = _IPV6_TURN_PREFIX if network.version == 6 else _IPV4_TURN_PREFIX  # noqa: PLR2004 # the versions of IP
    return str(network.supernet(new_prefix=prefix))
