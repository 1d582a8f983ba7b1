"""The client of a request: where it comes from, and whether it still waits for the answer."""

from typing import NamedTuple

from tallyroom.auth.client_network import client_network_of, widen_network
from tallyroom.auth.cookies import Connection
from tallyroom.core.settings import Settings
from tallyroom.rest.presence import PRESENCE_KEY, Presence


class Caller(NamedTuple):
    """The client of a request.

    The throttle counts by `client_network`; strangers take turns by `wider_network`, which contains it.
    """

    client_network: str
    wider_network: str
    presence: Presence


COMMAND_LINE = Caller("", "", Presence())
"""The command line: a separate process, which need not wait for others."""


def caller_of(connection: Connection, settings: Settings) -> Caller:
    """Return the client of a request."""
    client_network = client_network_of(connection, settings)
    presence = connection.scope["state"].get(PRESENCE_KEY) or Presence()
    return Caller(client_network, widen_network(client_network), presence)
