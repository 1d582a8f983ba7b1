"""A start asks a server that does not answer once, and before it holds the start lock."""

import pytest

from harness.servers.events_server import FrontServer
from harness.servers.http_front import Fault
from harness.stores.event_store import LIMITS
from tallyroom.core.errors import ServerAway
from tallyroom.storage.event_store.backend.gate import StoreGate
from tallyroom.storage.event_store.backend.server.backend import ServerBackend
from tallyroom.storage.event_store.backend.server.requirements import EventServerUnusable


@pytest.fixture
def gate(events_server: FrontServer) -> StoreGate:
    return StoreGate(ServerBackend(events_server.fresh(), LIMITS))


def test_a_server_that_does_not_answer_is_not_asked_again_but_later(
    events_server: FrontServer, gate: StoreGate
) -> None:
    events_server.let(Fault(kind="unavailable", times=1))
    gate.check_server()
    with pytest.raises(ServerAway):
        gate.inspect_store()
    assert gate.inspect_store().absence


def test_a_server_that_is_checked_is_not_checked_again(events_server: FrontServer, gate: StoreGate) -> None:
    gate.check_server()
    events_server.asked()
    gate.inspect_store()
    assert not [query for query in events_server.asked() if query.startswith("CHECK GRANT")]


def test_any_other_problem_is_found_by_the_inspection(events_server: FrontServer, gate: StoreGate) -> None:
    events_server.let(Fault(kind="said", on=r"SELECT version\(\), timezone\(\)", text="25.8.1.1\tUTC\n", times=9))
    gate.check_server()
    with pytest.raises(EventServerUnusable) as refused:
        gate.inspect_store()
    events_server.let()
    assert "25.8.1.1" in refused.value.message
