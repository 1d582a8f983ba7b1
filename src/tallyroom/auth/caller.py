"""Who sends a request that nobody has signed in for yet: where from, and whether they still wait."""

from typing import NamedTuple

from tallyroom.auth.client_network import network_around, place_of
from tallyroom.auth.cookies import Connection
from tallyroom.core.presence import PRESENCE, Presence
from tallyroom.core.settings import Settings


class Caller(NamedTuple):
    """The client of a request.

    Attributes:
        place: what the throttle counts by.
        network: the larger network that takes turns with others.
        presence: whether they still wait for the answer.
    """

    place: str
    network: str
    presence: Presence


HERE = Caller("", "", Presence())
"""Who uses the command line, and takes turns with nobody else."""


def caller_of(connection: Connection, settings: Settings) -> Caller:
    """Return the client of a request."""
    place = place_of(connection, settings)
    return Caller(place, network_around(place), connection.scope["state"].get(PRESENCE) or Presence())
