"""PostgreSQL stops, is killed, fails over: several workers go on without it, find it again, and nothing is lost."""

import itertools
import os
import signal
import time
from collections.abc import Iterator

import pytest

from harness.clients.load import Load
from harness.clients.visitors import Visitors
from harness.servers.events_server import FrontServer
from harness.servers.host import account, acked, begin_host, children, serving
from harness.servers.postgres import PostgresServer, new_postgres
from harness.servers.site import MakeHost, MakeSite, Site
from harness.stores.metadata import Places, on_postgresql
from harness.suite.patience import wait_until
from tallyroom.cluster.postgresql.worker_registry import TRUST_SECONDS


@pytest.fixture
def database() -> Iterator[PostgresServer]:
    """A server that the test may stop."""
    with new_postgres() as server:
        yield server


@pytest.fixture
def make_host(make_site: MakeSite, events_server: FrontServer, database: PostgresServer) -> Iterator[MakeHost]:
    """Make a site with a parent and that many workers, whose metadata is on that server."""
    with on_postgresql(Places(database.url)):
        yield lambda workers: begin_host(make_site, events_server, workers)


_numbers = itertools.count()


class Crowd:
    """Senders with and without an Idempotency-Key, and people who do all sorts of things."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._children = set(children(site))
        self.keyless = site.load(keyed=0, pause=0.02, largest=20)
        self.keyed = site.load(keyed=1, pause=0.02, largest=20)
        self._visitors = Visitors(site.workspace, site.ledger).start()
        self.are_well()

    def begin_outage(self, database: PostgresServer, number: signal.Signals) -> None:
        """Stop the database, which senders whose keys each worker knows do not notice at once; the others do."""
        self._visitors.rest()  # with each change of access, workers forget what they know
        known_to_all(self._site)
        began, before = time.monotonic(), self.keyless.statuses[503]
        database.stop(number)
        self.keyless.wait_for(202, 20)
        is_noticed = self.keyless.statuses[503] > before
        assert not is_noticed or time.monotonic() - began > TRUST_SECONDS - 2, "a second after the last renewal"
        self._visitors.go_on()
        self._visitors.are_refused()
        self.keyed.wait_for(503)

    def are_well(self) -> None:
        """Return when everybody gets things done."""
        self._visitors.are_well()
        for load in self._loads:
            load.wait_for(202, 10)

    def account(self) -> None:
        """Nobody has lost anything, by workers that are still the same."""
        self.are_well()
        self._visitors.finish()
        assert set(children(self._site)) == self._children
        assert set(self.keyless.statuses) <= {202, 503}
        account(self._site, len(self._children), *self._loads)

    @property
    def _loads(self) -> tuple[Load, Load]:
        return self.keyless, self.keyed


def known_to_all(site: Site) -> None:
    """Let each worker look up the key of the load."""
    spools = list((site.data / "workers").glob("*/spool.sqlite"))
    for _ in range(2):  # what the first round finds may have been looked up before it
        before = [acked(spool) for spool in spools]
        while not all(acked(spool) > old for spool, old in zip(spools, before, strict=True)):
            actor = f"known-{next(_numbers)}"
            site.ledger.send([actor])
            assert site.workspace.send({"name": "view", "_actor": actor}).status_code == 202
            site.ledger.ack([actor])


@pytest.mark.long
def test_a_database_that_is_killed_is_found_again(make_host: MakeHost, database: PostgresServer) -> None:
    crowd = Crowd(make_host(2))
    crowd.begin_outage(database, signal.SIGKILL)
    database.start()
    crowd.account()


@pytest.mark.long
def test_a_worker_that_is_killed_meanwhile_waits_for_it_with_its_program_loaded(
    make_host: MakeHost, database: PostgresServer
) -> None:
    site = make_host(2)
    load = site.load(keyed=0, pause=0.02, largest=20)
    load.wait_for(202, 10)
    killed, other = children(site)
    database.stop()
    os.kill(killed, signal.SIGKILL)
    wait_until(lambda: "a worker is waiting for a server" in site.server.text())
    [waiting] = {*children(site)} - {other}
    time.sleep(5)  # as many attempts take, which were starts of new processes once
    database.start()
    wait_until(lambda: len(serving(site)) == 2)
    assert {*children(site)} == {waiting, other}
    assert (
        site.server.text().count("a worker is waiting for a server") <= 4
    )  # one for each thing that the server says as it starts
    account(site, 2, load)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_restart_is_not_noticed_by_senders_without_a_key(
    make_host: MakeHost, database: PostgresServer, number: signal.Signals
) -> None:
    crowd = Crowd(make_host(4))
    for _ in range(5):
        began, before = time.monotonic(), crowd.keyless.statuses[503]
        crowd.begin_outage(database, number)
        time.sleep(max(0.0, began + 5 - time.monotonic()))
        is_noticed = crowd.keyless.statuses[503] > before
        assert not is_noticed or time.monotonic() - began > TRUST_SECONDS - 2, "a second after the last renewal"
        database.start()
        crowd.are_well()
    crowd.account()


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nobody_is_trusted_without_a_database_for_long(
    make_host: MakeHost, database: PostgresServer, number: signal.Signals
) -> None:
    crowd = Crowd(make_host(4))
    began = time.monotonic()
    crowd.begin_outage(database, number)
    crowd.keyless.wait_for(503, 20)
    time.sleep(max(0.0, began + 30 - time.monotonic()))
    accepted = crowd.keyless.statuses[202]
    crowd.keyless.wait_for(503, 20)
    assert crowd.keyless.statuses[202] == accepted
    database.start()
    crowd.account()


@pytest.mark.long
@pytest.mark.timeout(900)
def test_all_connections_are_cut_again_and_again(make_host: MakeHost, database: PostgresServer) -> None:
    crowd = Crowd(make_host(4))
    for _ in range(20):
        database.cut_all()
        crowd.are_well()
    crowd.account()


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_standby_takes_over(make_host: MakeHost, database: PostgresServer) -> None:
    """Before it is promoted, it answers, and refuses whatever changes something."""
    crowd = Crowd(make_host(4))
    for _ in range(3):
        database.stop()
        database.start(as_standby=True)
        crowd.keyed.wait_for(503)
        crowd.keyless.wait_for(503, 10)
        database.promote()
        crowd.are_well()
    crowd.account()
