"""The way of an import to a scripted server."""

from collections.abc import Callable
from random import Random

from harness.servers.scripted_server import ReceivedRequest, ScriptedAnswer, ScriptedServer
from tallyroom.core.clock import SystemClock
from tallyroom.import_export.delivery import Delivery
from tallyroom.import_export.endpoint import Endpoint

ACCEPTED = ScriptedAnswer(202, b'{"accepted":1}')

KEY = "tr_live_key"


class Line:
    """A delivery, and both of its ends.

    Attributes:
        server: what was asked.
        notices: what the person at the terminal was told.
        delivery: the way.
    """

    def __init__(self, server: ScriptedServer, endpoint: Endpoint, patience: float) -> None:
        self.server = server
        self.notices: list[str] = []
        self.delivery = Delivery(
            server.url,
            KEY,
            endpoint,
            patience_seconds=patience,
            clock=SystemClock(),
            random=Random(1),
            notify=self.notices.append,
        )

    @property
    def asked(self) -> list[ReceivedRequest]:
        """The requests so far."""
        return self.server.asked


MakeLine = Callable[..., Line]
"""The fixture `make_line`: answers to give in turn before everything is accepted, or a function as `ask`."""
