"""The database's time where it is known, and otherwise the machine's."""

from conftest import FakeClock
from tallyroom.core.peers import NoPeers
from tallyroom.core.shared_clock import SharedClock


class Peers(NoPeers):
    shared: int | None = None

    def now_ms(self) -> int | None:
        return self.shared


def test_it_is_the_machines_until_the_databases_is_known(fake_clock: FakeClock) -> None:
    peers = Peers()
    clock = SharedClock(fake_clock, peers)
    assert clock.now_ms() == fake_clock.now_ms()
    peers.shared = 0
    assert clock.now_ms() == 0
    assert clock.monotonic() == fake_clock.monotonic()
    assert SharedClock(fake_clock, NoPeers()).now_ms() == fake_clock.now_ms()


def test_how_far_the_machines_is_ahead(fake_clock: FakeClock) -> None:
    peers = Peers()
    clock = SharedClock(fake_clock, peers)
    assert clock.ahead_ms() == 0
    peers.shared = fake_clock.now_ms() - 3
    assert clock.ahead_ms() == 3
    peers.shared = fake_clock.now_ms() + 7
    assert clock.ahead_ms() == -7
