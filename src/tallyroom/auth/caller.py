"""The client of a request: where it comes from, and whether it still waits for the answer."""

from ipaddress import IPv6Address, ip_address, ip_network
from typing import NamedTuple

from tallyroom.auth.client_ip import client_ip
from tallyroom.auth.cookies import Connection
from tallyroom.core.settings import Settings
from tallyroom.rest.disconnect import PRESENCE_KEY, Presence

_IPV6_CLIENT_PREFIX = 64  # a customer gets at least a /64, so counting by address would give them endless fresh starts
# Sharing a turn costs only waiting time, so this network may be as large as what one site usually gets.
_IPV4_TURN_PREFIX, _IPV6_TURN_PREFIX = 24, 48


class Caller(NamedTuple):
    """The throttle counts by `client_network`; strangers take turns by `wider_network`, which contains it."""

    client_network: str
    wider_network: str
    presence: Presence


COMMAND_LINE = Caller("", "", Presence())  # the command line: a separate process, which need not wait for others


def client_network_of(connection: Connection, settings: Settings) -> str:
    """Return the client's IPv4 address, or the /64 network of its IPv6 address."""
    peer = connection.scope["client"]
    forwarded_headers = [value for name, value in connection.scope["headers"] if name == b"x-forwarded-for"]
    client_address = client_ip(peer[0] if peer else "", forwarded_headers, settings.trusted_networks)
    try:
        address = ip_address(client_address)
    except ValueError:  # a UNIX socket has no address
        return client_address
    if isinstance(address, IPv6Address):
        return str(ip_network((address, _IPV6_CLIENT_PREFIX), strict=False))
    return client_address


def widen_network(client_network: str) -> str:
    """Return the /24 network of an IPv4 address, or the /48 network around an IPv6 one."""
    try:
        network = ip_network(client_network)
    except ValueError:
        return client_network
    prefix = _IPV6_TURN_PREFIX if network.version == 6 else _IPV4_TURN_PREFIX  # noqa: PLR2004 # the versions of IP
    return str(network.supernet(new_prefix=prefix))


def caller_of(connection: Connection, settings: Settings) -> Caller:
    """Return the client of a request."""
    client_network = client_network_of(connection, settings)
    presence = connection.scope["state"].get(PRESENCE_KEY) or Presence()
    return Caller(client_network, widen_network(client_network), presence)
