"""The client of a request: where it comes from, and whether it still waits for the answer."""

from typing import NamedTuple

from tallyroom.auth.client_network import network_around, place_of
from tallyroom.auth.cookies import Connection
from tallyroom.core.settings import Settings
from tallyroom.rest.presence import PRESENCE_KEY, Presence


class Caller(NamedTuple):
    """The client of a request.

    Attributes:
        place: what the throttle counts by.
        network: the larger network around the place, by which strangers take turns.
        presence: whether the client still waits.
    """

    place: str
    network: str
    presence: Presence


COMMAND_LINE = Caller("", "", Presence())
"""The command line: it runs in a process of its own, where it need not wait for others."""


def caller_of(connection: Connection, settings: Settings) -> Caller:
    """Return the client of a request."""
    place = place_of(connection, settings)
    return Caller(place, network_around(place), connection.scope["state"].get(PRESENCE_KEY) or Presence())
