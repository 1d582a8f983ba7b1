"""A way to a scripted server."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from harness.clients.import_line import ACCEPTED, Line, MakeLine
from harness.servers.scripted_server import ReceivedRequest, ScriptedAnswer, ScriptedServer
from tallyroom.import_export import connection
from tallyroom.import_export.endpoint import EVENTS_ENDPOINT, Endpoint


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a server does not say when to repeat is repeated soon."""
    monkeypatch.setattr(connection, "_FIRST_PAUSE_SECONDS", 0.02)


@pytest.fixture
def make_line() -> Iterator[MakeLine]:
    """Make lines; each ends with the test."""
    with ExitStack() as stack:

        def make(
            *answers: ScriptedAnswer,
            ask: Callable[[ReceivedRequest], ScriptedAnswer] | None = None,
            endpoint: Endpoint = EVENTS_ENDPOINT,
            patience: float = 20,
        ) -> Line:
            left = list(answers)
            server = ScriptedServer(ask or (lambda _: left.pop(0) if left else ACCEPTED))
            line = Line(stack.enter_context(server), endpoint, patience)
            stack.callback(line.delivery.close)
            return line

        yield make
